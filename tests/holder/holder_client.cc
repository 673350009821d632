#include "holder/holder_client.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "wire/log_reader.h"

namespace glasstty::holder {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

bool WaitReadable(int fd, SteadyClock::time_point deadline) {
  auto left =
      std::chrono::duration_cast<milliseconds>(deadline - SteadyClock::now());
  pollfd query{fd, POLLIN, 0};
  return poll(&query, 1, std::max<int>(0, static_cast<int>(left.count()))) > 0;
}

}  // namespace

SessionDir::SessionDir(const std::string& parent) {
  std::string base =
      parent.empty() ? std::filesystem::temp_directory_path().string() : parent;
  path_ = base + "/holder-test-XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) abort();
  fd_.Reset(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

SessionDir::~SessionDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

bool SessionDir::Has(const std::string& name) const {
  return faccessat(fd_.get(), name.c_str(), F_OK, 0) == 0;
}

namespace {

constexpr char kActorName[] = "/holder_actor";
constexpr char kHolderName[] = "/glasstty-holder";

// Returns a folder with copies of the programs that every user may run, because
// the build directory may be root's own.
const std::string& PublicFolder() {
  static const SessionDir* dir = [] {
    static SessionDir made;
    chmod(made.path().c_str(), 0755);
    std::filesystem::path self =
        std::filesystem::read_symlink("/proc/self/exe").parent_path();
    std::string holder;
    wire::OpenHolderExecutable(&holder);
    std::filesystem::copy_file(self / (kActorName + 1),
                               made.path() + kActorName);
    std::filesystem::copy_file(holder, made.path() + kHolderName);
    return &made;
  }();
  return dir->path();
}

}  // namespace

std::string ActorFile() { return PublicFolder() + kActorName; }

wire::LaunchSpec ActorSpec(const std::vector<std::string>& arguments) {
  wire::LaunchSpec spec;
  spec.argv = {ActorFile()};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  for (const char* name : {"PATH", "HOME", "TMPDIR"}) {
    const char* value = getenv(name);
    if (value != nullptr) {
      spec.environment.push_back(std::string(name) + "=" + value);
    }
  }
  spec.environment.push_back("TERM=xterm-256color");
  spec.environment.push_back("LANG=C.UTF-8");
  spec.environment.push_back("PS1=$ ");
  return spec;
}

wire::LaunchSpec ShellSpec(const std::string& script) {
  wire::LaunchSpec spec = ActorSpec({});
  spec.argv = {"sh", "-c", script};
  return spec;
}

HolderClient::HolderClient(const wire::LaunchSpec& spec,
                           const std::string& parent)
    : dir_(parent) {
  std::string path;
  UniqueFd executable = wire::OpenHolderExecutable(&path);
  if (executable.valid()) {
    control_ = wire::LaunchHolder(executable.get(), dir_.fd(), spec);
  }
}

HolderClient::~HolderClient() {
  if (wire::HolderIsDead(dir_.fd())) return;
  if (!control_.valid() && !Reconnect()) return;
  Send(wire::Hello{});
  Send(wire::Kill{});
  AwaitUntil([] { return false; });
  AwaitDeath();
}

bool HolderClient::Reconnect() {
  closed_ = false;
  inbox_.clear();
  return Eventually([this] {
    control_ = wire::ConnectHolder(dir_.fd());
    if (!control_.valid()) return false;
    if (!WaitReadable(control_.get(), SteadyClock::now())) return true;
    // The holder reported that the former server is still there.
    control_.Reset();
    return false;
  });
}

bool HolderClient::Greet() {
  if (!Send(wire::Hello{})) return false;
  auto welcome = Await<wire::Welcome>();
  auto started = Await<wire::Started>();
  if (!welcome || !started) return false;
  info_ = welcome->info;
  leader_ = static_cast<pid_t>(started->pid);
  return leader_ > 0;
}

bool HolderClient::TakeOne(SteadyClock::time_point deadline) {
  char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  wire::Packet packet;
  for (;;) {
    if (!control_.valid() || closed_) return false;
    switch (
        wire::ReceivePacket(control_.get(), buffer, sizeof buffer, &packet)) {
      case wire::Receive::kClosed:
        closed_ = true;
        return false;
      case wire::Receive::kNothing:
        if (!WaitReadable(control_.get(), deadline)) return false;
        continue;
      case wire::Receive::kPacket:
        break;
    }
    if (packet.header.type == wire::Data::kType && acknowledges_) {
      auto data = wire::DecodeAs<wire::Data>(packet);
      Send(wire::Ack{data.out_end, data.err_end});
    }
    inbox_.push_back({packet.header, std::string(packet.payload)});
    return true;
  }
}

bool HolderClient::Receive(wire::PacketType type, milliseconds limit) {
  auto deadline = SteadyClock::now() + limit;
  for (;;) {
    auto found = std::find_if(
        inbox_.begin(), inbox_.end(),
        [type](const Received& r) { return r.header.type == type; });
    if (found != inbox_.end()) {
      last_ = std::move(*found);
      inbox_.erase(found);
      return true;
    }
    if (!TakeOne(deadline)) return false;
  }
}

bool HolderClient::AwaitUntil(const std::function<bool()>& done,
                              milliseconds limit) {
  auto deadline = SteadyClock::now() + limit;
  while (!done()) {
    if (!TakeOne(deadline)) return done();
  }
  return true;
}

std::string HolderClient::Log(const std::string& stem) const {
  wire::LogReader reader(dir_.fd(), stem);
  std::string text;
  char buffer[65536];
  uint64_t offset = *reader.NextKept(0);
  for (;;) {
    ssize_t n = reader.Read(offset, buffer, sizeof buffer);
    if (n <= 0) return text;
    text.append(buffer, static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
}

uint64_t HolderClient::LogEnd() const {
  std::vector<uint64_t> starts = *wire::ListSegments(dir_.fd(), "out");
  struct stat info;
  if (starts.empty() ||
      fstatat(dir_.fd(), wire::SegmentName("out", starts.back()).c_str(), &info,
              0) != 0) {
    return 0;
  }
  return starts.back() + static_cast<uint64_t>(info.st_size);
}

bool HolderClient::AwaitText(std::string_view text, milliseconds limit) {
  return AwaitUntil([&] { return Log().find(text) != std::string::npos; },
                    limit);
}

std::optional<wire::PendingWork> HolderClient::AwaitWork(
    const std::function<bool(const wire::PendingWork&)>& wanted) {
  std::optional<wire::PendingWork> work;
  Eventually([&] {
    auto answer = ProbeOnce(wire::kProbeWork);
    if (!answer) return true;
    bool is_wanted = answer->work.known && wanted(answer->work);
    if (is_wanted) work = answer->work;
    return is_wanted;
  });
  return work;
}

std::optional<wire::ProbeAnswer> HolderClient::ProbeOnce(uint64_t flags) {
  uint64_t serial = ++probe_serial_;
  if (!Send(wire::Probe{serial, flags})) return std::nullopt;
  for (;;) {
    auto state = Await<wire::State>();
    if (!state) return std::nullopt;
    if (state->serial == serial) return state->answer;
  }
}

std::optional<wire::ProbeAnswer> HolderClient::AwaitProbe(
    const std::function<bool(const wire::ProbeAnswer&)>& wanted,
    milliseconds limit) {
  std::optional<wire::ProbeAnswer> answer;
  Eventually(
      [&] {
        answer = ProbeOnce();
        return !answer || (answer->settled && wanted(*answer));
      },
      limit);
  return answer;
}

std::vector<Row> HolderClient::AwaitRows(uint64_t serial) {
  std::vector<Row> rows;
  for (;;) {
    auto end = Await<wire::TreeEnd>();
    if (!end) return rows;
    if (end->serial == serial) break;
  }
  for (auto it = inbox_.begin(); it != inbox_.end();) {
    if (it->header.type != wire::TreeRow::kType) {
      ++it;
      continue;
    }
    auto row = it->As<wire::TreeRow>();
    if (row.serial == serial) {
      rows.push_back({row.process, {}, std::string(row.command)});
      for (const auto& listening : row.ports) {
        rows.back().ports.push_back(listening.port);
      }
    }
    it = inbox_.erase(it);
  }
  return rows;
}

bool HolderClient::AwaitDeath(milliseconds limit) {
  return Eventually([this] { return wire::HolderIsDead(dir_.fd()); }, limit);
}

bool RunAsOrdinaryUser(const std::function<void()>& body) {
  constexpr uid_t kNobody = 65534;
  std::string holder = PublicFolder() + kHolderName;
  pid_t pid = fork();
  if (pid == 0) {
    bool dropped =
        geteuid() != 0 || (setgid(kNobody) == 0 && setuid(kNobody) == 0);
    setenv("HOME", "/", 1);
    setenv("GLASSTTY_HOLDER", holder.c_str(), 1);
    if (dropped) body();
    _exit(dropped && !::testing::Test::HasFailure() ? 0 : 1);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  return status == 0;
}

bool AwaitProcessEnd(pid_t pid, milliseconds limit) {
  UniqueFd fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!fd.valid()) return true;
  return WaitReadable(fd.get(), SteadyClock::now() + limit);
}

std::vector<pid_t> FindProcesses(const std::string& text) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string line;
    if (!ReadFileAt(AT_FDCWD, entry.path() / "cmdline", 65536, &line)) continue;
    std::replace(line.begin(), line.end(), '\0', ' ');
    if (line.find(text) != std::string::npos) found.push_back(stoi(name));
  }
  return found;
}

bool Eventually(const std::function<bool()>& condition, milliseconds limit) {
  auto deadline = SteadyClock::now() + limit;
  for (int pause = 1;; pause = std::min(pause * 2, 20)) {
    if (condition()) return true;
    if (SteadyClock::now() >= deadline) return false;
    poll(nullptr, 0, pause);
  }
}

}  // namespace glasstty::holder
