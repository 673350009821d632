// Prints this many bytes and ends at once: the last bytes of such a program are
// easily lost.
//
//   print_and_exit SIZE SEED exit STATUS
//   print_and_exit SIZE SEED signal NUMBER
//
// The bytes are lines of printable characters, a function of SIZE and SEED;
// the test computes the same.
#include <signal.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "e2e/printed_bytes.h"

int main(int argc, char** argv) {
  if (argc != 5) return 250;
  // Without "\n" -> "\r\n", the log contains exactly what is printed here.
  termios mode;
  if (tcgetattr(1, &mode) == 0) {
    mode.c_oflag &= ~OPOST;
    tcsetattr(1, TCSANOW, &mode);
  }
  std::string bytes = glasstty::testing::PrintedBytes(
      std::strtoul(argv[1], nullptr, 10), std::strtoul(argv[2], nullptr, 10));
  for (size_t done = 0; done < bytes.size();) {
    ssize_t n = write(1, bytes.data() + done, bytes.size() - done);
    if (n <= 0) return 251;
    done += n;
  }
  int number = std::atoi(argv[4]);
  if (std::strcmp(argv[3], "exit") == 0) _exit(number);
  rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  signal(number, SIG_DFL);
  raise(number);
  return 252;
}
