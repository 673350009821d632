// `glasstty serve`: one server for all clients of this user, on a unix socket.
//
// Who is started in the background (by `glasstty call`, `glasstty mcp --shared`
// or a relay) ends by itself when it has had neither a client nor a session for
// a while.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/serving.h"
#include "record/state_dir.h"
#include "serve/guests.h"
#include "serve/listener.h"
#include "support/log.h"
#include "support/status.h"
#include "wire/programs.h"
#include "wire/shared_server.h"

namespace glasstty {
namespace {

// Without a client and without a session.
constexpr Duration kLinger = std::chrono::minutes(10);
constexpr Duration kLingerLook = std::chrono::seconds(20);
// A server ends within a second; a machine may be busy.
constexpr int kStopPatienceMs = 5000;
constexpr int kStopLookMs = 5;

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

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "glasstty serve: %s\n", Message(status).c_str());
  return 1;
}

int StopServer(const std::string& base) {
  // First who would start another server.
  pid_t http = wire::ServerPid(base, wire::kHttpLock);
  if (http > 0) kill(http, SIGTERM);
  pid_t pid = wire::ServerPid(base);
  if (pid == 0 && http > 0) return 0;
  if (pid == 0) {
    std::fprintf(stderr, "glasstty serve: no shared server is running\n");
    return 1;
  }
  if (kill(pid, SIGTERM) != 0) {
    return Fail(ErrnoStatus("signal", std::to_string(pid)));
  }
  for (int ms = 0; ms < kStopPatienceMs; ms += kStopLookMs) {
    if (wire::ServerPid(base) != pid) return 0;
    poll(nullptr, 0, kStopLookMs);
  }
  return Fail(Unavailable("process %d has not ended in %d s", pid,
                          kStopPatienceMs / 1000));
}

// The parent's part: the child says by a byte that it listens, and by the end
// of the pipe that it does not. The exit status.
int AwaitChild(int ready) {
  char byte;
  return ReadSome(ready, &byte, 1) == 1 ? 0 : 1;
}

// The child's part: nothing of its parent's terminal or pipes is left.
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
  // It would keep a file system busy.
  if (chdir("/") != 0) Warn("cannot leave the working directory");
}

// Serves until the end. `ready` is told when it listens; invalid: nobody waits
// for that.
int Serve(const Options& options, const std::string& base, UniqueFd ready) {
  auto settings = PrepareToServe(options);
  if (!settings) return 2;
  auto listener = serve::Listener::Open(base);
  if (!listener.ok()) return Fail(listener.status());
  Serving serving(*settings);
  serve::Guests guests(serving.loop(), serving.server(), *std::move(listener));
  serving.SetFront([&guests] { guests.Close(); },
                   [&guests] { return guests.drained(); });
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
    // Another one that was started at the same moment is as good.
    for (int ms = 0; ms < kStopPatienceMs && wire::ServerPid(base) > 0;
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

// What is wrong with the flags of HTTP.
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

// Its place is taken by the program that serves HTTP (src/bridge/main.cc).
// Returns only when that could not be started.
absl::Status BecomeHttp(const Options& options, const std::string& base) {
  std::string own = wire::OwnExecutable();
  if (wire::ServerPid(base) == 0 && !wire::StartServer(own)) {
    return Unavailable("the server did not start; see %s/serve/log", base);
  }
  std::vector<std::string> words = {wire::kHttpProgram.name, base, own,
                                    options.Get("http")};
  if (options.Has("http-address")) {
    words.push_back(options.Get("http-address"));
  }
  if (options.Has("http-open")) words.push_back("--open");
  std::vector<char*> argv;
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

// The same behind the caller's back. -> the exit status, once it listens
int ServeHttpInBackground(const Options& options, const std::string& base) {
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
  // It says in one write where it listens, or why it does not.
  char buffer[4096];
  ssize_t n = ReadSome(read_end.get(), buffer, sizeof buffer);
  std::string_view said(buffer, n > 0 ? static_cast<size_t>(n) : 0);
  bool listens = said.starts_with("http://");
  WriteAll(listens ? STDOUT_FILENO : STDERR_FILENO, said);
  return listens ? 0 : 1;
}

}  // namespace

int RunServe(const Options& options) {
  auto base = record::StateDir::Place();
  if (!base.ok()) return Fail(base.status());
  if (options.Has("stop")) return StopServer(*base);
  // Before anything is open: what its parent has left open would stay so.
  if (options.Has("background")) close_range(3, ~0U, 0);
  // The directory may have to be made first, with its own care.
  auto made = record::StateDir::Open();
  if (!made.ok()) return Fail(made.status());
  if (absl::Status status = CheckHttp(options); !status.ok()) {
    return Fail(status);
  }
  if (options.Has("http")) {
    return options.Has("background") ? ServeHttpInBackground(options, *base)
                                     : Fail(BecomeHttp(options, *base));
  }
  if (options.Has("background")) return ServeInBackground(options, *base);
  return Serve(options, *base, UniqueFd());
}

}  // namespace glasstty
