// The header line.
//
//   [build] busy(kernel) 12.0s reason=timeout rev=57 | lines 40-58; it goes ...
//   [htop] input 40x120 cursor=9:1 rev=13 (+3 rows since 12) mode=diff
//    name  STATE, waited, why, screen, revision      | what is shown; what next
//
// It comes first and has one shape, because a model reads the beginning of a
// reply with most care and a small one finds its way by the shape. The state is
// one word, with its evidence where that is weaker than a shell's own marks.
// How long the wait was and why it ended are left out where they say nothing
// new. In front of the '|' stand short facts, behind it what follows from them,
// with the name of the tool that does it. There is no JSON around the text:
// quoting costs several times the tokens and hides the layout of a screen.
#include "tools/reply.h"

#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <utility>

#include "record/timeline.h"
#include "support/home.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/away.h"
#include "tools/person_facts.h"
#include "tools/pictures.h"
#include "typing/typist.h"
#include "view/visible.h"

namespace glasstty {
namespace {

// A longer time is asked of the holder.
constexpr double kBelievedSeconds = 1;

// Replies speak in seconds.
double InSeconds(Duration d) {
  return std::chrono::duration<double>(d).count();
}

// In the words of Reason for a wait that was met, else the outcome's own.
std::string_view ReasonWord(const WaitResult& wait) {
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

// A look at the screen rather than at lines.
bool ShowsScreen(const view::ReadResult& read) {
  return read.used == view::ReadMode::kSnapshot ||
         read.used == view::ReadMode::kDiff ||
         read.used == view::ReadMode::kPicture;
}

// "a","b". A quote in a text is doubled, so that no program can end its text
// and go on as a fact of ours.
std::string Quoted(const std::vector<std::string>& texts) {
  std::string quoted;
  for (const std::string& text : texts) {
    quoted += quoted.empty() ? "\"" : ",\"";
    for (char c : text)
      quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    quoted += '"';
  }
  return quoted;
}

// "text that no person could see in lines 3, 7": where a program may try to
// tell a model what its user does not see.
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

// "diff", "snapshot(rewrites rows)". The alternate screen is the usual reason
// and goes without saying.
std::string ModeText(const view::ReadResult& read) {
  std::string mode(view::ReadModeName(read.used));
  bool usual = read.why.empty() || read.why == "alternate screen";
  return usual ? mode : absl::StrFormat("%s(%s)", mode, read.why);
}

// What a reader does next about it; "" when nothing follows from it.
// An open list: a reason without a row needs no advice.
struct NextStep {
  std::string_view reason;
  const char* words;
};
constexpr NextStep kNextSteps[] = {
    {"timeout", "it keeps running; term_wait waits longer"},
    {"stopped", "the 'stop' pattern matched"},
};

// Of each line that is told of a wait in vain.
constexpr size_t kMissedCharacters = 120;

}  // namespace

// An exit outranks all else: the kernel's last answer is older than it.
std::string StateWord(const session::Session& session) {
  if (session.exited()) {
    std::string exit = session::ExitText(session.exit_status());
    // "exited=0" for a code; "exited signal=KILL" has its '=' already.
    bool code = exit[0] >= '0' && exit[0] <= '9';
    return (code ? "exited=" : "exited ") + exit;
  }
  if (session.holder_lost()) {
    std::string why = session.WhyLost();
    if (why.empty()) return "exited (holder lost, status unknown)";
    return "exited (" + CleanText(why) + "; its status is lost)";
  }
  return session::StateText(session.LastState());
}

// What was in the foreground when it was last looked at may have gone.
std::vector<int> DirectoryProcesses(const session::Session& session) {
  const wire::ProbeAnswer* probe = session.last_probe();
  bool shell = session.LastState().evidence == session::Evidence::kShell;
  std::vector<int> pids;
  if (!shell && probe != nullptr) pids.push_back(probe->foreground_pid);
  pids.push_back(session.leader_pid());
  std::erase_if(pids, [](int pid) { return pid <= 0; });
  return pids;
}

// From /proc/PID/cwd (proc(5)); where the session began when that cannot be
// read or the program has exited.
std::string WorkingDirectory(const session::Session& session) {
  if (session.finished()) return session.origin().program.cwd;
  // Its processes are not of this machine; its shell tells.
  if (!session.origin().place.empty()) return session.commands().directory();
  for (int pid : DirectoryProcesses(session)) {
    char path[PATH_MAX];
    std::string link = absl::StrFormat("/proc/%d/cwd", pid);
    ssize_t n = readlink(link.c_str(), path, sizeof path);
    if (n > 0) return {path, static_cast<size_t>(n)};
  }
  return session.origin().program.cwd;
}

// A name may hold a newline, and a header is one line.
std::string CurrentDirectory(const session::Session& session) {
  return CleanText(WorkingDirectory(session));
}

std::string DescribeProcess(const session::ProcessInfo& process) {
  std::string text = absl::StrFormat("pid %d", process.pid);
  std::vector<std::string> ports;
  for (int port : process.ports) ports.push_back(absl::StrFormat("%d", port));
  if (!ports.empty()) text += " listening on " + Join(ports, ", ");
  // Silence would read as "listens on nothing".
  if (!process.ports_known) text += " (ports unknown)";
  return text + ": " + process.command;
}

std::string HomeRelative(std::string path) {
  const std::string prefix = HomeDirectory();
  bool below = prefix.size() > 1 &&
               path.compare(0, prefix.size(), prefix) == 0 &&
               (path.size() == prefix.size() || path[prefix.size()] == '/');
  return below ? "~" + path.substr(prefix.size()) : path;
}

// It may hold lines of the program.
void Reply::SetBody(std::string_view body) {
  int64_t invisible = 0;
  read_.body = view::ShowInvisible(body, &invisible);
}

void Reply::SetWait(const WaitResult& wait) { wait_ = wait; }

void Reply::SetMissed(const waits::UntilCheck::Missed& missed, Missed told) {
  auto brief = [](const std::string& text) {
    return Quoted({CleanText(TrimLineEnd(text), kMissedCharacters)});
  };
  if (told == Missed::kAll) {
    std::string note =
        missed.lines == 0 ? "nothing new" : Counted(missed.lines, "new line");
    if (!missed.last.empty()) note += ", the last: " + brief(missed.last);
    AddNote(note);
  }
  if (!missed.nearest.empty()) AddNote("near: " + brief(missed.nearest));
}

std::string Reply::matched_text() const {
  bool is_text = wait_ && wait_->reason.word != "gone";
  return is_text ? wait_->reason.detail : "";
}

// Ignores "", so callers need not check.
void Reply::AddNote(std::string note) {
  if (!note.empty()) notes_.push_back(std::move(note));
}

void Reply::AddPersonNote(std::string note) {
  person_told_ = true;
  AddNote(std::move(note));
}

void Reply::TellConnection(const Workbench& bench, uint64_t told) {
  std::string text;
  if (session_->away_since() && !session_->finished()) {
    text = AwayText(bench, *session_);
  } else {
    text = BackText(*session_, told);
    back_told_ = !text.empty();
  }
  if (!text.empty()) notes_.insert(notes_.begin(), text);
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
}

void Reply::AddOther(const session::Session& session, int64_t unread) {
  others_.push_back({session.name(), StateWord(session), unread});
}

// Drawing takes a while in which the program may go on.
uint64_t Reply::Revision() const {
  return read_.frame_revision.value_or(session_->terminal().revision());
}

// How long the command took. Our own clock tells when we saw its marks, which
// may be later than they were printed: a server that was stopped, or is new,
// sees them when it reads the log. The holder has noted when they came, but
// only to 50 ms.
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
  // The offsets are those behind the marks, where other output may begin.
  double printed = timeline.SecondsAt(command_->end_offset - 1) -
                   timeline.SecondsAt(command_->output_offset - 1);
  return std::min(printed, seen.value_or(printed));
}

std::string Reply::Header() const {
  std::string state = StateWord(*session_);
  std::string header = absl::StrFormat("[%s] %s", session_->name(), state);
  if (command_ && command_->exit_status) {
    header += absl::StrFormat(" exit=%d", *command_->exit_status);
  }
  double waited = wait_ ? InSeconds(wait_->waited) : 0;
  if (command_ && command_->finished) waited = CommandSeconds();
  // A time that nobody would notice is not worth the tokens.
  if (waited >= 0.1) header += absl::StrFormat(" %.1fs", waited);
  if (!directory_.empty()) header += " " + directory_;
  if (wait_) {
    std::string_view reason = ReasonWord(*wait_);
    // "prompt(kernel)" tells already that the prompt was the reason; of a
    // person a note tells more.
    if (state.substr(0, reason.size()) != reason && reason != "person") {
      header += absl::StrFormat(" reason=%s", reason);
    }
  }
  // Facts about a screen (size, cursor) describe the state and stand in front;
  // line ranges say what is shown and stand behind the '|'.
  bool screen = ShowsScreen(read_);
  if (screen && !read_.facts.empty()) header += " " + read_.facts;
  header += absl::StrFormat(" rev=%d", Revision());
  if (!read_.change.empty()) header += " (" + read_.change + ")";
  if (!read_.focus.empty()) header += " focus=" + Quoted(read_.focus);
  if (screen) header += " mode=" + ModeText(read_);
  std::vector<std::string> notes = Notes();
  if (!notes.empty()) header += " | " + Join(notes, "; ");
  int64_t invisible = 0;
  return view::ShowInvisible(header, &invisible);
}

// What the call itself has to say comes first: it is the reason for the reply.
std::vector<std::string> Reply::Notes() const {
  std::vector<std::string> notes = notes_;
  session::SessionState state = session_->LastState();
  if (!ShowsScreen(read_) && !read_.facts.empty()) {
    notes.push_back(read_.facts);
  }
  if (!read_.hint.empty()) notes.push_back(read_.hint);
  if (read_.invisible > 0) {
    notes.push_back(absl::StrFormat("%d invisible characters shown as <U+...>",
                                    read_.invisible));
  }
  if (!read_.concealed.empty()) {
    notes.push_back(ConcealedNote(read_));
  }
  if (wait_) {
    // What is matched stands in the text; these do not.
    if (wait_->reason.word == "listening") {
      notes.push_back(wait_->reason.detail);
    }
    if (wait_->reason.word == "gone" && !wait_->reason.detail.empty()) {
      notes.push_back("gone: " + wait_->reason.detail);
    }
    bool rests =
        state.activity == session::Activity::kPrompt || session_->finished();
    for (const NextStep& step : kNextSteps) {
      bool applies = step.reason == ReasonWord(*wait_);
      if (applies && !(rests && wait_->outcome == Outcome::kTimeout)) {
        notes.push_back(step.words);
      }
    }
  }
  // The question itself, and the way that keeps the answer out of the
  // transcript.
  if (state.activity == session::Activity::kSecret) {
    notes.push_back(
        absl::StrFormat("\"%s\" -> term_send input=[{\"secret_env\": ...}]",
                        TrimTrailingBlanks(session_->TextBeforeCursor())));
  }
  return notes;
}

Json Reply::ToJson() const {
  session::SessionState state = session_->LastState();
  // Rows, columns and the cursor count from 1, as in the text.
  Json json = {
      {"session", session_->name()},
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
  // As in the header, "0" or "signal=KILL"; absent while it runs.
  if (session_->exited())
    json["exit"] = session::ExitText(session_->exit_status());
  if (command_ && command_->exit_status) {
    json["command_exit"] = *command_->exit_status;
  }
  if (success_) json["success"] = *success_;
  if (!parsed_.is_null()) json["parsed"] = parsed_;
  if (!picture_.is_null()) json["picture"] = picture_;
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
  terminal::Cursor cursor = session_->terminal().cursor();
  json["cursor"] = {cursor.row + 1, cursor.col + 1};
  terminal::Size size = session_->terminal().size();
  // rows, columns
  json["size"] = {size.rows, size.cols};
  json["title"] = session_->terminal().title();
  return json;
}

// Each part begins with a line that says of what moment it is.
std::string Reply::Body() const {
  if (shown_.empty()) return read_.body;
  std::string body;
  for (const Shown& shown : shown_) {
    const view::ReadResult& read = shown.read;
    body += absl::StrFormat("[step %d]", shown.step);
    if (ShowsScreen(read)) body += " " + read.facts;
    if (!read.change.empty()) body += " (" + read.change + ")";
    if (!read.focus.empty()) body += " focus=" + Quoted(read.focus);
    body += "\n";
    if (!read.body.empty()) body += read.body + "\n";
  }
  return body + "[end]" + (read_.body.empty() ? "" : "\n" + read_.body);
}

mcp::ToolResult Reply::Finish(Workbench* bench, const mcp::ToolCall& call,
                              ReplyFormat format, bool peek) {
  Told told = bench->ToldOf(call, *session_);
  TellConnection(*bench, told.absences);
  TellPerson(told.visits);
  bool news = back_told_ || !handed_back_.is_null();
  if (back_told_) told.absences = session_->absence().number;
  if (!handed_back_.is_null()) told.visits = session_->person().visits();
  mcp::ToolResult result;
  // Clients show a model either text or structure, so each holds everything.
  if (format == ReplyFormat::kJson) {
    result.structured = ToJson();
    result.text = DumpJson(*result.structured);
  } else {
    result.text = Header();
    for (const Other& other : others_) {
      result.text += absl::StrFormat("\n[%s] %s, %s", other.name, other.state,
                                     Counted(other.unread, "new line"));
    }
    if (std::string body = Body(); !body.empty()) result.text += "\n" + body;
  }
  // For programs that keep track; clients do not show it to the model.
  result.meta["glasstty/revision"] = Revision();
  result.meta["glasstty/offset"] = session_->feed().consumed();
  if (session_->exited()) {
    int status = session_->exit_status();
    // A number for a code, as for commands; words for a signal.
    result.meta["glasstty/exit"] = WIFEXITED(status)
                                       ? Json(WEXITSTATUS(status))
                                       : Json(session::ExitText(status));
  } else if (command_ && command_->exit_status) {
    result.meta["glasstty/exit"] = *command_->exit_status;
  }
  // The mark moves when the reply is on its way: what a cancelled call would
  // have shown is still unread. The session is held by the function, for it may
  // be forgotten before that.
  result.on_sent = [bench, session = session_, mark = read_.mark, peek, news,
                    told, connection = call.connection()] {
    if (news) bench->SetTold(connection, *session, told);
    if (peek) return;
    bench->SetMark(connection, *session, mark);
    session->PersistMark(mark.offset);
  };
  return result;
}

Task<mcp::ToolResult> ReadAndReply(Workbench* bench, mcp::ToolCall* call,
                                   Reply reply, session::SessionRef session,
                                   view::ReadRequest request,
                                   ReplyFormat format, bool peek,
                                   std::string picture_file) {
  co_await bench->AwaitShownStates(
      call, std::vector<session::SessionRef>(1, session));
  // Nothing suspends after this, so header and text are of one moment, and of a
  // whole frame.
  session::Session* s = session.get();
  co_await s->WaitFor([s] { return s->IsFrameWhole(); }, Time::max(),
                      call->cancellation());
  const view::ReaderMark& mark =
      reply.MarkAfterShown(bench->MarkOf(*call, *session));
  const record::CommandBlock* last = session->commands().Find(-1);
  bool is_news = last != nullptr && last->trusted && last->finished &&
                 last->end_offset > mark.offset;
  if (is_news) reply.SetCommand(*last);
  view::ReadResult read = view::ReadSession(*session, mark, request);
  if (read.frame != nullptr) {
    co_return co_await FinishWithPicture(bench, call, std::move(reply), session,
                                         std::move(read), format,
                                         std::move(picture_file));
  }
  reply.SetRead(std::move(read));
  co_return reply.Finish(bench, *call, format, peek);
}

Task<mcp::ToolResult> ReadAndReply(Workbench* bench, mcp::ToolCall* call,
                                   Reply reply, session::SessionRef session,
                                   view::ReadRequest request,
                                   ReplyFormat format, bool peek) {
  return ReadAndReply(bench, call, std::move(reply), std::move(session),
                      std::move(request), format, peek, std::string());
}

}  // namespace glasstty
