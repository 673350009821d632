#include "session/shell_terminal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/shells.h"

namespace glasstty::session {
namespace {

constexpr size_t kMostStat = 4096;

// Judges by the name of the executable file, because "sh" is often a link to
// another shell. Returns true for programs that are not known shells.
bool EditsLines(int process) {
  char path[PATH_MAX];
  ssize_t size = readlinkat(process, "exe", path, sizeof path);
  if (size <= 0) return true;
  const Shell* shell =
      FindShell(std::string_view(path, static_cast<size_t>(size)));
  return shell == nullptr || shell->edits_lines;
}

// Returns the number of the process's terminal as in proc(5), or 0.
unsigned TerminalNumber(int process) {
  std::string stat;
  if (!ReadFileAt(process, "stat", kMostStat, &stat)) return 0;
  // The name in parentheses may hold anything, even parentheses.
  size_t end = stat.rfind(')');
  if (end == std::string::npos) return 0;
  char state = 0;
  int parent = 0, group = 0, session = 0, number = 0;
  int read = std::sscanf(stat.c_str() + end + 1, " %c %d %d %d %d", &state,
                         &parent, &group, &session, &number);
  return read == 5 ? static_cast<unsigned>(number) : 0;
}

unsigned NumberOf(dev_t device) {
  unsigned low = minor(device);
  return (low & 0xFF) | (major(device) << 8) | ((low & ~0xFFu) << 12);
}

// Opens the process's controlling terminal if it is the process's stdin, stdout
// or stderr; touches no other open file.
UniqueFd OpenTerminalOf(int process) {
  unsigned number = TerminalNumber(process);
  for (const char* name : {"fd/0", "fd/1", "fd/2"}) {
    struct stat info;
    bool is_it = number != 0 && fstatat(process, name, &info, 0) == 0 &&
                 S_ISCHR(info.st_mode) && NumberOf(info.st_rdev) == number;
    if (!is_it) continue;
    return UniqueFd(
        openat(process, name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  }
  return UniqueFd();
}

bool ReadsLines(const termios& settings) {
  constexpr tcflag_t kInput = ICRNL | INLCR | IGNCR;
  return (settings.c_lflag & ICANON) != 0 &&
         (settings.c_iflag & kInput) == ICRNL;
}

// Returns nearly the settings that our shell scripts make with stty.
termios Ordinary(termios settings) {
  settings.c_iflag |= IUTF8 | ICRNL;
  settings.c_iflag &= ~static_cast<tcflag_t>(INLCR | IGNCR | ISTRIP | IUCLC);
  // Delays after newlines and other characters are switched off, too.
  settings.c_oflag = OPOST | ONLCR;
  settings.c_lflag |= ISIG | ICANON | IEXTEN | ECHO | ECHOE | ECHOK;
  settings.c_lflag &= ~static_cast<tcflag_t>(NOFLSH | TOSTOP | EXTPROC);
  settings.c_cc[VINTR] = 'C' & 0x1F;
  settings.c_cc[VQUIT] = '\\' & 0x1F;
  settings.c_cc[VSUSP] = 'Z' & 0x1F;
  settings.c_cc[VEOF] = 'D' & 0x1F;
  return settings;
}

bool IsSame(const termios& a, const termios& b) {
  return a.c_iflag == b.c_iflag && a.c_oflag == b.c_oflag &&
         a.c_lflag == b.c_lflag && std::memcmp(a.c_cc, b.c_cc, NCCS) == 0;
}

}  // namespace

TerminalRepair RepairTerminal(int pid, bool was_killed) {
  UniqueFd process(open(("/proc/" + std::to_string(pid)).c_str(),
                        O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!process.valid()) return TerminalRepair::kNotPossible;
  if (EditsLines(process.get())) return TerminalRepair::kNotNeeded;
  UniqueFd terminal = OpenTerminalOf(process.get());
  termios now{};
  if (!terminal.valid() || tcgetattr(terminal.get(), &now) != 0) {
    return TerminalRepair::kNotPossible;
  }
  termios wanted = Ordinary(now);
  if (IsSame(now, wanted) || (!was_killed && ReadsLines(now))) {
    return TerminalRepair::kNotNeeded;
  }
  // This is not our controlling terminal, so SIGTTOU cannot stop us.
  return tcsetattr(terminal.get(), TCSANOW, &wanted) == 0
             ? TerminalRepair::kRepaired
             : TerminalRepair::kNotPossible;
}

bool ReadsFilesIn(int pid, const std::string& directory) {
  std::string process = "/proc/" + std::to_string(pid);
  struct stat owner, ours, theirs;
  return stat(process.c_str(), &owner) == 0 && owner.st_uid == geteuid() &&
         stat(directory.c_str(), &ours) == 0 &&
         stat((process + "/root" + directory).c_str(), &theirs) == 0 &&
         ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

}  // namespace glasstty::session
