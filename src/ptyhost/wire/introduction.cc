#include "wire/introduction.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "base/base64.h"
#include "base/fd.h"
#include "base/utf8.h"

namespace glasstty::wire {
namespace {

// Returns a JSON string; an empty one if `text` is not valid UTF-8, because
// JSON cannot represent such text.
std::string Quoted(std::string_view text) {
  if (!IsValidUtf8(text)) return "\"\"";
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", c);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

// Returns "" if the working directory was deleted.
std::string WorkingDirectory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof path) != nullptr ? path : "";
}

// Returns "NAME=value" entries, each ended by a NUL.
std::string EnvironmentBytes() {
  std::string bytes;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bytes.append(*entry, std::strlen(*entry) + 1);
  }
  return bytes;
}

// The umask can be read only by setting it (umask(2)).
mode_t OwnUmask() {
  mode_t mask = umask(0);
  umask(mask);
  return mask;
}

// Returns "-1" if there is no limit.
std::string Number(rlim_t limit) {
  return limit == RLIM_INFINITY ? "-1" : std::to_string(limit);
}

std::string OwnLimits() {
  std::string list;
  for (int i = 0; i < RLIM_NLIMITS; ++i) {
    rlimit limit;
    if (getrlimit(static_cast<__rlimit_resource_t>(i), &limit) != 0) break;
    list += list.empty() ? "[" : ",[";
    list += Number(limit.rlim_cur) + "," + Number(limit.rlim_max) + "]";
  }
  return "[" + list + "]";
}

// Returns 0 for a process that is gone or cannot be seen.
pid_t ParentOf(pid_t pid) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
  char text[512];
  ssize_t n = file.valid() ? ReadSome(file.get(), text, sizeof text - 1) : 0;
  if (n <= 0) return 0;
  text[n] = '\0';
  // The name of the program, in parentheses, may contain anything.
  const char* end = std::strrchr(text, ')');
  int parent = 0;
  bool is_read = end != nullptr && sscanf(end, ") %*c %d", &parent) == 1;
  return is_read ? parent : 0;
}

// Returns the pids of the ancestors of this process, the nearest first.
std::string OwnAncestors() {
  // A launcher, a package manager and a shell may be between this process and
  // the agent.
  constexpr int kMost = 10;
  std::string list;
  pid_t pid = getppid();
  for (int i = 0; i < kMost && pid > 0; ++i) {
    list += (list.empty() ? "" : ",") + std::to_string(pid);
    pid = ParentOf(pid);
  }
  return "[" + list + "]";
}

std::string OwnProcesses() {
  return R"(,"parent":)" + std::to_string(getppid()) + R"(,"process":)" +
         std::to_string(getpid()) + R"(,"ancestors":)" + OwnAncestors();
}

std::string Line(std::string_view directory, std::string_view name,
                 const std::string& more) {
  return R"({"jsonrpc":"2.0","method":"notifications/glasstty/client",)"
         R"("params":{"directory":)" +
         Quoted(directory) + R"(,"name":)" + Quoted(name) + more + "}}\n";
}

}  // namespace

std::string IntroductionLine(std::string_view directory,
                             std::string_view name) {
  return Line(directory, name, "");
}

std::string OwnIntroductionLine(std::string_view name) {
  std::string more = OwnProcesses();
  std::string environment = EnvironmentBytes();
  if (environment.size() <= kMostEnvironment) {
    more += R"(,"umask":)" + std::to_string(OwnUmask()) + R"(,"limits":)" +
            OwnLimits() + R"(,"env":")" + ToBase64(environment) + '"';
  } else {
    fprintf(stderr,
            "glasstty: this environment has more than %zu bytes, so sessions "
            "get that of the shared server\n",
            kMostEnvironment);
  }
  return Line(WorkingDirectory(), name, more);
}

std::string BriefIntroductionLine(std::string_view name) {
  return Line(WorkingDirectory(), name, OwnProcesses());
}

std::string GoodbyeLine(std::string_view name) {
  return R"({"jsonrpc":"2.0","method":"notifications/glasstty/goodbye",)"
         R"("params":{"name":)" +
         Quoted(name) + "}}\n";
}

}  // namespace glasstty::wire
