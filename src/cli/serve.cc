// `glasstty serve`: one server for all clients of this user, on a unix socket.
//
// A server that was started in the background (by `glasstty call`, `glasstty
// mcp` or a relay) ends by itself when it has had neither a client nor a
// session for a while.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "base/limits.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/serving.h"
#include "record/recording.h"
#include "record/state_dir.h"
#include "serve/guests.h"
#include "serve/listener.h"
#include "serve/listener_keeper.h"
#include "support/log.h"
#include "support/status.h"
#include "wire/programs.h"
#include "wire/shared_server.h"

namespace glasstty {
namespace {

// The time that a server that nobody uses waits for a client or a session.
constexpr Duration kLinger = std::chrono::minutes(10);
constexpr Duration kLingerLook = std::chrono::seconds(20);
// A server ends within a second, but the machine may be busy.
constexpr int kStopPatienceMs = 5000;
constexpr int kStopLookMs = 5;
// An upgrade replaces several files, and a server waits this long for all of
// them and for its calls to end.
constexpr Duration kUpgradePause = std::chrono::seconds(1);
// The maximum length of our own command line in bytes.
constexpr size_t kMostWords = 64 << 10;

// Ends a server that nobody needs.
class Lingerer {
 public:
  Lingerer(Serving* serving, const serve::Guests* guests)
      : serving_(serving),
        guests_(guests),
        timer_(serving->loop(), [this] { Look(); }) {
    Look();
  }

 private:
  void Look() {
    std::vector<session::SessionRef> sessions = serving_->sessions().All();
    bool is_needed =
        guests_->size() > 0 || std::any_of(sessions.begin(), sessions.end(),
                                           [](const session::SessionRef& s) {
                                             return !s->finished();
                                           });
    Time now = serving_->loop()->Now();
    if (is_needed || needed_ == Time()) needed_ = now;
    if (now - needed_ >= kLinger) return serving_->End();
    timer_.SetAfter(kLingerLook);
  }

  Serving* const serving_;
  const serve::Guests* const guests_;
  Timer timer_;
  Time needed_{};
};

// Runs the program that is installed now instead of this one. Sessions
// continue: their holders wait for the next server, and relays connect to it.
// Returns only if that is impossible.
void Succeed() {
  std::string own = wire::OwnExecutable();
  std::string words(kMostWords, '\0');
  UniqueFd file(open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC));
  ssize_t size = ReadSome(file.get(), words.data(), words.size() - 1);
  std::vector<char*> argv;
  for (ssize_t at = 0; at < size;) {
    argv.push_back(words.data() + at);
    at += static_cast<ssize_t>(std::strlen(argv.back())) + 1;
  }
  argv.push_back(nullptr);
  // The new program raises the limit again, and sessions' programs get the
  // original one.
  auto limit = OriginalDescriptorLimit();
  if (limit) setrlimit(RLIMIT_NOFILE, &*limit);
  execv(own.c_str(), argv.data());
  Warn("cannot restart: %s", Message(ErrnoStatus("execute", own)));
}

// Replaces a server whose program has been upgraded on disk, once no call runs.
class Successor {
 public:
  Successor(Serving* serving, const serve::Guests* guests,
            const serve::ListenerKeeper* keeper)
      : serving_(serving),
        guests_(guests),
        keeper_(keeper),
        timer_(serving->loop(), [this] { Look(); }),
        asked_(serving->loop(), wire::kRestartSignal, [this] { Begin(); }) {}

  // Call when a client has come or gone.
  void Check() {
    struct stat running, installed;
    std::string path = wire::OwnExecutable();
    bool is_other = stat("/proc/self/exe", &running) == 0 &&
                    stat(path.c_str(), &installed) == 0 &&
                    (running.st_ino != installed.st_ino ||
                     running.st_dev != installed.st_dev);
    if (is_other && !timer_.armed()) timer_.SetAfter(kUpgradePause);
  }

 private:
  void Look() {
    if (serving_->server()->idle() && guests_->drained()) return Begin();
    timer_.SetAfter(kUpgradePause);
  }

  // A server that another one has replaced continues, because no other server
  // can find its sessions. The socket of systemd would be closed by exec, but
  // the next client that connects to it starts the next server.
  void Begin() {
    if (keeper_->is_replaced()) return;
    if (!guests_->listener().is_own()) _exit(0);
    Succeed();
  }

  Serving* const serving_;
  const serve::Guests* const guests_;
  const serve::ListenerKeeper* const keeper_;
  Timer timer_;
  SignalWatch asked_;
};

int Fail(const absl::Status& status) {
  PrintError("glasstty serve: %s\n", Message(status));
  return 1;
}

int StopServer(const std::string& base) {
  // End the HTTP process first, because it would start another server.
  LockOwner http = wire::ServerOwner(base, wire::kHttpLock);
  if (http.pid > 0) kill(http.pid, SIGTERM);
  LockOwner server = wire::ServerOwner(base);
  if (!server.exists && http.pid > 0) return 0;
  if (!server.exists) {
    PrintError("glasstty serve: no shared server is running\n");
    return 1;
  }
  pid_t pid = server.pid;
  if (pid == 0) {
    return Fail(FailedPrecondition(
        "a shared server has locked %s/serve/lock, but its process is not "
        "visible from here; stop it in the container or PID namespace where "
        "it was started",
        base));
  }
  if (kill(pid, SIGTERM) != 0) {
    return Fail(ErrnoStatus("signal", std::to_string(pid)));
  }
  for (int ms = 0; ms < kStopPatienceMs; ms += kStopLookMs) {
    if (wire::ServerOwner(base).pid != pid) return 0;
    poll(nullptr, 0, kStopLookMs);
  }
  return Fail(Unavailable("process %d has not ended in %d s", pid,
                          kStopPatienceMs / 1000));
}

// Lists sessions that no server can take over: they do not end with a server.
void TellUnreadable() {
  (void)record::ForEachRecorded(
      [](const record::RecordedSession&) {},
      [](const record::UnreadableSession& session) {
        PrintError("glasstty serve: %s\n", record::DescribeUnreadable(session));
      });
}

// An older server does not handle the signal and is killed by it, which does
// its sessions no more harm than a restart.
int RestartServer(const std::string& base) {
  UniqueFd before = wire::ConnectServer(base);
  pid_t pid = wire::ServerOwner(base).pid;
  if (before.valid() && pid <= 0) {
    return Fail(FailedPrecondition(
        "the process of the shared server is not visible from here; restart "
        "it where it was started"));
  }
  if (before.valid()) {
    if (kill(pid, wire::kRestartSignal) != 0) {
      return Fail(ErrnoStatus("signal", std::to_string(pid)));
    }
    // The connection ends with the old program.
    pollfd end{before.get(), POLLIN, 0};
    if (poll(&end, 1, kStopPatienceMs) != 1) {
      return Fail(Unavailable("process %d does not restart", pid));
    }
  }
  if (wire::StartServer(wire::OwnExecutable())) return 0;
  return Fail(Unavailable("it did not start; see %s/serve/log", base));
}

// Runs in the parent: the child writes a byte when it listens, and closes the
// pipe if it does not. If it does neither in time, it is assumed not to listen.
// Returns the exit status.
int AwaitChild(int ready) {
  constexpr int kStartPatienceMs = 10'000;
  pollfd news{ready, POLLIN, 0};
  if (poll(&news, 1, kStartPatienceMs) <= 0) return 1;
  char byte;
  return ReadSome(ready, &byte, 1) == 1 ? 0 : 1;
}

// Runs in the child: detaches it from its parent's terminal and pipes.
void Detach(const std::string& base) {
  setsid();
  UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  UniqueFd directory = wire::OpenServeDirectory(base, true);
  UniqueFd log(openat(directory.get(), "log",
                      O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                      0600));
  dup2(nothing.get(), STDIN_FILENO);
  dup2(nothing.get(), STDOUT_FILENO);
  dup2(log.valid() ? log.get() : nothing.get(), STDERR_FILENO);
  // A working directory would keep a file system busy.
  if (chdir("/") != 0) Warn("cannot leave the working directory");
}

// Serves until the end. Writes to `ready`, if that is valid, once it listens.
int Serve(const Options& options, const std::string& base, UniqueFd ready) {
  auto settings = CheckSettings(options);
  if (!settings) return 2;
  PrepareToServe();
  auto listener = serve::Listener::Open(base);
  if (!listener.ok()) return Fail(listener.status());
  Serving serving(*settings);
  serve::Guests guests(serving.loop(), serving.server(), *std::move(listener));
  serving.SetFront([&guests] { guests.Close(); },
                   [&guests] { return guests.drained(); });
  serve::ListenerKeeper keeper(
      serving.loop(), base, &guests,
      [&serving] { (void)serving.sessions().KeepStateDir(); },
      [&serving] { serving.End(); });
  Successor successor(&serving, &guests, &keeper);
  guests.OnChange([&successor, &keeper] {
    successor.Check();
    keeper.Check();
  });
  // Holders that an earlier server has left wait only for a limited time.
  Timer adopt(serving.loop(), [&serving] { serving.Prepare(); });
  adopt.SetAfter(Duration::zero());
  std::optional<Lingerer> lingerer;
  if (ready.valid()) {
    lingerer.emplace(&serving, &guests);
    WriteAll(ready.get(), "1");
    ready.Reset();
  }
  serving.Run();
  return 0;
}

int ServeInBackground(const Options& options, const std::string& base) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Fail(ErrnoStatus("make", "a pipe"));
  UniqueFd read_end(ends[0]), write_end(ends[1]);
  pid_t child = fork();
  if (child < 0) return Fail(ErrnoStatus("start", "a process"));
  if (child > 0) {
    write_end.Reset();
    if (AwaitChild(read_end.get()) == 0) return 0;
    // If another server was started at the same moment, that one serves the
    // purpose.
    for (int ms = 0; ms < kStopPatienceMs && wire::ServerOwner(base).exists;
         ms += kStopLookMs) {
      if (wire::ConnectServer(base).valid()) return 0;
      poll(nullptr, 0, kStopLookMs);
    }
    return Fail(Unavailable("it did not start; see %s/serve/log", base));
  }
  read_end.Reset();
  Detach(base);
  return Serve(options, base, std::move(write_end));
}

// Checks the flags of HTTP.
absl::Status CheckHttp(const Options& options) {
  bool elsewhere = options.Has("http-address");
  for (const char* flag : {"http-open", "http-address", "http-expose"}) {
    if (options.Has(flag) && !options.Has("http")) {
      return InvalidArgument("--%s needs --http=PORT", flag);
    }
  }
  int port = 0;
  if (options.Has("http") && (!absl::SimpleAtoi(options.Get("http"), &port) ||
                              port < 0 || port > 65535)) {
    return InvalidArgument(
        "--http=%s: give a port up to 65535, or 0 for any free one",
        options.Get("http"));
  }
  if (elsewhere != options.Has("http-expose")) {
    return InvalidArgument(
        "--http-address and --http-expose need each other: the token and all "
        "that is typed cross the network as plain text; an SSH tunnel to "
        "127.0.0.1 is safer");
  }
  if (elsewhere && options.Has("http-open")) {
    return InvalidArgument(
        "--http-open works on 127.0.0.1 only: anyone who can reach another "
        "address could run commands here");
  }
  return absl::OkStatus();
}

// Replaces this process by the program that serves HTTP
// (src/gateway/bridge/main.cc); returns only on failure.
absl::Status BecomeHttp(const Options& options, const std::string& base) {
  std::string own = wire::OwnExecutable();
  if (!wire::ServerOwner(base).exists && !wire::StartServer(own)) {
    return Unavailable("the server did not start; see %s/serve/log", base);
  }
  std::vector<std::string> words = {wire::kHttpProgram.name, base, own,
                                    options.Get("http")};
  if (options.Has("http-address")) {
    words.push_back(options.Get("http-address"));
  }
  if (options.Has("http-open")) words.push_back("--open");
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string path;
  UniqueFd program = wire::OpenProgram(wire::kHttpProgram, &path);
  if (!program.valid()) {
    return NotFound("%s is not installed; the last place tried was %s",
                    wire::kHttpProgram.name, path);
  }
  fexecve(program.get(), argv.data(), environ);
  return ErrnoStatus("start", path);
}

// Returns the text about the URL from the process that serves HTTP, if it
// serves as these options ask; otherwise "".
std::string ServedAlready(const Options& options, const std::string& base) {
  std::string said = wire::HttpAddress(base);
  std::string port = options.Get("http");
  std::string host = options.Has("http-address") ? options.Get("http-address")
                                                 : std::string("127.0.0.1");
  bool is_there = port == "0" || said.find(":" + port + "/mcp\n") != said.npos;
  bool is_open = said.find("Authorization") == std::string::npos;
  bool is_same = is_there && is_open == options.Has("http-open") &&
                 said.find(host) != std::string::npos;
  return is_same ? said : "";
}

// Serves HTTP in the background. Returns the exit status once it listens.
int ServeHttpInBackground(const Options& options, const std::string& base) {
  if (std::string said = ServedAlready(options, base); !said.empty()) {
    PrintShown(stdout, said);
    return 0;
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Fail(ErrnoStatus("make", "a pipe"));
  UniqueFd read_end(ends[0]), write_end(ends[1]);
  pid_t child = fork();
  if (child < 0) return Fail(ErrnoStatus("start", "a process"));
  if (child == 0) {
    setsid();
    UniqueFd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    dup2(nothing.get(), STDIN_FILENO);
    dup2(write_end.get(), STDOUT_FILENO);
    dup2(write_end.get(), STDERR_FILENO);
    _exit(Fail(BecomeHttp(options, base)));
  }
  write_end.Reset();
  // The program reports, in one write, its address or why it does not listen.
  char buffer[4096];
  ssize_t n = ReadSome(read_end.get(), buffer, sizeof buffer);
  std::string_view said(buffer, n > 0 ? static_cast<size_t>(n) : 0);
  bool listens = said.starts_with("http://");
  PrintShown(listens ? stdout : stderr, said);
  return listens ? 0 : 1;
}

}  // namespace

int RunServe(const Options& options) {
  auto base = record::StateDir::Place();
  if (!base.ok()) return Fail(base.status());
  if (options.Has("stop")) {
    int status = StopServer(*base);
    TellUnreadable();
    return status;
  }
  if (options.Has("restart")) return RestartServer(*base);
  // Close inherited descriptors before anything is opened; otherwise they would
  // stay open.
  if (options.Has("background")) close_range(3, ~0U, 0);
  // The directory may have to be created first, safely.
  auto made = record::StateDir::Open();
  if (!made.ok()) return Fail(made.status());
  if (absl::Status status = CheckHttp(options); !status.ok()) {
    return Fail(status);
  }
  if (options.Has("http")) {
    if (!CheckSettings(options)) return 2;
    return options.Has("background") ? ServeHttpInBackground(options, *base)
                                     : Fail(BecomeHttp(options, *base));
  }
  if (options.Has("background")) return ServeInBackground(options, *base);
  return Serve(options, *base, UniqueFd());
}

}  // namespace glasstty
