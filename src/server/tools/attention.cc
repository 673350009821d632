#include "tools/attention.h"

#include <functional>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "support/text.h"
#include "tools/session_words.h"
#include "waits/asked.h"
#include "waits/question.h"

namespace glasstty {

using session::Activity;

namespace {

// The maximum length of a quoted command line, in code points.
constexpr size_t kMostEndedCommand = 80;

Activity ActivityNow(const session::Session& session) {
  return session.finished() ? Activity::kExited
                            : session.verdict().LastState().activity;
}

// Returns the last command of the session's own shell, or null.
const record::CommandBlock* LastOwnCommand(const session::Session& session) {
  const record::CommandBlock* last = session.events().commands().Find(-1);
  bool is_known = last != nullptr && last->trusted && last->finished;
  return is_known ? last : nullptr;
}

// Returns nullopt if the program does not ask.
std::optional<std::string> OpenQuestion(const session::Session& session) {
  auto asked = waits::FindAsked(session.output().terminal(),
                                session.verdict().LastState().program,
                                session.verdict().DrawsScreens());
  if (!asked) return std::nullopt;
  return std::move(asked->text);
}

// Returns ToldState::News::key. If the program draws screens, the log's offset
// cannot be the key: a ticking clock would look like a new question.
uint64_t KeyOfInput(const session::Session& session) {
  if (!session.verdict().DrawsScreens()) {
    return session.output().feed().consumed();
  }
  return std::hash<std::string>()(OpenQuestion(session).value_or(""));
}

std::string EndText(const session::Session& session) {
  const record::CommandBlock* last = LastOwnCommand(session);
  if (last == nullptr) return "is back at its prompt";
  std::string text = "has ended";
  if (last->exit_status) {
    text += absl::StrFormat(", exit=%d", *last->exit_status);
  }
  std::string command =
      last->text.empty() ? "" : Quoted(last->text, kMostEndedCommand) + " ";
  return "is at its prompt: the command " + command + text;
}

std::string SecretText(const session::Session& session) {
  return "asks for a secret: " +
         Quoted(waits::TrimFrame(session.output().TextBeforeCursor()));
}

}  // namespace

ToldState::News NewsOf(const session::Session& session) {
  ToldState::News news{ActivityNow(session), 0};
  switch (news.activity) {
    case Activity::kInput:
    case Activity::kSecret:
      news.key = KeyOfInput(session);
      break;
    case Activity::kPrompt:
      news.key = static_cast<uint64_t>(session.events().commands().started());
      break;
    case Activity::kBusy:
    case Activity::kExited:
      break;
  }
  return news;
}

Attention AttentionTo(const session::Session& session) {
  Attention attention{.news = NewsOf(session)};
  switch (attention.news.activity) {
    case Activity::kBusy:
      break;
    case Activity::kInput:
      attention.asks = OpenQuestion(session).has_value();
      break;
    case Activity::kSecret:
      attention.asks = true;
      break;
    case Activity::kPrompt: {
      const record::CommandBlock* last = LastOwnCommand(session);
      attention.failed = last != nullptr && last->exit_status.value_or(0) != 0;
      break;
    }
    case Activity::kExited:
      attention.was_closed = session.life().close_asked();
      attention.failed =
          !attention.was_closed &&
          (!session.verdict().exited() || session.life().exit_status() != 0);
      break;
  }
  return attention;
}

std::optional<lookout::Surroundings::Question> QuestionOf(
    const session::Session& session) {
  ToldState::News news = NewsOf(session);
  if (news.activity == Activity::kSecret) {
    std::string asked(waits::TrimFrame(session.output().TextBeforeCursor()));
    return {{news.key, "asks for a secret: " + Quoted(asked)}};
  }
  if (news.activity != Activity::kInput) return std::nullopt;
  auto question = OpenQuestion(session);
  if (question) return {{news.key, Quoted(*question)}};
  if (session.verdict().DrawsScreens()) return std::nullopt;
  return {{news.key, "waits for input"}};
}

std::string AdviceAbout(const session::Session& session) {
  if (ActivityNow(session) != Activity::kSecret) return "";
  return absl::StrFormat(
      "term_send input=[{\"secret_env\": ...}] types the secret, or the user "
      "does: glasstty attach %s",
      QuotedUnlessPlain(session.name()));
}

std::string AttentionText(const session::Session& session) {
  switch (ActivityNow(session)) {
    case Activity::kBusy:
      return "is busy";
    case Activity::kInput: {
      auto question = OpenQuestion(session);
      return question ? "asks: " + Quoted(*question) : "waits for input";
    }
    case Activity::kSecret:
      return SecretText(session);
    case Activity::kPrompt:
      return EndText(session);
    case Activity::kExited:
      return "has ended: " + StateWord(session);
  }
  return "";
}

}  // namespace glasstty
