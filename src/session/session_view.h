// What a session shows to those who read it and wait for it: the const half of
// Session, for readers (view/), conditions (waits/) and observers.
//
// Nothing here changes the session. Whoever waits for something that the
// session finds out only on request keeps an interest in it meanwhile: the
// session then asks, and judges what it is told, by itself.
//
// Owns what is known of the session; the Session behind it is the only one that
// changes it (session/session.h, where a session's life is described). Loop
// thread only.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "record/command_log.h"
#include "record/folder.h"
#include "record/history.h"
#include "record/origin.h"
#include "record/read_mark.h"
#include "session/flood.h"
#include "session/listeners.h"
#include "session/log_feed.h"
#include "session/person.h"
#include "session/prober.h"
#include "session/process_info.h"
#include "session/prompt_watch.h"
#include "session/state.h"
#include "session/typing_turn.h"
#include "support/loop.h"
#include "support/wait.h"
#include "terminal/terminal.h"
#include "wire/packets.h"

namespace glasstty::session {

// A link that the program gave a text (OSC 8).
struct Link {
  int64_t line = 0;  // of its beginning
  std::string uri;
};

// What a session finds out only while somebody wants to know.
enum class Interest {
  // Texts that are there for a moment only: output is fed in moments
  // (terminal/moment.h), which costs time in a flood.
  kText,
  kState,  // settled_state()
  // The same, while the program draws screens.
  kScreenState,
  // What the kernel says of the foreground (prober()), also where the shell has
  // said enough for the state.
  kForeground,
  kPorts,  // who listens on a TCP port (listeners())
};
inline constexpr size_t kInterests = 5;

class SessionView {
 public:
  SessionView(const SessionView&) = delete;
  SessionView& operator=(const SessionView&) = delete;

  // While anybody keeps the result, the session finds out about it; the first
  // question is asked at once.
  using Kept = std::shared_ptr<const void>;
  Kept Keep(Interest interest) const;

  // Constant.
  const record::SessionOrigin& origin() const { return origin_; }
  const std::string& name() const { return origin_.name; }
  // The session's directory. A session that has ended keeps no descriptor.
  record::Folder::Hold OpenDirectory() const { return folder_.Open(); }
  Loop* loop() const { return loop_; }

  // Life.
  bool started() const { return leader_pid_ > 0; }
  // Why it could not be started; OK while that is open.
  const absl::Status& start_error() const { return start_error_; }
  // The status is known and the last byte before it has been fed, so a screen
  // that is read now is the final one of the program.
  bool exited() const;
  // As waitpid(2) gives it. REQUIRES: exited().
  int exit_status() const { return exit_->status; }
  // The holder is gone: nothing runs any more, or we were let go of.
  bool ended() const { return ended_; }
  // It ended without an exit status: the holder was killed.
  bool holder_lost() const;
  // All that will ever come has been read.
  bool finished() const { return exited() || holder_lost(); }
  int leader_pid() const { return leader_pid_; }
  // When this server met the session: for an adopted one, the adoption.
  Time started_at() const { return started_at_; }
  // Since when there has been no connection to the machine on which the program
  // runs; nullopt: there is one, or it is this machine.
  std::optional<Time> away_since() const { return away_since_; }
  // The last time that there was none, once it is over.
  struct Absence {
    uint64_t number = 0;  // 0: there has been none
    Duration lasted{};
    uint64_t printed = 0;  // bytes
  };
  const Absence& absence() const { return absence_; }
  // Why nothing is known of the session's end, in words; empty for a session on
  // this machine.
  std::string WhyLost() const;
  // Since when no relay has had it (Session::CutOff).
  Time cut_off_since() const { return cut_off_since_.value_or(loop_->Now()); }
  // True while a log is replayed that an earlier server left.
  bool replaying() const { return feed_.consumed() < replay_end_; }
  // It is adopted, and it is not known yet how far its log goes.
  bool awaits_replay() const { return replay_end_ == ~uint64_t{0}; }
  // What the earlier server's reader had seen; at the beginning else.
  // Complete once replaying() is false.
  const record::ReadMark& inherited_mark() const { return inherited_mark_; }
  // The holder has said what is left after the last Session::Close.
  bool close_reported() const { return close_reported_; }
  // Somebody wants its end.
  bool close_asked() const { return close_asked_; }
  const std::vector<ProcessInfo>& survivors() const { return survivors_; }

  // The screen and the stream.
  const terminal::Terminal& terminal() const { return *terminal_; }
  const LogFeed& feed() const { return feed_; }
  // Every line since the beginning.
  const record::History& history() const { return history_; }
  // The commands that its shells ran.
  const record::CommandLog& commands() const { return commands_; }
  // The last thousand, in order.
  const std::deque<Link>& links() const { return links_; }
  // stderr of a session without a terminal, as lines; else null.
  const terminal::Terminal* errors() const;
  const record::History* error_history() const;
  // When output was last fed, not printed; the beginning counts as output.
  Time last_output() const { return flood_.last(); }
  // There is output that has not been fed.
  bool HasUnfed() const { return !feed_.drained(); }
  // The screen is behind a program that prints much, and will not catch up
  // soon: no verdict about the program could be of this screen.
  bool IsBehind() const;
  // Prints much and has for a while: whatever is known of its state is out of
  // date at once.
  bool IsFlooding() const;
  // The cursor's line up to the cursor: the prompt or question, if any.
  std::string TextBeforeCursor() const;
  // Counters for edges: a wait remembers one and compares.
  uint64_t bell_count() const { return bell_count_; }
  uint64_t title_count() const { return title_count_; }
  // Met unless the program is in the middle of drawing a frame (DECSET 2026):
  // what is on the screen then is nothing to match or to show. Not believed
  // for longer than kFrameLimit, for a program may die in a frame.
  static constexpr Duration kFrameLimit = std::chrono::milliseconds(150);
  Verdict IsFrameWhole() const;
  // The program puts its output in rows of its choice, on the primary screen:
  // it has done so often, or has its cursor where none is that edits a line.
  bool AddressesRows() const;
  // It shows screens rather than lines.
  bool DrawsScreens() const;
  // Terminal::row_addresses since a shell was last seen at its prompt.
  uint64_t row_addresses() const {
    return terminal_->row_addresses() - prompt_.addresses_at_prompt();
  }

  // Input. Nothing that was typed with this serial, or before, is unread.
  bool consumed(uint64_t serial) const { return consumed_ >= serial; }
  // Serial of the last packet of input; 0 before the first.
  uint64_t last_write() const { return write_serial_; }
  // A packet of input that was not wholly taken, and why.
  struct Refusal {
    uint64_t serial = 0;
    wire::WriteRefusal why{};
    // Bytes of that packet that were typed all the same.
    uint64_t taken = 0;
  };
  // The first with a serial in (after, upto]; null: none. The last 64 are
  // known, and the pointer is good until the next packet.
  const Refusal* FindRefusal(uint64_t after, uint64_t upto) const;
  // The person at the keyboard. What the server writes is refused meanwhile.
  const Person& person() const { return person_; }
  // Which call may type now, and whether a command is typed and waited for.
  const TypingTurn& turn() const { return turn_; }
  bool run_slot_taken() const { return run_slot_taken_; }

  // What is known of the prompt of its shell.
  const PromptWatch& prompt() const { return prompt_; }
  // The line at the prompt may hold something; if it does not, what stands
  // behind the prompt is a background job's.
  bool typed_at_prompt() const { return prompt_.line() != PromptLine::kEmpty; }
  // Whether the program has ever waited for input: before that, a shell may
  // throw away what is typed.
  bool has_been_ready() const { return prompt_.has_been_ready(); }

  // The state of the program for the screen that is shown; null: not known
  // yet. It becomes known while somebody keeps an interest in it.
  std::optional<SessionState> settled_state() const;
  // What is known, however old. Weaker evidence where the answer is stale.
  SessionState LastState() const;
  const wire::ProbeAnswer* last_probe() const { return prober_.last(); }
  const Prober& prober() const { return prober_; }
  // Who listens on a TCP port.
  const Listeners& listeners() const { return listeners_; }

 private:
  // The only one that changes anything.
  friend class Session;

  // What makes the session go on, called from the loop.
  struct Hooks {
    LogFeed::Cut cut;
    std::function<bool()> fed;
    std::function<void(uint64_t serial)> probe, ask_ports;
    // Somebody has begun to keep an interest.
    std::function<void()> wanted;
  };
  SessionView(Loop* loop, record::SessionOrigin origin, record::Folder folder,
              std::unique_ptr<terminal::Terminal> terminal,
              std::unique_ptr<terminal::Terminal> errors, Hooks hooks);
  ~SessionView() = default;

  bool Wants(Interest interest) const;
  // The shell has said that it is at its prompt, and the screen shows it.
  bool IsAtShownPrompt() const;
  bool AllDrained() const;
  Duration QuietFor() const;
  std::string ShellName() const;
  ShellView ViewOfShell() const;

  struct Exit {
    uint64_t offset;
    uint64_t errors_offset;
    int status;
  };
  // Sessions without a terminal only.
  struct Errors {
    std::unique_ptr<terminal::Terminal> terminal;
    record::History history;
    LogFeed feed;
  };

  // Constant.
  const record::SessionOrigin origin_;
  Loop* const loop_;
  const std::function<void()> wanted_;
  // Owned.
  const record::Folder folder_;
  record::Folder::Hold directory_;  // null once all has been read
  std::unique_ptr<terminal::Terminal> terminal_;
  record::History history_;
  record::CommandLog commands_;
  LogFeed feed_;
  std::unique_ptr<Errors> errors_;
  Prober prober_;
  Listeners listeners_;
  // Interests are no part of what is shown.
  mutable std::array<std::weak_ptr<const void>, kInterests> kept_;
  // State.
  std::optional<Exit> exit_;
  absl::Status start_error_;
  int leader_pid_ = 0;
  bool ended_ = false;
  std::optional<Time> away_since_;
  Absence absence_;
  std::optional<Time> cut_off_since_;
  bool close_reported_ = false;
  bool close_asked_ = false;
  std::vector<ProcessInfo> survivors_;
  PromptWatch prompt_;
  Person person_;
  bool run_slot_taken_ = false;
  TypingTurn turn_;
  // 0 is "none". They count from 1, or for a session on another machine from
  // where no earlier server has come to.
  uint64_t write_serial_ = 0;
  Time typed_at_ = Time::min();
  uint64_t consumed_ = 0;
  std::deque<Refusal> refusals_;  // the oldest first
  uint64_t replay_end_ = 0;       // ~0: not known yet
  // All zero, the mark of one who has seen nothing, unless another server left
  // one.
  record::ReadMark inherited_mark_;
  std::deque<Link> links_;
  uint64_t bell_count_ = 0;
  uint64_t title_count_ = 0;
  Time started_at_;
  Flood flood_;
  Time frame_began_;  // the last one
};

// A coroutine that reads or waits keeps the session alive after it was closed.
using SessionViewRef = std::shared_ptr<const SessionView>;

}  // namespace glasstty::session
