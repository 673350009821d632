// `glasstty-http`: provides MCP over HTTP for the shared server of this user.
//
//   glasstty-http BASE GLASSTTY PORT [ADDRESS] [--open]
//
// `glasstty serve --http` starts it. It is a separate process, so that the
// server does not listen on the network. If a request finds no server, this
// process starts one. It prints its URL when it listens.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "base/limits.h"
#include "bridge/endpoint.h"
#include "http/guard.h"
#include "http/server.h"
#include "support/signals.h"
#include "support/status.h"
#include "wire/shared_server.h"

namespace glasstty::bridge {
namespace {

struct Arguments {
  std::string base;
  std::string glasstty;
  uint16_t port = 0;
  std::string address;
  bool open = false;
};

int Fail(const std::string& why) {
  std::fprintf(stderr, "glasstty serve --http: %s\n", why.c_str());
  return 1;
}

// Returns the token of this user, and creates it if there is none. Fails if the
// file cannot be read or written, or if other users have access to it.
absl::StatusOr<std::string> Token(int directory, const std::string& path) {
  UniqueFd file(
      openat(directory, wire::kHttpToken, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid() && errno == ENOENT) {
    std::string token = http::NewSecret() + http::NewSecret();
    if (!ReplaceFileAt(directory, wire::kHttpToken, token + "\n")) {
      return ErrnoStatus("write", path);
    }
    return token;
  }
  struct stat status;
  if (!file.valid() || fstat(file.get(), &status) != 0) {
    return ErrnoStatus("open", path);
  }
  if ((status.st_mode & 077) != 0 || status.st_uid != geteuid()) {
    return FailedPrecondition(
        "others may read %s; remove it to get a new token", path);
  }
  std::string token;
  if (!ReadFileAt(directory, wire::kHttpToken, 4096, &token)) {
    return ErrnoStatus("read", path);
  }
  token = token.substr(0, token.find_first_of("\r\n"));
  if (token.size() < 32) {
    return FailedPrecondition("%s holds no token; remove it to get a new one",
                              path);
  }
  return token;
}

// Takes the lock of the state directory. Returns an invalid descriptor if
// another process holds it.
UniqueFd OpenLock(int directory) {
  UniqueFd lock(openat(directory, wire::kHttpLock,
                       O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (lock.valid() && !TakeLock(lock.get())) lock.Reset();
  return lock;
}

// Reads the setting http-away-min, which `glasstty serve` has checked.
Duration Silence() {
  constexpr double kDefaultMinutes = 30;
  const char* value = std::getenv("GLASSTTY_HTTP_AWAY_MIN");
  double minutes = value == nullptr ? kDefaultMinutes : std::atof(value);
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double, std::ratio<60>>(minutes));
}

int Serve(const Arguments& arguments) {
  UniqueFd directory = wire::OpenServeDirectory(arguments.base, true);
  if (!directory.valid()) {
    return Fail(Message(ErrnoStatus("open", arguments.base + "/serve")));
  }
  UniqueFd lock = OpenLock(directory.get());
  if (!lock.valid()) {
    return Fail(wire::HttpServedText(arguments.base));
  }
  std::string token_path = arguments.base + "/serve/" + wire::kHttpToken;
  EndpointOptions options = {.address = arguments.address};
  if (!arguments.open) {
    auto token = Token(directory.get(), token_path);
    if (!token.ok()) return Fail(Message(token.status()));
    options.token = *token;
  }
  const char* home = std::getenv("HOME");
  options.directory = home == nullptr ? "/" : home;
  options.silence = Silence();
  MonotonicClock clock;
  Loop loop(&clock);
  Endpoint endpoint(&loop, options, [&arguments](bool starts) {
    UniqueFd server = wire::ConnectServer(arguments.base);
    if (!server.valid() && starts && wire::StartServer(arguments.glasstty)) {
      server = wire::ConnectServer(arguments.base);
    }
    return server;
  });
  auto server =
      http::Server::On(&loop, arguments.address, arguments.port,
                       [&endpoint](std::unique_ptr<http::Exchange> exchange) {
                         endpoint.Handle(std::move(exchange));
                       },
                       {.max_body = Endpoint::kMaxBody,
                        .trusts = [&endpoint](const http::Request& head) {
                          return endpoint.MayAsk(head);
                        }});
  if (!server.ok()) return Fail(Message(server.status()));
  endpoint.SetPort((*server)->port());
  SurviveFailedWrites();
  SignalWatch interrupt(&loop, SIGINT, [&loop] { loop.Stop(); });
  SignalWatch terminate(&loop, SIGTERM, [&loop] { loop.Stop(); });
  SignalWatch hangup(&loop, SIGHUP, [&loop] { loop.Stop(); });
  std::string host =
      http::InUrl(arguments.address.empty() || arguments.address == "localhost"
                      ? "127.0.0.1"
                      : arguments.address);
  std::string says =
      absl::StrFormat("http://%s:%d/mcp\n", host, (*server)->port());
  if (!options.token.empty()) {
    says += "Authorization: Bearer, and the token in " + token_path + "\n";
  }
  // A second `glasstty serve --http` shows this text. A failure only makes its
  // message less complete.
  (void)ReplaceFileAt(directory.get(), wire::kHttpAddress, says);
  std::fputs(says.c_str(), stdout);
  std::fflush(stdout);
  loop.Run();
  endpoint.Close();
  return 0;
}

bool Parse(int argc, char** argv, Arguments* arguments) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.back() == "--open") {
    arguments->open = true;
    words.pop_back();
  }
  if (words.size() < 3 || words.size() > 4) return false;
  arguments->base = words[0];
  arguments->glasstty = words[1];
  const std::string& port = words[2];
  const char* end = port.data() + port.size();
  auto parsed = std::from_chars(port.data(), end, arguments->port);
  if (words.size() == 4) arguments->address = words[3];
  return parsed.ptr == end && parsed.ec == std::errc();
}

}  // namespace
}  // namespace glasstty::bridge

int main(int argc, char** argv) {
  glasstty::bridge::Arguments arguments;
  if (!glasstty::bridge::Parse(argc, argv, &arguments)) {
    std::fprintf(stderr,
                 "glasstty-http is started by `glasstty serve --http`\n");
    return 2;
  }
  glasstty::RaiseDescriptorLimit();
  return glasstty::bridge::Serve(arguments);
}
