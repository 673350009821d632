// Unless stopped, the server keeps its port until the link expires, even if
// nothing can be typed any more: a person who opens the link late must not
// reach another user's server.
#include "page/secret_server.h"

#include <signal.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/limits.h"
#include "http/server.h"
#include "page/secret_site.h"
#include "record/recording.h"
#include "session/secret_page.h"
#include "support/log.h"
#include "support/status.h"

namespace glasstty::page {
namespace {

using session::SecretPage;

void Tell(SecretPage::Life life) {
  WriteAll(STDOUT_FILENO, std::string(SecretPage::WordOf(life)) + "\n");
}

absl::Status Serve() {
  MonotonicClock clock;
  Loop loop(&clock);
  ASSIGN_OR_RETURN(record::RecordedSession session,
                   record::FindRecorded(absl::StrFormat(
                       "/dev/fd/%d", SecretPage::kDirectoryFd)));
  SecretSite* told = nullptr;
  ASSIGN_OR_RETURN(std::unique_ptr<SecretPrompt> prompt,
                   SecretPrompt::Open(&loop, std::move(session), [&told] {
                     if (told == nullptr) return;
                     SecretGrant::Life before = told->grant().life();
                     told->HearPrompt();
                     SecretGrant::Life life = told->grant().life();
                     if (life == before) return;
                     Tell(life == SecretGrant::Life::kTyped
                              ? SecretPage::Life::kTyped
                              : SecretPage::Life::kLeft);
                   }));
  SecretSite site(&loop, prompt.get());
  told = &site;
  ASSIGN_OR_RETURN(
      std::unique_ptr<http::Server> server,
      http::Server::On(&loop, "", 0,
                       [&site](std::unique_ptr<http::Exchange> exchange) {
                         site.Handle(std::move(exchange));
                       }));
  site.SetPort(server->port());
  SurviveFailedWrites();
  SignalWatch terminate(&loop, SIGTERM, [&loop] { loop.Stop(); });
  // The process that has started this one no longer needs the secret or has
  // ended.
  FdWatch starter(&loop, STDIN_FILENO, FdWatch::Direction::kRead,
                  Urgency::kProtocol, [&loop] { loop.Stop(); });
  starter.Enable(true);
  Timer expiry(&loop, [&loop] {
    Tell(SecretPage::Life::kExpired);
    loop.Stop();
  });
  expiry.Set(site.grant().expires());
  WriteAll(STDOUT_FILENO, site.Link() + "\n");
  loop.Run();
  return absl::OkStatus();
}

}  // namespace

int ServeSecret() {
  absl::Status status = Serve();
  if (status.ok()) return 0;
  Warn("the page for a secret: %s", Message(status));
  return 1;
}

}  // namespace glasstty::page
