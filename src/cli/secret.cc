// `glasstty secret`: types a secret for a person, into a program that asks for
// one.
//
// It is used by programs that have asked the person themselves, such as an
// editor or a password store. The secret comes from stdin and goes to the
// session's holder, which types it only while the terminal hides it; no server
// sees it.
#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/limits.h"
#include "cli/attaching.h"
#include "cli/command.h"
#include "cli/options.h"
#include "record/recording.h"
#include "support/loop.h"
#include "support/status.h"
#include "watch/watched.h"

namespace glasstty {
namespace {

constexpr Duration kPatience = std::chrono::seconds(10);

// A line and the Enter that ends it. The memory is wiped at the end.
class Secret {
 public:
  // Growing the string would leave copies of the secret in memory.
  Secret() { line_.reserve(wire::kMaxPayload); }
  ~Secret() { explicit_bzero(line_.data(), line_.size()); }
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;

  // Error: stdin cannot be read, has nothing, or has a line that is too long.
  absl::Status ReadFromStdin() {
    for (;;) {
      char c = 0;
      ssize_t n = read(STDIN_FILENO, &c, 1);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return ErrnoStatus("read", "the secret from stdin");
      if (n == 0 && line_.empty()) {
        return FailedPrecondition("stdin is empty; give the secret there");
      }
      if (n == 0 || c == '\n') break;
      if (line_.size() == wire::kMaxPayload - 1) {
        return InvalidArgument("the secret is longer than %d bytes",
                               wire::kMaxPayload - 1);
      }
      line_ += c;
    }
    if (line_.ends_with('\r')) line_.pop_back();
    line_ += '\r';
    return absl::OkStatus();
  }

  const std::string& line() const { return line_; }

 private:
  std::string line_;
};

// Says why a session did not take the secret.
std::string WhyNot(const watch::Watched& session) {
  if (session.exited()) return "the program has ended";
  if (session.held() && !session.mine()) {
    const char* label = session.lease().label;
    return std::string(label, strnlen(label, wire::kMaxLabel)) +
           " has the keyboard";
  }
  if (!session.refused().empty()) return session.refused();
  return session.can_type() ? "the session does not answer"
                            : "nothing can be typed into this session";
}

// Takes the keyboard to type one line. Error: the line was not typed.
absl::Status Type(record::RecordedSession session, const Secret& secret) {
  std::string name = session.origin.name;
  MonotonicClock clock;
  Loop loop(&clock);
  SurviveFailedWrites();
  ASSIGN_OR_RETURN(auto watched, watch::Watched::OpenFacts(
                                     &loop, std::move(session), "secret"));
  bool is_sent = false, had_keyboard = false, is_typed = false;
  watched->OnChange([&] {
    if (watched->can_type() && !is_sent) {
      is_sent = true;
      watched->Take(wire::kTakeOnce);
      watched->TypeSecret(secret.line());
    }
    // A refusal is reported before the keyboard is given back.
    bool is_refused = !watched->refused().empty() || watched->exited();
    is_typed = had_keyboard && !watched->mine() && !is_refused;
    had_keyboard = watched->mine();
    if (is_typed || is_refused) loop.Stop();
  });
  Timer patience(&loop, [&loop] { loop.Stop(); });
  patience.SetAfter(kPatience);
  if (!watched->exited()) loop.Run();
  if (is_typed) return absl::OkStatus();
  return FailedPrecondition("%s: the secret was not typed: %s", name,
                            WhyNot(*watched));
}

absl::Status RunSecretWith(const Options& options) {
  if (options.operands.size() != 1) {
    return InvalidArgument("give one session (glasstty ls lists them)");
  }
  if (isatty(STDIN_FILENO) != 0) {
    return InvalidArgument(
        "stdin is a terminal, which would show the secret; in `glasstty attach "
        "%s`, C-\\ k types one unseen",
        options.operands[0]);
  }
  RETURN_IF_ERROR(CheckOutsideSessions());
  ASSIGN_OR_RETURN(record::RecordedSession session,
                   record::FindRecorded(options.operands[0]));
  Secret secret;
  RETURN_IF_ERROR(secret.ReadFromStdin());
  return Type(std::move(session), secret);
}

}  // namespace

int RunSecret(const Options& options) {
  return Report(*FindCommand("secret"), RunSecretWith(options));
}

}  // namespace glasstty
