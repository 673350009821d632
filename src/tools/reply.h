// A reply: one header line with the state of the session, then its text.
//
// Both the text for models and the JSON for programs are built from the same
// facts. The header: [name] STATE details | what to do next.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/tool.h"
#include "session/session.h"
#include "tools/workbench.h"
#include "view/reader.h"

namespace glasstty {

// kText for models; kJson for programs, with the same facts.
enum class ReplyFormat { kText, kJson };
template <>
struct mcp::EnumNames<ReplyFormat> {
  static constexpr std::string_view kNames[] = {"text", "json"};
};

// Collects what a call has to say about one session.
class Reply {
 public:
  explicit Reply(session::SessionRef session) : session_(std::move(session)) {}

  // Why the wait ended, and after how long. Calls that do not wait leave it
  // out.
  void SetWait(const WaitResult& wait);
  void SetRead(view::ReadResult read) { read_ = std::move(read); }
  // A command that has ended: its status and how long it took.
  void SetCommand(record::CommandBlock command) {
    command_ = std::move(command);
  }
  // Whether it was what the caller calls a success.
  void SetSuccess(bool success) { success_ = success; }
  // What the output means, for programs.
  void SetParsed(Json parsed) { parsed_ = std::move(parsed); }
  // Of a picture that goes along, for programs.
  void SetPicture(Json about) { picture_ = std::move(about); }
  // The shell's directory; shown as it is given.
  void SetDirectory(std::string path) { directory_ = std::move(path); }
  // What steps of the call have shown before its end, and the mark that the
  // last of them leaves: the reply's own reading goes on from there.
  struct Shown {
    int step = 0;  // from 1, in the caller's list
    view::ReadResult read;
  };
  void SetShown(std::vector<Shown> shown, view::ReaderMark mark) {
    shown_ = std::move(shown);
    shown_mark_ = std::move(mark);
  }
  // The mark to read from: after what was shown, else `mark`.
  const view::ReaderMark& MarkAfterShown(const view::ReaderMark& mark) const {
    return shown_.empty() ? mark : shown_mark_;
  }
  // What came instead of a text that was waited for in vain: the nearest miss,
  // or all that a reply says that shows no lines.
  enum class Missed { kNearest, kAll };
  void SetMissed(const waits::UntilCheck::Missed& missed, Missed told);
  // What ended the wait, where that is a text: the matched line, a title.
  std::string matched_text() const;
  // Replaces the read text.
  void SetBody(std::string_view body);
  // Goes behind the '|'.
  void AddNote(std::string note);
  // A note about the person at the keyboard that says who it is; the reply need
  // not.
  void AddPersonNote(std::string note);
  // Another session that the call was about: a line below the header.
  // `unread`: its lines that this client has not been shown.
  void AddOther(const session::Session& session, int64_t unread);

  // "[main] prompt(kernel) rev=57 | lines 3-9" and the text. Moves the
  // client's mark when it has been sent, unless `peek`.
  mcp::ToolResult Finish(Workbench* bench, const mcp::ToolCall& call,
                         ReplyFormat format, bool peek = false);

  // The first line alone.
  // No newline; see reply.cc for its parts.
  double CommandSeconds() const;
  std::string Header() const;

 private:
  // Of the screen that is shown.
  uint64_t Revision() const;
  // The notes after the '|', without the separators.
  std::vector<std::string> Notes() const;
  Json ToJson() const;
  // What is to be told of people at the keyboard to a client that has been told
  // of `seen`.
  void TellPerson(const session::Visits& seen);
  // And of the connection to another machine; `told` as BackText has it.
  void TellConnection(const Workbench& bench, uint64_t told);
  // What was shown at steps and at the end.
  std::string Body() const;

  session::SessionRef session_;
  // Empty for calls that do not wait.
  std::optional<WaitResult> wait_;
  std::optional<record::CommandBlock> command_;
  std::optional<bool> success_;
  // Null: none.
  Json parsed_;
  Json picture_;
  std::string directory_;
  view::ReadResult read_;
  std::vector<Shown> shown_;
  view::ReaderMark shown_mark_;
  std::vector<std::string> notes_;
  bool person_told_ = false;
  Json person_;       // null: nobody has the keyboard
  Json handed_back_;  // null: nothing new
  bool back_told_ = false;
  struct Other {
    std::string name;
    std::string state;
    int64_t unread;
  };
  std::vector<Other> others_;
};

// "exited=0", "exited signal=KILL", "exited (holder lost, status unknown)", or
// the activity with its evidence: "prompt(kernel)".
std::string StateWord(const session::Session& session);
// What lists add to a session that is replaying.
inline constexpr char kReadingNote[] = ", its log is still being read";
// The processes whose working directory is that of the session, the best first.
std::vector<int> DirectoryProcesses(const session::Session& session);
// The directory the foreground program is in, as the kernel knows it, or on
// another machine the shell (empty: not known): its name as it is, and fit for
// a header.
std::string WorkingDirectory(const session::Session& session);
std::string CurrentDirectory(const session::Session& session);
// "~/app" for a path below the user's home.
std::string HomeRelative(std::string path);
// "pid 812 listening on 5173: node server.js", for what survived a close.
std::string DescribeProcess(const session::ProcessInfo& process);

// Reads what this client has not seen and answers with it: the common end of
// term_open, term_send, term_wait and term_read. `picture_file`: see
// FinishWithPicture (tools/pictures.h).
Task<mcp::ToolResult> ReadAndReply(Workbench* bench, mcp::ToolCall* call,
                                   Reply reply, session::SessionRef session,
                                   view::ReadRequest request,
                                   ReplyFormat format, bool peek,
                                   std::string picture_file);
Task<mcp::ToolResult> ReadAndReply(Workbench* bench, mcp::ToolCall* call,
                                   Reply reply, session::SessionRef session,
                                   view::ReadRequest request,
                                   ReplyFormat format, bool peek);

}  // namespace glasstty
