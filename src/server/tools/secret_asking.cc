#include "tools/secret_asking.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "base/visible.h"
#include "support/status.h"
#include "tools/workbench.h"
#include "waits/question.h"

namespace glasstty {

using mcp::LinkAnswer;
using session::Activity;
using session::SecretPage;
using session::SessionRef;

namespace {

constexpr char kKey[] = "secret";
// The time limit for the start of the page's process, which also connects to
// the session's holder.
constexpr Duration kPagePatience = std::chrono::seconds(5);
// A page ends by itself after this time (page/secret_grant.h).
constexpr Duration kPageTime = std::chrono::minutes(10);

// An outcome of a question that has not led to a secret.
struct EndRow {
  std::string_view word;  // Reason::word of the reply
  const char* note;
  bool is_open;  // the program still asks, so the reply says what to do
};
constexpr EndRow kEnds[] = {
    {"declined", "the user declined to type the secret", true},
    {"dismissed",
     "the question was closed without an answer, as by a client without a user",
     true},
    {"expired", "nobody typed the secret within ten minutes", true},
    {"ended", "the page for the secret has ended", true},
    {"left", "the program no longer asks for the secret; nobody typed it",
     false},
};

const EndRow* FindEnd(std::string_view word) {
  for (const EndRow& row : kEnds) {
    if (row.word == word) return &row;
  }
  return nullptr;
}

bool IsSet(const record::Inheritance* inherited, const char* name) {
  if (inherited == nullptr) return std::getenv(name) != nullptr;
  std::string prefix = absl::StrFormat("%s=", name);
  return std::any_of(inherited->environment.begin(),
                     inherited->environment.end(),
                     [&prefix](const std::string& variable) {
                       return variable.starts_with(prefix);
                     });
}

// A client that was started over ssh runs on a machine where its user has no
// browser, unless one is forwarded or named.
bool MayHaveBrowser(const record::Inheritance* inherited) {
  if (!IsSet(inherited, "SSH_CONNECTION")) return true;
  constexpr std::array kSigns = {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"};
  return std::any_of(
      kSigns.begin(), kSigns.end(),
      [inherited](const char* name) { return IsSet(inherited, name); });
}

// Returns whether a person has taken the keyboard and left it again since
// `turns`, an earlier value of Visits::turns.
bool WasVisited(const session::Session& session, uint64_t turns) {
  const session::Person& person = session.person();
  return person.visits().turns != turns && !person.here();
}

}  // namespace

// ---- the pages

bool SecretPages::Open(const SessionRef& session) {
  const std::string& id = session->origin().id;
  Asked& asked = by_session_[id];
  asked = Asked();
  if (!HasRoom()) return false;
  auto directory = session->OpenDirectory();
  std::weak_ptr<session::Session> weak = session;
  auto page = SecretPage::Start(loop_, directory->get(), [this, id, weak] {
    if (SessionRef alive = weak.lock()) Hear(id, alive.get());
  });
  if (!page.ok()) return false;
  asked.page = *std::move(page);
  asked.id = absl::StrFormat("secret-%d", ++last_id_);
  asked.turns = session->person().visits().turns;
  return true;
}

// If there are kMost pages, removes those that are over, which only show how
// their question ended.
bool SecretPages::HasRoom() {
  size_t open = 0, over = 0;
  for (const auto& [id, asked] : by_session_) {
    if (asked.page != nullptr) ++(asked.page->is_over() ? over : open);
  }
  if (open + over < kMost) return true;
  for (auto& [id, asked] : by_session_) {
    if (asked.page != nullptr && asked.page->is_over()) asked.page.reset();
  }
  return open < kMost;
}

// Makes all waiting calls examine the session again, so that they notice
// changes of its page.
void SecretPages::Hear(const std::string& id, session::Session* session) {
  auto found = by_session_.find(id);
  if (found == by_session_.end()) return;
  Asked& asked = found->second;
  if (asked.page->is_over() && asked.complete) {
    std::exchange(asked.complete, nullptr)();
  }
  session->LookAgain();
}

// ---- one question

SecretAsking::SecretAsking(Workbench* bench, mcp::ToolCall* call,
                           SessionRef session)
    : bench_(bench),
      call_(call),
      session_(std::move(session)),
      question_(call, kKey, [this] { session_->LookAgain(); }) {}

SecretAsking::~SecretAsking() { Leave(); }

void SecretAsking::Join() {
  joined_ = asked().id;
  ++asked().questions;
}

// The page may have been replaced or forgotten since this call has joined.
void SecretAsking::Leave() {
  std::string joined = std::exchange(joined_, "");
  if (joined.empty() || joined != asked().id) return;
  SecretPages::Asked& asked = this->asked();
  bool is_last = --asked.questions == 0;
  LinkAnswer answer = question_.answer();
  bool is_refused =
      answer == LinkAnswer::kDeclined || answer == LinkAnswer::kDismissed;
  bool is_withdrawn = answer == LinkAnswer::kNone && !asked.is_opened &&
                      asked.page != nullptr && !asked.page->is_over();
  if (is_refused) {
    asked.unwanted_at = session_->output().feed().consumed();
  }
  if (is_last && (is_refused || is_withdrawn)) asked.page.reset();
}

SecretPages::Asked& SecretAsking::asked() const {
  return bench_->secret_pages()->Of(*session_);
}

bool SecretAsking::IsWanted() const {
  if (session_->verdict().LastState().activity != Activity::kSecret) {
    return false;
  }
  if (session_->person().here() || !mcp::CanOpenLinks(*call_)) return false;
  if (asked().unwanted_at == session_->output().feed().consumed()) return false;
  return MayHaveBrowser(bench_->clients()->InheritanceOf(*call_).get());
}

mcp::Link SecretAsking::MakeLink(const std::string& ask) const {
  std::string program = session_->verdict().LastState().program;
  std::string place = session_->origin().place;
  mcp::Link link;
  link.key = kKey;
  link.message = absl::StrFormat(
      "The program%s asks for a secret in the terminal session %s%s: %s. The "
      "link opens a page of this machine on which you can type it for the "
      "program; no model sees it. The agent says: %s",
      program.empty() ? "" : " " + QuotedUnlessPlain(program),
      QuotedUnlessPlain(session_->name()),
      place.empty() ? "" : " on " + QuotedUnlessPlain(place),
      Quoted(waits::TrimFrame(session_->output().TextBeforeCursor())),
      Quoted(ask));
  link.url = asked().page->link();
  link.id = asked().id;
  return link;
}

Task<bool> SecretAsking::Begin(std::string ask) {
  // If there is an answer, the client has repeated the call with it. The
  // program may have read the secret by now, so its state is not checked.
  bool is_answered = question_.answer() != LinkAnswer::kNone;
  if (is_answered) {
    asked().is_opened = question_.answer() == LinkAnswer::kOpened;
    Join();
    co_return is_asked_ = true;
  }
  co_await bench_->AwaitStates(call_, std::vector<SessionRef>(1, session_));
  // If a person has used the page and no reply has reported it to the agent
  // yet, there is nothing to ask.
  uint64_t told = bench_->ToldOf(*call_, *session_).visits.turns;
  bool is_news = asked().is_opened && WasVisited(*session_, asked().turns) &&
                 WasVisited(*session_, told);
  if (is_news) co_return is_asked_ = true;
  if (!IsWanted()) co_return false;
  bool has_page = asked().page != nullptr && !asked().page->is_over();
  if (has_page && asked().is_opened) co_return is_asked_ = true;
  // If another call asks already, this one asks with the same page, because a
  // new page would replace the one that the user may be about to open.
  if (!has_page && !bench_->secret_pages()->Open(session_)) co_return false;
  // Only visits from now on are an answer to this question.
  if (asked().questions == 0) {
    asked().turns = session_->person().visits().turns;
  }
  Join();
  // The session may be forgotten meanwhile, together with its page.
  co_await session_->WaitFor(
      [this] {
        return asked().page == nullptr ||
               asked().page->life() != SecretPage::Life::kStarting;
      },
      call_->loop()->Now() + kPagePatience, call_->cancellation());
  bool is_open = asked().page != nullptr && !asked().page->link().empty() &&
                 !call_->is_cancelled();
  if (!is_open) {
    Leave();
    co_return false;
  }
  asked().complete = mcp::LinkCompletion(*call_, asked().id);
  question_.Ask(MakeLink(ask));
  co_return is_asked_ = true;
}

std::string_view SecretAsking::EndWord() const {
  if (WasVisited(*session_, asked().turns)) return "person";
  switch (question_.answer()) {
    case LinkAnswer::kDeclined:
      return "declined";
    case LinkAnswer::kDismissed:
      return "dismissed";
    case LinkAnswer::kNone:
    case LinkAnswer::kOpened:
    case LinkAnswer::kLater:
      break;
  }
  if (asked().page == nullptr) return "ended";
  // If the secret was typed, the holder's report may still be on its way.
  bool is_lost = asked().page->is_over() &&
                 asked().page->life() != SecretPage::Life::kTyped;
  return is_lost ? SecretPage::WordOf(asked().page->life()) : "";
}

// A person is slower than a program, so if progress is reported to the client,
// the deadline is not before the page ends. In newer revisions of MCP, the
// client itself waits for the user.
Task<waits::Result> SecretAsking::Await(waits::Caller caller,
                                        waits::Waiting* waiting,
                                        Time deadline) {
  bool is_legacy = call_->context().era() == mcp::Era::kLegacy;
  if (is_legacy && caller.keep_alive != nullptr) {
    deadline = std::max(deadline, caller.loop->Now() + kPageTime);
  }
  Predicate visited = waiting->Start(deadline);
  Predicate look = [this, &visited] {
    if (question_.answer() == LinkAnswer::kOpened) asked().is_opened = true;
    Look person = visited();
    std::string_view word = EndWord();
    if (person.met() || word.empty()) return person;
    return Look(Reason{word, ""});
  };
  waits::Sessions sessions(1, session_.get());
  waits::Result result = co_await waits::Await(
      std::move(caller), std::move(sessions), std::move(look), deadline);
  co_return result;
}

std::string SecretAsking::Note(const waits::Result& result) const {
  if (result.outcome == Outcome::kTimeout) {
    return "the user has been asked for the secret and has not typed it yet";
  }
  const EndRow* end = FindEnd(result.reason.word);
  if (end == nullptr) return "";
  if (!end->is_open) return end->note;
  std::string name = QuotedUnlessPlain(session_->name());
  return absl::StrFormat(
      "%s; they still can: glasstty attach %s, glasstty secret %s or glasstty "
      "view; term_wait waits for that",
      end->note, name, name);
}

}  // namespace glasstty
