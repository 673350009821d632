// `glasstty-view`: the page on which a person watches sessions and takes over.
//
//   glasstty-view [--port=N] [--read-only]    serves until it is stopped
//   glasstty-view --new-link                  asks the running one for a link
//
// `glasstty view` starts it. A process of its own, because it listens on the
// network interface of this machine and the server does not, and because
// whatever a browser does to it is nothing to a session.
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "base/fd.h"
#include "http/server.h"
#include "page/site.h"
#include "record/state_dir.h"
#include "support/status.h"

namespace glasstty::page {
namespace {

// In the state directory, for its owner alone: "PORT SECRET", locked by the
// process that serves there.
constexpr char kPlaceName[] = "view";

int Fail(const std::string& why) {
  std::fprintf(stderr, "glasstty view: %s\n", why.c_str());
  return 1;
}

absl::StatusOr<UniqueFd> OpenPlace(bool make) {
  ASSIGN_OR_RETURN(record::StateDir dir, make ? record::StateDir::Open()
                                              : record::StateDir::OpenToLook());
  std::string path = dir.path() + "/" + kPlaceName;
  int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (make ? O_CREAT : 0);
  UniqueFd file(open(path.c_str(), flags, 0600));
  if (!file.valid()) return ErrnoStatus("open", path);
  return file;
}

// Asks the process that has the place. One request, one answer, no library.
absl::StatusOr<std::string> AskForLink(int place) {
  char text[128] = {};
  if (pread(place, text, sizeof(text) - 1, 0) <= 0) {
    return NotFound("no page is running; start `glasstty view`");
  }
  unsigned port = 0;
  char secret[64] = {};
  if (std::sscanf(text, "%u %63s", &port, secret) != 2) {
    return NotFound("no page is running; start `glasstty view`");
  }
  UniqueFd server(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(server.get(), reinterpret_cast<sockaddr*>(&address),
              sizeof(address)) != 0) {
    return ErrnoStatus("connect", "the page's server");
  }
  std::string request = absl::StrFormat(
      "POST /api/link HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n"
      "X-Glasstty-Owner: %s\r\nContent-Length: 0\r\n\r\n",
      port, secret);
  if (!WriteAll(server.get(), request)) {
    return ErrnoStatus("write", "the page's server");
  }
  std::string reply;
  char buffer[4096];
  ssize_t got;
  while ((got = read(server.get(), buffer, sizeof(buffer))) > 0) {
    reply.append(buffer, static_cast<size_t>(got));
  }
  size_t link = reply.find("\r\n\r\nhttp://");
  if (link == std::string::npos)
    return Internal("the page's server gave no link");
  return reply.substr(link + 4);
}

int PrintLink(int place) {
  auto link = AskForLink(place);
  if (!link.ok()) return Fail(Message(link.status()));
  std::fputs(link->c_str(), stdout);
  return 0;
}

int Serve(uint16_t port, SiteOptions options) {
  auto place = OpenPlace(true);
  if (!place.ok()) return Fail(Message(place.status()));
  // Another one is running: a second person, or the same in another window.
  if (flock(place->get(), LOCK_EX | LOCK_NB) != 0) {
    return PrintLink(place->get());
  }
  MonotonicClock clock;
  Loop loop(&clock);
  Site site(&loop, options);
  auto server = http::Server::On(
      &loop, "", port, [&site](std::unique_ptr<http::Exchange> exchange) {
        site.Handle(std::move(exchange));
      });
  if (!server.ok()) return Fail(Message(server.status()));
  site.SetPort((*server)->port());
  std::string known =
      absl::StrFormat("%d %s\n", (*server)->port(), site.owner_secret());
  if (ftruncate(place->get(), 0) != 0 || !WriteAll(place->get(), known)) {
    return Fail(Message(ErrnoStatus("write", kPlaceName)));
  }
  signal(SIGPIPE, SIG_IGN);
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
  if (ftruncate(place->get(), 0) != 0) return 1;
  return 0;
}

// Wrongly called only by somebody who does not go through `glasstty view`.
int Main(int argc, char** argv) {
  unsigned port = 0;
  SiteOptions options;
  for (int i = 1; i < argc; ++i) {
    std::string_view flag = argv[i];
    if (flag == "--read-only") {
      options.read_only = true;
    } else if (flag == "--new-link") {
      auto place = OpenPlace(false);
      if (!place.ok()) return Fail("no page is running; start `glasstty view`");
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
