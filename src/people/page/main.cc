// `glasstty-view`: the page on which a person watches sessions and takes the
// keyboard.
//
//   glasstty-view [--port=N] [--read-only]   serves until it is stopped
//   glasstty-view --new-link   asks the running page for a link
//   glasstty-view --secret     serves one secret (secret_server.h)
//
// `glasstty view` starts it. It is a separate process, so that only it listens
// on a network interface, and a browser cannot disturb the server through it.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "absl/strings/ascii.h"
#include "base/fd.h"
#include "base/limits.h"
#include "http/server.h"
#include "page/secret_server.h"
#include "page/site.h"
#include "record/state_dir.h"
#include "support/status.h"
#include "wire/own_socket.h"

namespace glasstty::page {
namespace {

// The state directory contains a file that is locked by the process that serves
// the page, and the socket on which that process hands out links. A port cannot
// replace the socket, because once the page has ended, any user may listen on
// that port.
constexpr char kLockName[] = "view";
constexpr char kSocketName[] = "view.socket";
constexpr int kBacklog = 8;
constexpr timeval kPatience = {5, 0};

constexpr char kLinkBegin[] = "http://127.0.0.1:";
constexpr char kNoPage[] = "no page is running; start `glasstty view`";

int Fail(const std::string& why) {
  std::fprintf(stderr, "glasstty view: %s\n", why.c_str());
  return 1;
}

absl::StatusOr<UniqueFd> OpenPlace(bool make) {
  ASSIGN_OR_RETURN(record::StateDir dir, make ? record::StateDir::Open()
                                              : record::StateDir::OpenToLook());
  UniqueFd place(open(dir.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!place.valid()) return ErrnoStatus("open", dir.path());
  return place;
}

// Returns true if the reply is a link and nothing else, because it is printed
// on a terminal.
bool IsLink(std::string_view text) {
  return text.starts_with(kLinkBegin) && text.ends_with('\n') &&
         std::all_of(text.begin(), text.end() - 1, [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                  std::string_view(":/.#").find(c) != std::string_view::npos;
         });
}

absl::StatusOr<std::string> AskForLink(int place) {
  UniqueFd page = wire::ConnectAt(place, kSocketName, SOCK_STREAM);
  if (!page.valid() && (errno == ENOENT || errno == ECONNREFUSED)) {
    return NotFound("%s", kNoPage);
  }
  if (!page.valid()) return ErrnoStatus("connect to", kSocketName);
  setsockopt(page.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  std::string reply;
  char buffer[256];
  ssize_t got;
  while ((got = ReadSome(page.get(), buffer, sizeof buffer)) > 0 &&
         reply.size() < sizeof buffer) {
    reply.append(buffer, static_cast<size_t>(got));
  }
  if (!IsLink(reply))
    return Unavailable("the page that is running gave no link");
  return reply;
}

int PrintLink(int place) {
  auto link = AskForLink(place);
  if (!link.ok()) return Fail(Message(link.status()));
  std::fputs(link->c_str(), stdout);
  return 0;
}

// The process that has created an existing socket is dead, because this process
// has the lock.
UniqueFd ListenForRequests(int place) {
  unlinkat(place, kSocketName, 0);
  return wire::ListenAt(place, kSocketName, SOCK_STREAM, kBacklog);
}

int Serve(uint16_t port, SiteOptions options) {
  auto place = OpenPlace(true);
  if (!place.ok()) return Fail(Message(place.status()));
  UniqueFd lock(openat(place->get(), kLockName,
                       O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock.valid()) return Fail(Message(ErrnoStatus("open", kLockName)));
  // Another page is running, so print a link to it.
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    // Its links may let visitors type.
    if (options.read_only) {
      return Fail(
          "a page is running already; `glasstty view --new-link` prints a link "
          "to it, or end it to start one that is read-only");
    }
    return PrintLink(place->get());
  }
  MonotonicClock clock;
  Loop loop(&clock);
  Site site(&loop, options);
  auto server =
      http::Server::On(&loop, "", port,
                       [&site](std::unique_ptr<http::Exchange> exchange) {
                         site.Handle(std::move(exchange));
                       },
                       {.trusts = [&site](const http::Request& head) {
                         return site.IsAdmitted(head);
                       }});
  if (!server.ok()) return Fail(Message(server.status()));
  site.SetPort((*server)->port());
  UniqueFd socket = ListenForRequests(place->get());
  if (!socket.valid()) {
    return Fail(Message(ErrnoStatus("listen on", kSocketName)));
  }
  FdWatch requests(&loop, socket.get(), FdWatch::Direction::kRead,
                   Urgency::kProtocol, [&site, &socket] {
                     UniqueFd asker = wire::AcceptOwn(socket.get());
                     if (asker.valid()) {
                       WriteAll(asker.get(), site.NewLink() + "\n");
                     }
                   });
  requests.Enable(true);
  SurviveFailedWrites();
  RaiseDescriptorLimit();
  SignalWatch interrupt(&loop, SIGINT, [&loop] { loop.Stop(); });
  SignalWatch terminate(&loop, SIGTERM, [&loop] { loop.Stop(); });
  SignalWatch hangup(&loop, SIGHUP, [&loop] { loop.Stop(); });
  std::printf("%s\n", site.NewLink().c_str());
  std::fflush(stdout);
  if (isatty(STDERR_FILENO) != 0) {
    std::fputs(
        "Open this link in a browser; it works once. Ctrl-C ends the "
        "page; the sessions keep running.\n",
        stderr);
  }
  loop.Run();
  unlinkat(place->get(), kSocketName, 0);
  return 0;
}

// `glasstty view` checks the arguments first, so errors are reported only
// briefly.
int Main(int argc, char** argv) {
  unsigned port = 0;
  SiteOptions options;
  for (int i = 1; i < argc; ++i) {
    std::string_view flag = argv[i];
    if (flag == "--read-only") {
      options.read_only = true;
    } else if (flag == "--secret") {
      return ServeSecret();
    } else if (flag == "--new-link") {
      auto place = OpenPlace(false);
      if (!place.ok()) return Fail(kNoPage);
      return PrintLink(place->get());
    } else if (flag.starts_with("--port=")) {
      flag.remove_prefix(std::strlen("--port="));
      auto [end, error] =
          std::from_chars(flag.data(), flag.data() + flag.size(), port);
      if (error != std::errc() || end != flag.data() + flag.size() ||
          port > 65535) {
        Fail("--port: give a number from 0 to 65535");
        return 2;
      }
    } else {
      Fail("unknown option " + std::string(flag));
      return 2;
    }
  }
  return Serve(static_cast<uint16_t>(port), options);
}

}  // namespace
}  // namespace glasstty::page

int main(int argc, char** argv) { return glasstty::page::Main(argc, argv); }
