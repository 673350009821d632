// Builds the reply, which begins with a header line.
//
//   [build] busy(kernel) 12.0s reason=timeout rev=57 | lines 40-58; it ...
//   [htop] input 40x120 cursor=9:1 rev=13 (+3 rows since 12) mode=diff
//    name  STATE, waited, why, screen, revision      | what is shown; what next
//
// The header comes first and always has the same form, because models read the
// beginning of a reply with most care, and small models rely on the form. The
// state is one word, followed by its evidence if that is weaker than usual. The
// length of the wait and the reason for its end are left out if they say
// nothing new. Short facts precede the '|'; consequences follow it, with the
// name of the tool to use. There is no JSON around the text: quoting costs
// several times the tokens and hides the layout of a screen.
#include "tools/reply.h"

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "base/visible.h"
#include "mcp/ask.h"
#include "record/timeline.h"
#include "support/home.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/attention.h"
#include "tools/away.h"
#include "tools/digests.h"
#include "tools/event_replies.h"
#include "tools/person_facts.h"
#include "tools/pictures.h"
#include "tools/remains.h"
#include "tools/session_words.h"
#include "tools/status_facts.h"
#include "tools/stopped_note.h"
#include "typing/typist.h"
#include "waits/question.h"

namespace glasstty {
namespace {

// For times longer than this, the holder's record is more accurate than our
// clock.
constexpr double kBelievedSeconds = 1;

// Replies give times in seconds.
double InSeconds(Duration d) {
  return std::chrono::duration<double>(d).count();
}

// Returns whether the reading shows a screen rather than lines.
bool ShowsScreen(const view::ReadResult& read) {
  return read.used == view::ReadMode::kSnapshot ||
         read.used == view::ReadMode::kDiff ||
         read.used == view::ReadMode::kPicture;
}

// Returns the texts in quotes, separated by commas: "a","b".
std::string QuotedList(const std::vector<std::string>& texts) {
  std::string quoted;
  for (const std::string& text : texts) {
    quoted += (quoted.empty() ? "" : ",") + Quoted(text);
  }
  return quoted;
}

// Returns a text such as "text that a person cannot see in line 3, 7". Such a
// text may be an attempt to instruct a model without its user noticing.
std::string ConcealedNote(const view::ReadResult& read) {
  constexpr size_t kMost = 5;
  std::vector<std::string> numbers;
  for (int64_t number : read.concealed) {
    if (numbers.size() < kMost)
      numbers.push_back(absl::StrFormat("%d", number));
  }
  if (read.concealed.size() > kMost) numbers.push_back("...");
  return absl::StrFormat("text that a person cannot see in %s %s",
                         ShowsScreen(read) ? "row" : "line",
                         Join(numbers, ", "));
}

// Returns a text such as "diff" or "snapshot(rewrites rows)". The alternate
// screen is the usual reason, so it is not mentioned.
std::string ModeText(const view::ReadResult& read) {
  std::string mode(view::ReadModeName(read.used));
  bool usual = read.why.empty() || read.why == "alternate screen";
  return usual ? mode : absl::StrFormat("%s(%s)", mode, read.why);
}

// The advice after a wait that ended for this reason. A reason without a row
// needs no advice.
struct NextStep {
  std::string_view reason;
  const char* words;
};
constexpr NextStep kNextSteps[] = {
    {"timeout", "it keeps running; term_wait waits longer"},
    {"stopped", "the 'stop' pattern matched"},
};

// The limit for each line that reports an unsuccessful wait.
constexpr size_t kMissedCharacters = 120;

}  // namespace

std::string_view ReasonWord(const waits::Result& wait) {
  switch (wait.outcome) {
    case Outcome::kMet:
      return wait.reason.word;
    case Outcome::kTimeout:
      return "timeout";
    case Outcome::kClosed:
      return "closed";
    case Outcome::kCancelled:
      return "cancelled";
  }
  return "";
}

// The body may contain lines of the program, so invisible characters are shown.
void Reply::SetBody(std::string_view body) {
  int64_t invisible = 0;
  read_.body = ShowInvisible(body, &invisible);
  read_.whole = false;
  read_.errors.clear();
}

void Reply::SetWait(const waits::Result& wait) { wait_ = wait; }

void Reply::SetMissed(const waits::UntilCheck::Missed& missed, Missed told) {
  auto brief = [](const std::string& text) {
    return Quoted(TrimLineEnd(text), kMissedCharacters);
  };
  if (told == Missed::kAll) {
    std::string note =
        missed.lines == 0 ? "nothing new" : Counted(missed.lines, "new line");
    AddNote(note);
    if (!missed.last.empty()) AddQuotation("the last: " + brief(missed.last));
  }
  if (!missed.shown.empty()) {
    AddNote("already shown at " + missed.shown + ", before this wait");
  }
  AddNote(missed.value);
  if (!missed.nearest.empty()) AddQuotation("near: " + brief(missed.nearest));
}

std::string Reply::matched_text() const {
  bool has_match = wait_ && wait_->reason.kind != Reason::Detail::kRemark;
  return has_match ? wait_->reason.detail : "";
}

// Ignores "", so callers need not check.
void Reply::AddNote(std::string note) {
  if (!note.empty()) notes_.push_back(std::move(note));
}

void Reply::AddQuotation(std::string note) {
  if (!note.empty()) quotations_.push_back(std::move(note));
}

void Reply::AddPersonNote(std::string note) {
  person_told_ = true;
  AddNote(std::move(note));
}

void Reply::TellConnection(const Workbench& bench, uint64_t told) {
  std::string text;
  if (session_->contact().away_since() && !session_->finished()) {
    text = AwayText(bench, *session_);
  } else {
    text = BackText(*session_, told);
    back_told_ = !text.empty();
  }
  if (!text.empty()) notes_.insert(notes_.begin(), text);
}

// Names each kind of repair once, however often it was needed.
bool Reply::TellRepairs(Told* told) {
  uint64_t* number = is_run_ ? &told->repairs_at_run : &told->repairs;
  for (const session::Events::Repair& repair : session_->events().repairs()) {
    if (repair.number <= *number) continue;
    *number = repair.number;
    for (std::string& name : Split(repair.what, ',')) {
      if (name.starts_with(' ')) name.erase(0, 1);
      bool is_new = std::find(repaired_.begin(), repaired_.end(), name) ==
                    repaired_.end();
      if (is_new) repaired_.push_back(std::move(name));
    }
  }
  told->repairs = std::max(told->repairs, told->repairs_at_run);
  if (repaired_.empty()) return false;
  notes_.insert(notes_.begin(), "repaired: " + Join(repaired_, ", "));
  return true;
}

// Reports the loss once, and in each reply as long as the screen lacks a part.
bool Reply::TellLost(uint64_t told) {
  uint64_t lost = session_->output().lost_before();
  if (lost == told && session_->output().undrawn() == 0) return false;
  notes_.insert(
      notes_.begin(),
      absl::StrFormat("%d bytes of the log were lost before this server took "
                      "over: parts of the screen, and modes, may be missing",
                      lost));
  return true;
}

void Reply::TellPerson(const session::Visits& seen) {
  const session::Person& person = session_->person();
  for (const std::string& note : notes_) {
    person_told_ = person_told_ || note.ends_with(typing::kPersonTook);
  }
  if (person.here()) {
    person_ = PersonJson(*session_);
    if (!person_told_) notes_.insert(notes_.begin(), PersonHere(*session_));
  } else if (person.visits().turns != seen.turns) {
    handed_back_ = HandedBackJson(*session_, seen);
    notes_.insert(notes_.begin(), HandedBack(*session_, seen));
  }
  if (person.visits().calls == seen.calls) return;
  typed_elsewhere_ = true;
  notes_.insert(notes_.begin(),
                "another server's client has typed here; look before you type");
}

void Reply::AddOther(std::string name, const session::Session& session,
                     int64_t unread) {
  others_.push_back({std::move(name), StateWord(session), unread});
}

// Uses the drawn frame's revision, because the program may continue while a
// picture is drawn.
uint64_t Reply::Revision() const {
  return read_.frame_revision.value_or(
      session_->output().terminal().revision());
}

// Our clock gives the times at which we saw the command's marks. They may have
// been printed earlier, if the server was stopped or not yet started. The
// holder has recorded when they were printed, but only with a precision of 50
// ms.
double Reply::CommandSeconds() const {
  std::optional<double> seen;
  if (command_->started && command_->ended) {
    seen = InSeconds(*command_->ended - *command_->started);
  }
  if (seen && *seen < kBelievedSeconds) return *seen;
  auto directory = session_->OpenDirectory();
  if (directory == nullptr) return seen.value_or(0);
  record::Timeline timeline = record::ReadTimeline(directory->get());
  if (timeline.stretches().empty()) return seen.value_or(0);
  // The offsets are the ends of the marks, where other output may begin.
  double printed = timeline.SecondsAt(command_->end_offset - 1) -
                   timeline.SecondsAt(command_->output_offset - 1);
  return std::min(printed, seen.value_or(printed));
}

std::string Reply::Header() const {
  std::string state = StateWord(*session_);
  std::string header = absl::StrFormat(
      "[%s] %s", name_.empty() ? session_->name() : name_, state);
  if (command_ && command_->exit_status) {
    header += absl::StrFormat(" exit=%d", *command_->exit_status);
  }
  const terminal::ProgramStatus* status = session_->verdict().ReportedStatus();
  if (status != nullptr) header += " status=" + terminal::StatusWord(*status);
  double waited = wait_ ? InSeconds(wait_->waited) : 0;
  if (command_ && command_->finished) waited = CommandSeconds();
  // Shorter times are not worth the tokens.
  if (waited >= 0.1) header += absl::StrFormat(" %.1fs", waited);
  if (!directory_.empty()) {
    header += " " + QuotedUnlessPlain(directory_, kMostPath);
  }
  if (wait_) {
    std::string_view reason = ReasonWord(*wait_);
    // "prompt(kernel)" already says that the prompt was the reason. If the
    // reason is a person, a note says more.
    if (state.substr(0, reason.size()) != reason && reason != "person") {
      header += absl::StrFormat(" reason=%s", reason);
    }
  }
  // Facts about a screen (size, cursor) describe the state and precede the '|';
  // line ranges say what is shown and follow it.
  bool screen = ShowsScreen(read_);
  if (screen && !read_.facts.empty()) header += " " + read_.facts;
  header += absl::StrFormat(" rev=%d", Revision());
  if (!read_.change.empty()) header += " (" + read_.change + ")";
  if (!read_.focus.empty()) header += " focus=" + QuotedList(read_.focus);
  if (!read_.suggestions.empty()) {
    header += " suggestion=" + QuotedList(read_.suggestions);
  }
  if (screen) header += " mode=" + ModeText(read_);
  std::vector<std::string> notes = Notes();
  if (!notes.empty()) header += " | " + Join(notes, "; ");
  int64_t invisible = 0;
  return ShowInvisible(header, &invisible);
}

// The call's own notes precede the facts of the read, because they are the
// reason for the reply.
std::vector<std::string> Reply::Notes() const {
  std::vector<std::string> notes = notes_;
  // Trouble with the log comes first, because the rest may then be wrong.
  std::string trouble = session_->verdict().LogTrouble();
  if (!trouble.empty()) notes.insert(notes.begin(), trouble);
  session::SessionState state = session_->verdict().LastState();
  if (!ShowsScreen(read_) && !read_.facts.empty()) {
    notes.push_back(read_.facts);
  }
  if (!read_.hint.empty()) notes.push_back(read_.hint);
  if (read_.invisible > 0) {
    notes.push_back(absl::StrFormat("%d invisible characters shown as <U+...>",
                                    read_.invisible));
  }
  if (!read_.concealed.empty()) notes.push_back(ConcealedNote(read_));
  if (wait_) {
    const Reason& reason = wait_->reason;
    bool is_shown = reason.kind == Reason::Detail::kText;
    if (!is_shown && !reason.detail.empty()) notes.push_back(reason.detail);
    std::string stopped = StoppedNote(*session_);
    bool rests = state.activity == session::Activity::kPrompt ||
                 session_->finished() || !stopped.empty();
    if (!stopped.empty()) notes.push_back(std::move(stopped));
    for (const NextStep& step : kNextSteps) {
      bool applies = step.reason == ReasonWord(*wait_);
      if (applies && !(rests && wait_->outcome == Outcome::kTimeout)) {
        notes.push_back(step.words);
      }
    }
  }
  // Suggest the way that keeps the answer out of the transcript, and then quote
  // the question.
  if (state.activity == session::Activity::kSecret) {
    std::string way = "term_send input=[{\"secret_env\": ...}] answers ";
    if (can_ask_ && !is_asked_) {
      way =
          "term_wait ask=... until={\"person\": \"gone\"} lets the user type "
          "it unseen, " +
          way;
    }
    notes.push_back(
        way + Quoted(waits::TrimFrame(session_->output().TextBeforeCursor())));
  }
  notes.insert(notes.end(), quotations_.begin(), quotations_.end());
  std::string says = StatusSays(*session_);
  if (!says.empty()) notes.push_back(std::move(says));
  return notes;
}

Json Reply::ToJson() const {
  session::SessionState state = session_->verdict().LastState();
  // Rows, columns and the cursor count from 1, as in the text.
  Json json = {
      {"session", name_.empty() ? session_->name() : name_},
      {"state", std::string(session::ActivityName(state.activity))},
      {"evidence",
       state.evidence == session::Evidence::kGuess ? "guess" : "kernel"},
      {"revision", Revision()},
      {"mode", std::string(view::ReadModeName(read_.used))},
      {"text", Body()},
      {"left_out_lines", read_.left_out},
      {"notes", Notes()}};
  if (!read_.why.empty()) json["why_mode"] = std::string(read_.why);
  if (!read_.change.empty()) json["change"] = read_.change;
  if (!read_.focus.empty()) json["focus"] = read_.focus;
  if (!read_.suggestions.empty()) json["suggestion"] = read_.suggestions;
  // The value is that of the header, "0" or "signal=KILL"; it is absent while
  // the program runs.
  if (session_->verdict().exited())
    json["exit"] = session::ExitText(session_->life().exit_status());
  if (command_ && command_->exit_status) {
    json["command_exit"] = *command_->exit_status;
  }
  if (success_) json["success"] = *success_;
  if (!parsed_.is_null()) json["parsed"] = parsed_;
  if (!picture_.is_null()) json["picture"] = picture_;
  if (!repaired_.empty()) json["repaired"] = repaired_;
  if (!directory_.empty()) json["cwd"] = directory_;
  if (!person_.is_null()) json["person"] = person_;
  if (!handed_back_.is_null()) json["handed_back"] = handed_back_;
  if (wait_) {
    json["reason"] = std::string(ReasonWord(*wait_));
    json["waited_s"] = InSeconds(wait_->waited);
    if (!matched_text().empty()) json["match"] = matched_text();
  }
  for (const Other& other : others_) {
    json["others"].push_back({{"session", other.name},
                              {"state", other.state},
                              {"unread_lines", other.unread}});
  }
  terminal::Cursor cursor = session_->output().terminal().cursor();
  json["cursor"] = {cursor.row + 1, cursor.col + 1};
  terminal::Size size = session_->output().terminal().size();
  // The order is rows, columns.
  json["size"] = {size.rows, size.cols};
  json["title"] = session_->output().terminal().title();
  if (Json status = StatusJson(*session_); !status.is_null()) {
    json["status"] = std::move(status);
  }
  return json;
}

// Each part begins with a line that says which moment it shows.
std::string Reply::Body() const {
  if (shown_.empty()) return read_.body;
  std::string body;
  for (const Shown& shown : shown_) {
    const view::ReadResult& read = shown.read;
    body += absl::StrFormat("[step %d]", shown.step);
    if (ShowsScreen(read)) body += " " + read.facts;
    if (!read.change.empty()) body += " (" + read.change + ")";
    if (!read.focus.empty()) body += " focus=" + QuotedList(read.focus);
    body += "\n";
    if (!read.body.empty()) body += read.body + "\n";
  }
  return body + "[end]" + (read_.body.empty() ? "" : "\n" + read_.body);
}

Json Reply::ToShellJson() const {
  Json json = ToJson();
  std::string body = Body();
  bool ends = !body.empty() && (!shown_.empty() || !read_.whole);
  json["text"] = ends ? body + "\n" : body;
  if (!read_.errors.empty()) json["errors"] = read_.errors;
  return json;
}

std::string Reply::About(const std::vector<std::string>& events) const {
  std::string about = Header();
  for (const Other& other : others_) {
    about += absl::StrFormat("\n[%s] %s, %s", other.name, other.state,
                             Counted(other.unread, "new line"));
  }
  for (const std::string& line : events) about += "\n" + line;
  return about;
}

mcp::ToolResult Reply::Finish(Workbench* bench, const mcp::ToolCall& call,
                              ReplyFormat format, bool peek) {
  name_ = bench->clients()->NameFor(call, *session_);
  Told told = bench->ToldOf(call, *session_);
  can_ask_ = mcp::CanOpenLinks(call);
  TellConnection(*bench, told.absences);
  TellPerson(told.visits);
  bool news = TellRepairs(&told);
  if (TellLost(told.lost)) {
    news = true;
    told.lost = session_->output().lost_before();
  }
  bool visited = !handed_back_.is_null() || typed_elsewhere_;
  news = news || back_told_ || visited;
  if (std::string greeting = bench->clients()->TakeGreeting(call);
      !greeting.empty()) {
    AddNote(std::move(greeting));
  }
  if (back_told_) told.absences = session_->contact().absence().number;
  if (visited) told.visits = session_->person().visits();
  for (std::string remains :
       {RemainsText(*session_), bench->TakeRemains(*session_)}) {
    if (!remains.empty()) AddQuotation(std::move(remains));
  }
  EventNews events = NewsBeside(bench, call, *session_);
  mcp::ToolResult result;
  bool at_shell = call.context().at_shell;
  // Clients show a model either text or structure, so each contains everything.
  // A command line prints text and structure on separate streams.
  if (at_shell || format == ReplyFormat::kJson) {
    result.structured = at_shell ? ToShellJson() : ToJson();
    if (!events.lines.empty()) (*result.structured)["events"] = events.lines;
    result.text = at_shell ? About(events.lines) : DumpJson(*result.structured);
  } else {
    result.text = About(events.lines);
    if (std::string body = Body(); !body.empty()) result.text += "\n" + body;
  }
  // These members are for programs; clients do not show them to the model.
  result.meta["glasstty/revision"] = Revision();
  result.meta["glasstty/offset"] = session_->output().feed().consumed();
  if (wait_) result.meta["glasstty/reason"] = ReasonWord(*wait_);
  // A script that waits for a text to disappear must be able to notice that the
  // text was never there.
  if (wait_ && wait_->reason.detail == waits::kNeverThere) {
    result.meta["glasstty/held"] = false;
  }
  if (session_->verdict().exited()) {
    int status = session_->life().exit_status();
    // A code is a number, as for commands; a signal is a text.
    result.meta["glasstty/exit"] = WIFEXITED(status)
                                       ? Json(WEXITSTATUS(status))
                                       : Json(session::ExitText(status));
  } else if (command_ && command_->exit_status) {
    result.meta["glasstty/exit"] = *command_->exit_status;
  }
  // The command may have ended before the wait began.
  const record::CommandBlock* last = session_->events().commands().Find(-1);
  bool is_known = last != nullptr && last->trusted && last->exit_status;
  if (wait_ && ReasonWord(*wait_) == "prompt" && is_known) {
    result.meta["glasstty/last_exit"] = *last->exit_status;
  }
  // The mark moves only when the reply has been sent, because the output of a
  // cancelled call must stay unread. The callback keeps the session alive,
  // because the server may forget the session earlier.
  view::ReaderMark mark = read_.mark;
  mark.opened = wait_begin_;
  result.on_sent = [bench, session = session_, mark = std::move(mark), peek,
                    news, told, connection = call.connection(),
                    shown = NewsOf(*session_),
                    events_sent = std::move(events.on_sent)] {
    if (events_sent) events_sent();
    if (news) bench->SetTold(connection, *session, told);
    bench->clients()->SetShown(connection, session->origin().id, shown);
    if (peek) return;
    bench->KeepMark(connection, session.get(), mark);
  };
  return result;
}

Task<mcp::ToolResult> ReadAndReply(Workbench* bench, mcp::ToolCall* call,
                                   Reply reply, session::SessionRef session,
                                   view::ReadRequest request,
                                   ReplyFormat format, bool peek,
                                   std::optional<LineFilter> filter) {
  co_await bench->AwaitShownStates(
      call, std::vector<session::SessionRef>(1, session));
  co_await AwaitRemains(call, session);
  // Without a filter, lines and screens are read and shown without suspending
  // after this wait, so header and text show the same moment and a whole frame.
  session::Session* s = session.get();
  co_await s->WaitFor([s] { return s->verdict().IsFrameWhole(); }, Time::max(),
                      call->cancellation());
  const view::ReaderMark& mark =
      reply.MarkAfterShown(bench->MarkOf(*call, *session));
  const record::CommandBlock* last = session->events().commands().Find(-1);
  bool is_news = last != nullptr && last->trusted && last->finished &&
                 last->end_offset > mark.offset;
  if (is_news) reply.SetCommand(*last);
  if (request.mode == view::ReadMode::kDigest) {
    ASSIGN_OR_CO_RETURN(view::ReadResult digest,
                        co_await ReadDigest(call, session, mark, request));
    reply.SetRead(std::move(digest));
    co_return reply.Finish(bench, *call, format, peek);
  }
  view::ReadResult read = view::ReadSession(*session, mark, request);
  if (read.frame != nullptr) {
    co_return co_await FinishWithPicture(bench, call, std::move(reply),
                                         std::move(read), format);
  }
  if (filter) {
    ASSIGN_OR_CO_RETURN(
        read, co_await OnlyMatching(call, *std::move(filter), session, request,
                                    mark, std::move(read)));
  }
  reply.SetRead(std::move(read));
  co_return reply.Finish(bench, *call, format, peek);
}

}  // namespace glasstty
