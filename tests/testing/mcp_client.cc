#include "testing/mcp_client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace glasstty::testing {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::vector<char*> Pointers(std::vector<std::string>* strings) {
  std::vector<char*> pointers;
  for (std::string& text : *strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Removes repeated names; the last value wins, as in a shell.
std::vector<std::string> WithoutRepeats(std::vector<std::string> environment) {
  std::vector<std::string> kept;
  for (auto it = environment.rbegin(); it != environment.rend(); ++it) {
    std::string name = it->substr(0, it->find('=') + 1);
    bool known = std::any_of(kept.begin(), kept.end(), [&](const auto& other) {
      return other.rfind(name, 0) == 0;
    });
    if (!known) kept.push_back(*it);
  }
  return kept;
}

Reply ReadReply(const Json& message) {
  Reply reply;
  reply.message = message;
  if (const Json* error = FindMember(message, "error")) {
    reply.is_error = true;
    reply.text = "protocol error: " + DumpJson(*error);
  }
  const Json* result = FindMember(message, "result");
  if (result != nullptr) {
    const Json* is_error = FindMember(*result, "isError");
    reply.is_error = is_error != nullptr && AsBool(*is_error).value_or(false);
    if (const Json* meta = FindMember(*result, "_meta")) reply.meta = *meta;
    if (const Json* content = FindMember(*result, "content")) {
      for (const Json& block : *content) {
        const Json* text = FindMember(block, "text");
        if (text != nullptr) reply.text += AsString(*text).value_or("");
      }
    }
  }
  size_t end = reply.text.find('\n');
  reply.header = reply.text.substr(0, end);
  if (end != std::string::npos) reply.body = reply.text.substr(end + 1);
  return reply;
}

// Appends everything that can be read now; closes the descriptor at its end.
void Drain(UniqueFd* fd, std::string* to) {
  if (!fd->valid()) return;
  char buffer[65536];
  ssize_t n;
  while ((n = ReadSome(fd->get(), buffer, sizeof(buffer))) > 0) {
    to->append(buffer, n);
  }
  if (n == 0) fd->Reset();
}

// If GLASSTTY_TEST_ON is '["env"]', or another client in JSON, the programs
// that a test opens run there.
Json Elsewhere(const std::string& tool, Json arguments) {
  const char* on = std::getenv("GLASSTTY_TEST_ON");
  if (on == nullptr || FindMember(arguments, "on") != nullptr) return arguments;
  auto has = [&arguments](const char* name) {
    return FindMember(arguments, name) != nullptr;
  };
  bool is_default = !has("session") || arguments["session"] == "main";
  bool opens = tool == "term_open" ||
               (tool == "term_run" && (is_default || has("fresh")));
  if (!opens || !arguments.is_object()) return arguments;
  arguments["on"] = *ParseJson(on);
  // Behave as on this machine, where programs start in the server's directory.
  bool is_shell = tool == "term_run" && !has("fresh") && !has("argv");
  if (!has("cwd") && !is_shell) {
    arguments["cwd"] = std::filesystem::current_path().string();
  }
  bool names =
      tool == "term_run" && !has("session") && !has("fresh") && !has("argv");
  if (names) arguments["session"] = "main";
  return arguments;
}

}  // namespace

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  size_t start = 0;
  while (start < text.size()) {
    size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::vector<std::string> DefaultEnvironment(const std::string& home) {
  const char* path = std::getenv("PATH");
  return {
      std::string("PATH=") + (path != nullptr ? path : "/usr/bin:/bin"),
      "HOME=" + home,
      "SHELL=/bin/bash",
      "USER=agent",
      "LANG=C.UTF-8",
      "GLASSTTY_GRACE_S=20",
  };
}

McpClient::McpClient(ServerOptions options) {
  static int count = 0;
  state_dir_ =
      options.state_dir.empty() ? own_state_.path() : options.state_dir;
  mark_ = "glasstty-test-" + std::to_string(getpid()) + "-" +
          std::to_string(count++);
  // If its home lacks this, fish reads every man page in the background.
  std::filesystem::create_directories(
      home() + "/.local/share/fish/generated_completions");
  signal(SIGPIPE, SIG_IGN);  // a dead server shows as a failed write, and does
                             // not end us
  Spawn(options);
  if (!options.handshake) return;
  Request("initialize",
          {{"protocolVersion", "2025-06-18"},
           {"capabilities", Json::object()},
           {"clientInfo", {{"name", "glasstty-tests"}, {"version", "1"}}}});
  Notify("notifications/initialized", Json::object());
}

McpClient::~McpClient() {
  CloseStdin();
  if (!WaitForExit(Seconds(5))) {
    Signal(SIGKILL);
    WaitForExit(Seconds(5));
  }
  // Kill what a failed test left running; holders end by their grace time.
  for (const ProcessRow& row : ProcessesWith(mark_)) kill(row.pid, SIGKILL);
}

void McpClient::Spawn(const ServerOptions& options) {
  std::vector<std::string> argv = {options.binary.empty() ? ServerPath()
                                                          : options.binary};
  argv.insert(argv.end(), options.arguments.begin(), options.arguments.end());
  std::vector<std::string> environment = options.environment;
  if (!options.bare_environment) {
    if (environment.empty()) environment = DefaultEnvironment(home());
    environment.push_back("GLASSTTY_STATE_DIR=" + state_dir_);
    environment.push_back("GLASSTTY_TEST_MARK=" + mark_);
    // The sanitizer options of the test run apply to the server as well.
    for (const char* name :
         {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"}) {
      const char* value = std::getenv(name);
      if (value != nullptr) {
        environment.push_back(std::string(name) + "=" + value);
      }
    }
  }
  environment.insert(environment.end(), options.extra_environment.begin(),
                     options.extra_environment.end());
  environment = WithoutRepeats(std::move(environment));
  std::vector<char*> argument_pointers = Pointers(&argv);
  std::vector<char*> environment_pointers = Pointers(&environment);

  int in[2], out[2], err[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 ||
      pipe2(err, O_CLOEXEC) != 0) {
    std::abort();
  }
  pid_ = fork();
  if (pid_ == 0) {
    signal(SIGINT, options.ignore_sigint ? SIG_IGN : SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    dup2(in[0], 0);
    dup2(out[1], 1);
    dup2(err[1], 2);
    execve(argument_pointers[0], argument_pointers.data(),
           environment_pointers.data());
    _exit(127);
  }
  for (int fd : {in[0], out[1], err[1]}) close(fd);
  stdin_.Reset(in[1]);
  stdout_.Reset(out[0]);
  stderr_.Reset(err[0]);
  SetNonBlocking(stdout_.get());
  SetNonBlocking(stderr_.get());
}

bool McpClient::Pump(Seconds limit) {
  pollfd fds[2] = {{stdout_.get(), POLLIN, 0}, {stderr_.get(), POLLIN, 0}};
  int timeout = std::max(
      0,
      static_cast<int>(
          std::chrono::duration_cast<std::chrono::milliseconds>(limit).count() +
          1));
  poll(fds, 2, timeout);
  Drain(&stderr_, &stderr_text_);
  Drain(&stdout_, &pending_);
  TakeLines();
  return stdout_.valid();
}

void McpClient::TakeLines() {
  size_t start = 0;
  for (size_t end; (end = pending_.find('\n', start)) != std::string::npos;
       start = end + 1) {
    std::string line = pending_.substr(start, end - start);
    absl::StatusOr<Json> message = ParseJson(line);
    if (message.ok()) {
      inbox_.push_back(*std::move(message));
    } else {
      garbage_.push_back(line);
    }
  }
  pending_.erase(0, start);
}

std::optional<Json> McpClient::WaitForId(int id, Seconds limit) {
  auto end = SteadyClock::now() + limit;
  for (bool open = true;;) {
    for (auto it = inbox_.begin(); it != inbox_.end(); ++it) {
      const Json* found = FindMember(*it, "id");
      if (found == nullptr || AsInteger(*found) != id ||
          FindMember(*it, "method") != nullptr) {
        continue;
      }
      Json message = std::move(*it);
      inbox_.erase(it);
      return message;
    }
    auto now = SteadyClock::now();
    if (!open || now > end) return std::nullopt;
    open = Pump(end - now);
  }
}

std::optional<Json> McpClient::NextMessage(Seconds limit) {
  auto end = SteadyClock::now() + limit;
  for (bool open = true; inbox_.empty();) {
    auto now = SteadyClock::now();
    if (!open || now > end) return std::nullopt;
    open = Pump(end - now);
  }
  Json message = std::move(inbox_.front());
  inbox_.erase(inbox_.begin());
  return message;
}

bool McpClient::SendRaw(const std::string& bytes) {
  return stdin_.valid() && WriteAll(stdin_.get(), bytes);
}

int McpClient::SendCall(const std::string& tool, const Json& arguments) {
  int id = next_id_++;
  SendRaw(DumpJson(
              {{"jsonrpc", "2.0"},
               {"id", id},
               {"method", "tools/call"},
               {"params",
                {{"name", tool}, {"arguments", Elsewhere(tool, arguments)}}}}) +
          "\n");
  return id;
}

Reply McpClient::Await(int id, Seconds limit) {
  std::optional<Json> message = WaitForId(id, limit);
  if (message) return ReadReply(*message);
  Reply none;
  none.is_error = true;
  none.text = "no answer; server's stderr: " + stderr_text_;
  none.header = none.text;
  return none;
}

Reply McpClient::Call(const std::string& tool, const Json& arguments,
                      Seconds limit) {
  return Await(SendCall(tool, arguments), limit);
}

Json McpClient::Request(const std::string& method, const Json& params,
                        Seconds limit) {
  int id = next_id_++;
  SendRaw(DumpJson({{"jsonrpc", "2.0"},
                    {"id", id},
                    {"method", method},
                    {"params", params}}) +
          "\n");
  return WaitForId(id, limit).value_or(Json());
}

void McpClient::Notify(const std::string& method, const Json& params) {
  SendRaw(
      DumpJson({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}) +
      "\n");
}

void McpClient::Signal(int signal_number) {
  if (!exit_status_) kill(pid_, signal_number);
}

std::optional<int> McpClient::WaitForExit(Seconds limit) {
  Eventually(limit, [this] {
    if (exit_status_) return true;
    // A full pipe on stderr or stdout must not keep the server from ending.
    if (stdout_.valid() || stderr_.valid()) Pump(Seconds(0));
    int status;
    if (waitpid(pid_, &status, WNOHANG) == pid_) exit_status_ = status;
    return exit_status_.has_value();
  });
  return exit_status_;
}

}  // namespace glasstty::testing
