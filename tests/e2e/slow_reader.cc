// Reads its terminal as slow programs do: waits in one of several ways, pauses,
// reads a part of what is there, pauses again.
//
//   slow_reader raw|cooked SEED FILE
//
// Appends what it has read to FILE, then writes the number of bytes so far into
// the first row, "read 17". So when it waits for input again, everything that
// it was given is on the screen.
#include <fcntl.h>
#include <poll.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

namespace {

constexpr int kLongestPauseMs = 3;
constexpr size_t kMostAtOnce = 48;

std::mt19937 random_source;

int Random(int end) { return static_cast<int>(random_source() % end); }

// Works for a while: in most programs this would be computing.
void Pause() {
  if (Random(2) == 0) poll(nullptr, 0, Random(kLongestPauseMs + 1));
}

// Each is a way in which programs wait for a key.
void AwaitInput() {
  pollfd query{0, POLLIN, 0};
  fd_set set;
  switch (Random(4)) {
    case 0:
      return;  // in read(2) itself
    case 1:
      poll(&query, 1, -1);
      return;
    case 2:
      while (poll(&query, 1, 50) == 0) continue;
      return;
    case 3:
      FD_ZERO(&set);
      FD_SET(0, &set);
      select(1, &set, nullptr, nullptr, nullptr);
      return;
  }
}

bool WriteAll(int fd, const std::string& text) {
  return write(fd, text.data(), text.size()) ==
         static_cast<ssize_t>(text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 250;
  if (std::strcmp(argv[1], "raw") == 0) {
    termios mode;
    if (tcgetattr(0, &mode) != 0) return 251;
    cfmakeraw(&mode);
    tcsetattr(0, TCSANOW, &mode);
  }
  random_source.seed(std::atoi(argv[2]));
  int file = open(argv[3], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return 252;
  for (size_t total = 0;;) {
    WriteAll(1, "\x1b[2J\x1b[Hread " + std::to_string(total) + "\r\n");
    AwaitInput();
    Pause();
    char bytes[kMostAtOnce];
    ssize_t n = read(0, bytes, 1 + Random(kMostAtOnce));
    if (n <= 0) return 0;
    Pause();
    if (!WriteAll(file, std::string(bytes, n))) return 253;
    total += n;
  }
}
