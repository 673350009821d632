// One live terminal: the connection to its holder, the tail of its log, the
// screen fed from it, the waits on it.
//
// Does not own the program (the holder does), nor what each reader has seen
// (view/reader.h), nor how replies look (tools/). Held by SessionRef: a
// coroutine that waits keeps it alive after it was closed. Loop thread only;
// the SessionManager that makes it outlives it.
//
// Life: starting -> running -> exited (the last byte was read and the status
// is known) -> ended (the holder is gone: nothing of the session runs any
// more). A session that is exited or ended stays readable.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "record/command_log.h"
#include "record/folder.h"
#include "record/history.h"
#include "record/origin.h"
#include "record/read_mark.h"
#include "session/channel.h"
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

namespace glasstty {

// A link that the program gave a text (OSC 8).
struct Link {
  int64_t line = 0;  // of its beginning
  std::string uri;
};

class Session;
using SessionRef = std::shared_ptr<Session>;

class Session : public ChannelListener {
 public:
  // `channel` is null when no holder lives.
  // Error: a size that CheckSize refuses. `folder` is the session's own; `loop`
  // must outlive the session.
  static absl::StatusOr<SessionRef> Create(Loop* loop, SessionOrigin origin,
                                           Folder folder,
                                           std::unique_ptr<Channel> channel);
  ~Session() override;

  // Constant.
  const SessionOrigin& origin() const { return origin_; }
  const std::string& name() const { return origin_.name; }
  // The session's directory. A session that has ended keeps no descriptor.
  Folder::Hold OpenDirectory() const { return folder_.Open(); }
  // A file for the program to read, in the session's directory where the
  // program runs. DropFile removes it, if it is there still.
  absl::Status PutFile(const std::string& name, const std::string& content);
  void DropFile(const std::string& name);
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
  // Why nothing is known of its end, in words; empty for one of this machine.
  std::string WhyLost() const;
  // The near relay of a session on another machine has died, while the session
  // goes on there. What OnCutOff has been given is called: Resume or GiveUp,
  // now or later. `again`: no relay has had it since the last time.
  void CutOff();
  void OnCutOff(std::function<void(bool again)> cut_off) {
    report_cut_off_ = std::move(cut_off);
  }
  // Since when no relay has had it.
  Time cut_off_since() const { return cut_off_since_.value_or(loop_->Now()); }
  // Goes on over `channel`, a connection to the next relay.
  void Resume(std::unique_ptr<Channel> channel);
  // There will be none.
  void GiveUp();
  // Something that waits may look at has changed outside of the session; what
  // was known of its program is of before.
  void LookAgain();

  // The screen and the stream.
  const Terminal& terminal() const { return *terminal_; }
  Terminal& terminal() { return *terminal_; }
  const LogFeed& feed() const { return feed_; }
  // Every line since the beginning.
  const History& history() const { return history_; }
  // The commands that its shells ran.
  const CommandLog& commands() const { return commands_; }
  // One command at a time is typed at the shell and waited for. False: another
  // is. The caller gives the slot back.
  bool TakeRunSlot() { return !std::exchange(run_slot_taken_, true); }
  void ReleaseRunSlot();
  bool run_slot_taken() const { return run_slot_taken_; }
  // Which call may type now; taken by typing/turn.h.
  TypingTurn* turn() { return &turn_; }
  const TypingTurn& turn() const { return turn_; }
  void ReleaseTurn();
  void ExpectRun(uint64_t run) { commands_.ExpectRun(run); }
  // The last thousand, in order.
  const std::deque<Link>& links() const { return links_; }
  // stderr of a session without a terminal, as lines; else null.
  const Terminal* errors() const;
  const History* error_history() const;
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
  // While somebody holds this and waits, output is fed in moments (moment.h),
  // so that a text which is there for a moment only can be seen. Costs time in
  // a flood.
  std::shared_ptr<const void> LookClosely();
  // True while a log is replayed that an earlier server left.
  bool replaying() const { return feed_.consumed() < replay_end_; }
  // It is adopted, and it is not known yet how far its log goes.
  bool awaits_replay() const { return replay_end_ == ~uint64_t{0}; }

  // Input. Bytes of one call stay together. Returns the serial that
  // consumed() reaches when nothing typed is unread any more.
  uint64_t Write(std::string_view bytes, uint64_t flags = kWritePlain);
  bool consumed(uint64_t serial) const { return consumed_ >= serial; }
  // Serial of the last packet of input; 0 before the first.
  uint64_t last_write() const { return write_serial_; }
  // A packet of input that was not wholly taken, and why.
  struct Refusal {
    uint64_t serial = 0;
    WriteRefusal why{};
    // Bytes of that packet that were typed all the same.
    uint64_t taken = 0;
  };
  // The first with a serial in (after, upto]; null: none. The last 64 are
  // known, and the pointer is good until the next packet.
  const Refusal* FindRefusal(uint64_t after, uint64_t upto) const;

  // The person at the keyboard. What the server writes is refused meanwhile.
  const Person& person() const { return person_; }
  // Shows whoever looks on what is asked of them; empty: nothing any more.
  void Ask(std::string_view what) { SendHeader(PacketType::kAsk, 0, 0, what); }

  // The size holds once size() shows it; the program gets SIGWINCH.
  void Resize(Size size);
  void Signal(int signal, SignalTarget target);
  // Ends the program: politely, then by SIGKILL after `grace`. What left the
  // session (setsid, nohup) is ended too when `kill_survivors`; else it is
  // reported by survivors() when close_reported().
  void Close(Duration grace, bool eof, bool kill_survivors);
  bool close_reported() const { return close_reported_; }
  // Somebody wants its end.
  bool close_asked() const { return close_asked_; }
  const std::vector<ProcessInfo>& survivors() const { return survivors_; }
  // For how long programs outlive a dead server, and how many bytes of the log
  // and of its lines are kept; what is more goes.
  void SetPolicy(uint64_t grace_ms, uint64_t log_cap);

  // What is known of the prompt of its shell.
  const PromptWatch& prompt() const { return prompt_; }
  // The line at the prompt may hold something; if it does not, what stands
  // behind the prompt is a background job's.
  bool typed_at_prompt() const { return prompt_.line() != PromptLine::kEmpty; }

  // The program puts its output in rows of its choice, on the primary screen:
  // it has done so often, or has its cursor where none is that edits a line.
  bool AddressesRows() const;
  // Terminal::row_addresses since a shell was last seen at its prompt.
  uint64_t row_addresses() const {
    return terminal_->row_addresses() - prompt_.addresses_at_prompt();
  }

  // State. Wants a probe, so call it only when somebody asks. Null: not known
  // yet; look again when woken.
  std::optional<SessionState> FreshState();
  // Whether the program has ever waited for input: before that, a shell may
  // throw away what is typed.
  bool has_been_ready() const { return prompt_.has_been_ready(); }
  // What is known, however old.
  // Never waits and asks nobody. Weaker evidence where the answer is stale.
  SessionState LastState() const;
  const ProbeAnswer* last_probe() const { return prober_.last(); }
  const Prober& prober() const { return prober_; }
  // Asks the kernel even where the shell has said enough.
  void WantProbe() { prober_.Want(); }
  // Who listens on a TCP port; a report wakes the waits.
  Listeners* listeners() { return &listeners_; }

  // `co_await session->WaitFor(...)`.
  Wait WaitFor(Predicate predicate, Time deadline, Cancellation* cancellation);
  WaiterList* waiters() { return &waiters_; }

  // A log is shown to the emulator so often before it is blamed for the death
  // of the servers; they may have been killed.
  static constexpr int kMostReplays = 3;
  // Adoption of a session that another server left; right after Create.
  struct Adopted {
    // Bytes that the reader of the earlier server had seen.
    uint64_t read_to = 0;
    // From which byte of output on the terminal had which size, in order.
    std::vector<std::pair<uint64_t, Size>> resizes;
    // Servers that died while they replayed this log.
    int failed_replays = 0;
    // Without a holder: where the log ends, and the status if it is known.
    bool dead = false;
    uint64_t end = 0;
    uint64_t errors_end = 0;
    std::optional<int> exit_status;
  };
  void Adopt(const Adopted& adopted);
  // What the earlier server's reader had seen; at the beginning else.
  // Complete once replaying() is false.
  const ReadMark& inherited_mark() const { return inherited_mark_; }
  // Stores how far the session's reader has read, for the next server.
  // `offset` is a byte in the log. Failure is silent: the mark is a courtesy.
  void PersistMark(uint64_t offset);

  // Called after each change, whoever waits; one at most. It must not change
  // the session.
  void SetObserver(std::function<void()> observer) {
    observer_ = std::move(observer);
  }

  // Ends all waits with kClosed: the server goes away or forgets the session.
  void Abandon();

 private:
  Session(Loop* loop, SessionOrigin origin, Folder folder,
          std::unique_ptr<Channel> channel, std::unique_ptr<Terminal> terminal,
          std::unique_ptr<Terminal> errors);

  struct Exit {
    uint64_t offset;
    uint64_t errors_offset;
    int status;
  };

  void OnPacket(const Packet& packet) override;
  void OnGone() override;
  void OnWelcome(const Packet& packet);
  void OnStarted(const PacketHeader& header);
  void OnAway(const PacketHeader& header);
  void Listen(std::unique_ptr<Channel> channel);
  void EndNow();
  void Remember(const PacketHeader& header, std::string_view payload);
  void Answered(const PacketHeader& header);
  void OnConsumed(const Packet& packet);
  void OnState(const Packet& packet);
  void OnLease(const Packet& packet);
  void OnTreeRow(const Packet& packet);
  void OnTreeEnd(uint64_t serial);

  void BeginReplay(uint64_t end);
  void BeginErrorReplay();
  void EndReplay();
  void SetExit(Exit exit);
  void MarkEnded();
  void CloseFiles();
  size_t NextMoment(std::string_view bytes) const;
  bool Fed();
  void OutputReaches(uint64_t end);
  bool IsFedLast() const;
  // `is_live`: what the emulator has seen was printed just now.
  void TakeEvents(bool is_live);
  Duration QuietFor() const;
  void Disturb();
  void SendReplies(std::string_view replies);
  uint64_t SendInput(std::string_view bytes, uint64_t flags);
  void Refuse(Refusal refusal);
  void Acknowledge();
  std::string ShellName() const;
  ShellView ViewOfShell() const;
  void Changed();
  void SendHeader(PacketType type, uint64_t a = 0, uint64_t b = 0,
                  std::string_view payload = {});

  // Constant.
  const SessionOrigin origin_;
  Loop* const loop_;
  // Owned.
  const Folder folder_;
  Folder::Hold directory_;  // null once all has been read
  // The listener of the channel is this session.
  std::unique_ptr<Channel> channel_;  // null when no holder lives
  std::unique_ptr<Terminal> terminal_;
  History history_;
  CommandLog commands_;
  LogFeed feed_;
  // Sessions without a terminal only.
  struct Errors {
    std::unique_ptr<Terminal> terminal;
    History history;
    LogFeed feed;
  };
  std::unique_ptr<Errors> errors_;
  Prober prober_;
  Listeners listeners_;
  WaiterList waiters_;
  std::weak_ptr<const void> close_look_;
  std::function<void()> observer_;
  // State.
  std::optional<Exit> exit_;
  absl::Status start_error_;
  int leader_pid_ = 0;
  bool ended_ = false;
  std::optional<Time> away_since_;
  Absence absence_;
  std::optional<Time> cut_off_since_;
  std::function<void(bool again)> report_cut_off_;
  // Of a session on another machine, the last request of each kind that has no
  // answer yet.
  std::map<PacketType, std::pair<PacketHeader, std::string>> asked_;
  // The holder has said what is left after the last Close.
  bool close_reported_ = false;
  bool close_asked_ = false;
  PromptWatch prompt_;
  Person person_;
  bool run_slot_taken_ = false;
  TypingTurn turn_;
  // Rows of a report arrive one a packet; they are shown when it is complete.
  std::vector<ProcessInfo> survivors_, arriving_processes_;
  // 0 is "none". They count from 1, or for a session on another machine from
  // where no earlier server has come to.
  uint64_t write_serial_ = 0;
  Time typed_at_ = Time::min();
  uint64_t consumed_ = 0;
  std::deque<Refusal> refusals_;  // the oldest first
  // Offset up to which the holder has been told that we have fed, of both logs
  // together.
  uint64_t acked_ = 0;
  uint64_t replay_end_ = 0;  // ~0: not known yet
  int failed_replays_ = 0;
  uint64_t persisted_mark_ = 0;  // as the file says
  // All zero, the mark of one who has seen nothing, unless another server left
  // one.
  ReadMark inherited_mark_;
  std::deque<Link> links_;
  uint64_t bell_count_ = 0;
  uint64_t title_count_ = 0;
  Time started_at_;
  Flood flood_;
  Time frame_began_;  // the last one
  // Whoever was woken by the end of a frame has not looked at it yet.
  bool frame_ended_ = false;
};

// What the files of a left session tell without its holder. `dead`: there is
// none.
Session::Adopted InspectLeft(int directory, bool dead);

}  // namespace glasstty
