// A reply: one header line with the state of the session, then its text.
//
// Both the text for models and the JSON for programs are built from the same
// facts. The header has the form: "[name] STATE details | what to do next".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/tool.h"
#include "session/session.h"
#include "tools/clients.h"
#include "tools/line_filter.h"
#include "tools/workbench.h"
#include "view/reader.h"

namespace glasstty {

// kText is for models, and kJson for programs; both contain the same facts.
enum class ReplyFormat { kText, kJson };
template <>
struct mcp::EnumNames<ReplyFormat> {
  static constexpr std::string_view kNames[] = {"text", "json"};
};

// Returns the reason's word if the wait's condition was met, or else a word for
// the outcome.
std::string_view ReasonWord(const waits::Result& wait);

// Collects what a call reports about one session.
class Reply {
 public:
  explicit Reply(session::SessionRef session) : session_(std::move(session)) {}

  // Sets why the wait ended, and after how long. Not called by tools that do
  // not wait.
  void SetWait(const waits::Result& wait);
  // Lets the client's next wait begin at `mark` and not after this reply.
  void LetNextWaitBegin(record::ReadMark mark) {
    wait_begin_ = std::move(mark);
  }
  void SetRead(view::ReadResult read) { read_ = std::move(read); }
  // Sets the command that has ended, whose status and duration are shown.
  void SetCommand(record::CommandBlock command) {
    command_ = std::move(command);
  }
  // Marks this as a reply of term_run.
  void SetRun() { is_run_ = true; }
  // Says whether the command met the caller's criteria of success.
  void SetSuccess(bool success) { success_ = success; }
  // Sets the parsed output, for programs.
  void SetParsed(Json parsed) { parsed_ = std::move(parsed); }
  // Describes the picture in the reply, for programs.
  void SetPicture(Json about) { picture_ = std::move(about); }
  // Sets the shell's directory.
  void SetDirectory(std::string path) { directory_ = std::move(path); }
  // Sets the output that steps of the call have shown, and the mark after the
  // last of them, from which the reply itself continues.
  struct Shown {
    int step = 0;  // counts from 1 in the caller's list
    view::ReadResult read;
  };
  void SetShown(std::vector<Shown> shown, view::ReaderMark mark) {
    shown_ = std::move(shown);
    shown_mark_ = std::move(mark);
  }
  // Returns the mark from which to read: that of SetShown, or else `mark`.
  const view::ReaderMark& MarkAfterShown(const view::ReaderMark& mark) const {
    return shown_.empty() ? mark : shown_mark_;
  }
  // Reports why a wait did not find its text, and the text that is most
  // similar. kAll also reports the number of new lines and the last one, for
  // replies that show no lines.
  enum class Missed { kNearest, kAll };
  void SetMissed(const waits::UntilCheck::Missed& missed, Missed told);
  // Returns the detail of the reason that ended the wait (the matched line, a
  // title, who listens), or "".
  std::string matched_text() const;
  void SetBody(std::string_view body);
  // Records that the user has just been asked for a secret, so the reply does
  // not suggest asking.
  void SetAsked() { is_asked_ = true; }
  // Adds a note after the '|'.
  void AddNote(std::string note);
  // Adds a note with a text that a program chose. It is placed after all other
  // notes, because such a text must not seem to introduce our advice.
  void AddQuotation(std::string note);
  // Adds a note about the person at the keyboard, instead of the reply's own
  // note.
  void AddPersonNote(std::string note);
  // Adds a line below the header about another session of the call, which the
  // client knows as `name`. `unread` is the number of that session's lines that
  // this client has not seen.
  void AddOther(std::string name, const session::Session& session,
                int64_t unread);

  // Returns "[main] prompt(kernel) rev=57 | lines 3-9" and the text. Moves the
  // client's mark when the reply has been sent, unless `peek` is set.
  mcp::ToolResult Finish(Workbench* bench, const mcp::ToolCall& call,
                         ReplyFormat format, bool peek = false);

  // Returns how long the command ran. REQUIRES: SetCommand.
  double CommandSeconds() const;
  // Returns only the first line, without a newline; see reply.cc for its parts.
  std::string Header() const;

 private:
  // Returns the revision of the screen that is shown.
  uint64_t Revision() const;
  // Returns the notes after the '|', without the separators.
  std::vector<std::string> Notes() const;
  Json ToJson() const;
  // Returns the JSON for a command line, in which the output has all its
  // newlines, and a separate stderr has its own member.
  Json ToShellJson() const;
  // Returns the header and the lines below it, without the output.
  std::string About(const std::vector<std::string>& events) const;
  // Adds news about people at the keyboard, and about other servers' clients
  // that have typed, for a client to which the visits in `seen` were reported.
  void TellPerson(const session::Visits& seen);
  // Adds the repairs at the shell's prompt that `told` does not contain yet,
  // and updates `told`. Returns whether there were any.
  bool TellRepairs(Told* told);
  // Adds how many bytes the log had lost when the session was taken over;
  // `told` bytes were already reported. Returns false if there was nothing to
  // add.
  bool TellLost(uint64_t told);
  // Adds news about the connection to another machine; for `told` see BackText.
  void TellConnection(const Workbench& bench, uint64_t told);
  // Returns the output shown by steps and at the end.
  std::string Body() const;

  session::SessionRef session_;
  std::string name_;  // as the client calls the session
  // Unset for calls that do not wait.
  std::optional<waits::Result> wait_;
  std::optional<record::ReadMark> wait_begin_;
  std::optional<record::CommandBlock> command_;
  bool is_run_ = false;
  std::optional<bool> success_;
  // Null: not set.
  Json parsed_;
  Json picture_;
  std::string directory_;
  view::ReadResult read_;
  std::vector<Shown> shown_;
  view::ReaderMark shown_mark_;
  std::vector<std::string> notes_;
  std::vector<std::string> quotations_;
  bool person_told_ = false;
  bool is_asked_ = false;
  bool can_ask_ = false;          // the client shows links
  Json person_;                   // null: nobody has the keyboard
  Json handed_back_;              // null: nothing new
  bool typed_elsewhere_ = false;  // a call of another server has typed
  bool back_told_ = false;
  std::vector<std::string> repaired_;
  struct Other {
    std::string name;
    std::string state;
    int64_t unread;
  };
  std::vector<Other> others_;
};

// Reads what `request` names (by default, the unread output) and replies with
// this, or only with the lines that pass the filter. This is the common end of
// term_open, term_send, term_wait, term_read, and term_close with a signal.
Task<mcp::ToolResult> ReadAndReply(Workbench* bench, mcp::ToolCall* call,
                                   Reply reply, session::SessionRef session,
                                   view::ReadRequest request,
                                   ReplyFormat format, bool peek,
                                   std::optional<LineFilter> filter = {});

}  // namespace glasstty
