// Runs a command where the kernel refuses unix sockets but not socketpairs, as
// the sandbox of VS Code arranges it.
//
//   without_sockets COMMAND [ARGUMENT...]
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <iterator>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  constexpr unsigned kLoad = BPF_LD | BPF_W | BPF_ABS;
  constexpr unsigned kEqual = BPF_JMP | BPF_JEQ | BPF_K;
  constexpr unsigned kReturn = BPF_RET | BPF_K;
  // The lower half of the first argument; both machines are little-endian.
  sock_filter rules[] = {
      BPF_STMT(kLoad, offsetof(seccomp_data, nr)),
      BPF_JUMP(kEqual, SYS_socket, 0, 3),
      BPF_STMT(kLoad, offsetof(seccomp_data, args)),
      BPF_JUMP(kEqual, AF_UNIX, 0, 1),
      BPF_STMT(kReturn, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(kReturn, SECCOMP_RET_ALLOW),
  };
  sock_fprog program = {static_cast<unsigned short>(std::size(rules)), rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    return 3;
  }
  execvp(argv[1], argv + 1);
  return 127;
}
