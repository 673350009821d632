#include "testing/system.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "base/fd.h"
#include "support/json.h"

namespace glasstty::testing {
namespace fs = std::filesystem;
namespace {

// A kernel thread, by the flags of /proc/PID/stat (PF_KTHREAD of sched.h).
constexpr unsigned kKernelThread = 0x200000;

// Reads fields of /proc/PID/stat; returns false if the process is gone, or a
// part of the kernel.
bool ReadStat(const std::string& pid, ProcessRow* row) {
  std::string text = ReadWholeFile("/proc/" + pid + "/stat");
  // The name may contain blanks and parentheses, so continue after the last
  // one.
  size_t end = text.rfind(") ");
  if (end == std::string::npos) return false;
  row->pid = std::atoi(pid.c_str());
  unsigned flags = 0;
  return std::sscanf(text.c_str() + end + 2, "%c %d %*d %*d %*d %*d %u",
                     &row->state, &row->parent, &flags) == 3 &&
         (flags & kKernelThread) == 0;
}

std::string LinkTarget(const std::string& path) {
  std::error_code ignored;
  return fs::read_symlink(path, ignored).string();
}

bool Carries(const std::string& proc, const std::string& mark) {
  return ReadWholeFile(proc + "/environ").find(mark) != std::string::npos ||
         ReadWholeFile(proc + "/cmdline").find(mark) != std::string::npos ||
         LinkTarget(proc + "/cwd").find(mark) != std::string::npos;
}

// Returns the subdirectories of `path`; none if it does not exist.
std::vector<std::string> Subdirectories(const std::string& path) {
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    if (entry.is_directory(error)) found.push_back(entry.path().string());
  }
  return found;
}

}  // namespace

void RemoveAll(const std::string& path) {
  Eventually(Seconds(5), [&path] {
    std::error_code error;
    fs::remove_all(path, error);
    return !error;
  });
}

TempDir::TempDir() {
  std::string name = fs::temp_directory_path() / "glasstty-test-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) std::abort();
  path_ = fs::canonical(name);
}

TempDir::~TempDir() { RemoveAll(path_); }

std::string TempDir::Write(const std::string& name,
                           const std::string& content) const {
  std::string path = Join(name);
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::string ReadWholeFile(const std::string& path) {
  // A stream is unsuitable: one throws if a process ends between open and read.
  std::string text;
  if (!ReadFileAt(AT_FDCWD, path, SIZE_MAX, &text)) return "";
  return text;
}

// Many conditions look at all processes of the machine, so the longer one takes
// to come true, the more rarely it is looked at.
bool Eventually(Seconds limit, const std::function<bool()>& condition) {
  using std::chrono::milliseconds;
  auto begin = std::chrono::steady_clock::now();
  while (!condition()) {
    auto passed = std::chrono::steady_clock::now() - begin;
    if (passed > limit) return false;
    auto pause = std::chrono::duration_cast<milliseconds>(passed / 8);
    pause = std::clamp(pause, milliseconds(5), milliseconds(100));
    poll(nullptr, 0, static_cast<int>(pause.count()));
  }
  return true;
}

std::string BuildPath(const std::string& relative) {
  // BUILD/tests/NAME/PROGRAM
  fs::path build = fs::read_symlink("/proc/self/exe")
                       .parent_path()
                       .parent_path()
                       .parent_path();
  return build / relative;
}

std::string ServerPath() {
  const char* pair = std::getenv("GLASSTTY_TEST_PAIR");
  return pair == nullptr ? BuildPath("src/cli/glasstty")
                         : std::string(pair) + "/bin/glasstty";
}

std::string HolderPath() {
  const char* pair = std::getenv("GLASSTTY_TEST_PAIR");
  return pair == nullptr ? BuildPath("src/ptyhost/far/glasstty-holder")
                         : std::string(pair) + "/libexec/glasstty-holder";
}

std::vector<ProcessRow> ProcessesWith(const std::string& mark) {
  std::vector<ProcessRow> found;
  for (const std::string& proc : Subdirectories("/proc")) {
    std::string pid = fs::path(proc).filename();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    ProcessRow row;
    if (!ReadStat(pid, &row) || row.state == 'Z' || row.pid == getpid()) {
      continue;
    }
    if (!Carries(proc, mark)) continue;
    row.command = ReadWholeFile(proc + "/cmdline");
    std::replace(row.command.begin(), row.command.end(), '\0', ' ');
    found.push_back(std::move(row));
  }
  return found;
}

std::string Describe(const std::vector<ProcessRow>& processes) {
  std::ostringstream out;
  for (const ProcessRow& row : processes) {
    out << row.pid << " " << row.state << " " << row.command << "\n";
  }
  return out.str();
}

std::set<std::string> TcpListenersOf(const std::string& mark) {
  std::map<std::string, std::string> address_of;  // by the socket's name
  for (const char* path : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::istringstream table(ReadWholeFile(path));
    for (std::string line; std::getline(table, line);) {
      std::istringstream row(line);
      std::vector<std::string> columns(std::istream_iterator<std::string>(row),
                                       {});
      constexpr size_t kLocal = 1, kState = 3, kInode = 9;
      if (columns.size() <= kInode || columns[kState] != "0A") continue;
      const std::string& local = columns[kLocal];
      address_of["socket:[" + columns[kInode] + "]"] =
          local.substr(0, local.find(':'));
    }
  }
  std::set<std::string> found;
  for (const ProcessRow& process : ProcessesWith(mark)) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(
             "/proc/" + std::to_string(process.pid) + "/fd", error)) {
      auto socket = address_of.find(fs::read_symlink(entry.path(), error));
      if (socket != address_of.end()) found.insert(socket->second);
    }
  }
  return found;
}

std::vector<std::string> LiveHolders(const std::string& state_dir) {
  std::vector<std::string> live;
  for (const std::string& directory : Subdirectories(state_dir)) {
    UniqueFd lock(open((directory + "/lock").c_str(), O_RDONLY | O_CLOEXEC));
    if (!lock.valid()) continue;
    if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) live.push_back(directory);
  }
  return live;
}

std::vector<std::string> SocketsBelow(const std::string& state_dir) {
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(state_dir, error)) {
    if (entry.is_socket(error)) found.push_back(entry.path().string());
  }
  std::istringstream table(ReadWholeFile("/proc/net/unix"));
  for (std::string line; std::getline(table, line);) {
    if (line.find(state_dir) != std::string::npos) found.push_back(line);
  }
  return found;
}

std::string SessionDirectory(const std::string& state_dir,
                             const std::string& name) {
  std::string newest;
  fs::file_time_type newest_time{};
  std::vector<std::string> directories = Subdirectories(state_dir);
  // Include sessions that were ended in order.
  for (std::string& ended : Subdirectories(state_dir + "/ended")) {
    directories.push_back(std::move(ended));
  }
  for (const std::string& directory : directories) {
    std::error_code error;
    absl::StatusOr<Json> meta =
        ParseJson(ReadWholeFile(directory + "/meta.json"));
    if (!meta.ok()) continue;
    const Json* found = FindMember(*meta, "name");
    if (found == nullptr || AsString(*found) != name) continue;
    fs::file_time_type time =
        fs::last_write_time(directory + "/meta.json", error);
    if (newest.empty() || time > newest_time) {
      newest = directory;
      newest_time = time;
    }
  }
  return newest;
}

std::string RawLog(const std::string& state_dir, const std::string& name) {
  std::string directory = SessionDirectory(state_dir, name);
  std::vector<std::string> segments;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(directory, error)) {
    std::string file = entry.path().filename();
    if (file.rfind("out.", 0) == 0) segments.push_back(entry.path());
  }
  std::sort(segments.begin(), segments.end());
  std::string bytes;
  for (const std::string& segment : segments) bytes += ReadWholeFile(segment);
  return bytes;
}

CommandResult RunCommand(const std::vector<std::string>& argv,
                         const std::vector<std::string>& extra_env) {
  CommandResult result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return result;
  pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    std::vector<char*> arguments;
    for (const std::string& argument : argv) {
      arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    for (const std::string& variable : extra_env) {
      putenv(const_cast<char*>(variable.c_str()));
    }
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  char buffer[4096];
  for (ssize_t n; (n = ReadSome(ends[0], buffer, sizeof(buffer))) > 0;) {
    result.output.append(buffer, n);
  }
  close(ends[0]);
  waitpid(pid, &result.status, 0);
  return result;
}

}  // namespace glasstty::testing
