// One live terminal: the connection to its holder, the tail of its log, the
// screen fed from it, the waits on it.
//
// This is what a session can be told to do; what it shows is SessionView. Does
// not own the program (the holder does), nor what each reader has seen
// (view/reader.h), nor how replies look (tools/). Held by SessionRef: a
// coroutine that waits keeps it alive after it was closed. Loop thread only;
// the SessionManager that makes it outlives it.
//
// Life: starting -> running -> exited (the last byte was read and the status
// is known) -> ended (the holder is gone: nothing of the session runs any
// more). A session that is exited or ended stays readable.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "session/channel.h"
#include "session/session_view.h"

namespace glasstty::session {

class Session;
using SessionRef = std::shared_ptr<Session>;

class Session : public SessionView, public ChannelListener {
 public:
  // `channel` is null when no holder lives.
  // Error: a size that CheckSize refuses. `folder` is the session's own; `loop`
  // must outlive the session.
  static absl::StatusOr<SessionRef> Create(Loop* loop,
                                           record::SessionOrigin origin,
                                           record::Folder folder,
                                           std::unique_ptr<Channel> channel);
  ~Session() override;

  // `co_await session->WaitFor(...)`.
  Wait WaitFor(Predicate predicate, Time deadline, Cancellation* cancellation);
  WaiterList* waiters() { return &waiters_; }
  // Called after each change, whoever waits; one at most. It must not change
  // the session.
  void SetObserver(std::function<void()> observer) {
    observer_ = std::move(observer);
  }
  // Ends all waits with kClosed: the server goes away or forgets the session.
  void Abandon();

  // One command at a time is typed at the shell and waited for. False: another
  // is. The caller gives the slot back.
  bool TakeRunSlot() { return !std::exchange(run_slot_taken_, true); }
  void ReleaseRunSlot();
  // Which call may type now; taken by typing/turn.h.
  using SessionView::turn;
  TypingTurn* turn() { return &turn_; }
  void ReleaseTurn();
  void ExpectRun(uint64_t run) { commands_.ExpectRun(run); }

  // Bytes of one call stay together. Returns the serial that consumed() reaches
  // when nothing typed is unread any more.
  uint64_t Write(std::string_view bytes, uint64_t flags = wire::kWritePlain);
  // Shows whoever looks on what is asked of them; empty: nothing any more.
  void Ask(std::string_view what) {
    SendHeader(wire::PacketType::kAsk, 0, 0, what);
  }
  // The size holds once size() shows it; the program gets SIGWINCH.
  void Resize(terminal::Size size);
  void Signal(int signal, wire::SignalTarget target);
  // A file for the program to read, in the session's directory where the
  // program runs. DropFile removes it, if it is there still; without a
  // connection, once there is one.
  absl::Status PutFile(const std::string& name, const std::string& content);
  void DropFile(const std::string& name);

  // Ends the program: politely, then by SIGKILL after `grace`. What left the
  // session (setsid, nohup) is ended too when `kill_survivors`; else it is
  // reported by survivors() when close_reported().
  void Close(Duration grace, bool eof, bool kill_survivors);
  // For how long programs outlive a dead server, and how many bytes of the log
  // and of its lines are kept; what is more goes.
  void SetPolicy(uint64_t grace_ms, uint64_t log_cap);
  // Stores how far the session's reader has read, for the next server.
  // `offset` is a byte in the log. Failure is silent: the mark is a courtesy.
  void PersistMark(uint64_t offset);

  // A log is shown to the emulator so often before it is blamed for the death
  // of the servers; they may have been killed.
  static constexpr int kMostReplays = 3;
  // Adoption of a session that another server left; right after Create.
  struct Adopted {
    // Bytes that the reader of the earlier server had seen.
    uint64_t read_to = 0;
    // From which byte of output on the terminal had which size, in order.
    std::vector<std::pair<uint64_t, terminal::Size>> resizes;
    // Servers that died while they replayed this log.
    int failed_replays = 0;
    // Without a holder: where the log ends, and the status if it is known.
    bool dead = false;
    uint64_t end = 0;
    uint64_t errors_end = 0;
    std::optional<int> exit_status;
  };
  void Adopt(const Adopted& adopted);

  // The near relay of a session on another machine has died, while the session
  // goes on there. What OnCutOff has been given is called: Resume or GiveUp,
  // now or later. `again`: no relay has had it since the last time.
  void CutOff();
  void OnCutOff(std::function<void(bool again)> cut_off) {
    report_cut_off_ = std::move(cut_off);
  }
  // Goes on over `channel`, a connection to the next relay.
  void Resume(std::unique_ptr<Channel> channel);
  // There will be none.
  void GiveUp();
  // Something that waits may look at has changed outside of the session; what
  // was known of its program is of before.
  void LookAgain();

 private:
  Session(Loop* loop, record::SessionOrigin origin, record::Folder folder,
          std::unique_ptr<Channel> channel,
          std::unique_ptr<terminal::Terminal> terminal,
          std::unique_ptr<terminal::Terminal> errors);

  void OnPacket(const wire::Packet& packet) override;
  void OnGone() override;
  void OnWelcome(const wire::Packet& packet);
  void OnStarted(const wire::PacketHeader& header);
  void OnAway(const wire::PacketHeader& header);
  void Listen(std::unique_ptr<Channel> channel);
  void EndNow();
  void Remember(const wire::PacketHeader& header, std::string_view payload);
  void Answered(const wire::PacketHeader& header);
  void OnConsumed(const wire::Packet& packet);
  void OnState(const wire::Packet& packet);
  void OnLease(const wire::Packet& packet);
  void OnTreeRow(const wire::Packet& packet);
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
  void Disturb();
  void SendReplies(std::string_view replies);
  uint64_t SendInput(std::string_view bytes, uint64_t flags);
  void Refuse(Refusal refusal);
  void Acknowledge();
  // Asks what somebody keeps an interest in, and takes in what is known.
  void Judge();
  void Changed();
  void SendHeader(wire::PacketType type, uint64_t a = 0, uint64_t b = 0,
                  std::string_view payload = {});

  // Owned.
  // The listener of the channel is this session.
  std::unique_ptr<Channel> channel_;  // null when no holder lives
  WaiterList waiters_;
  std::function<void()> observer_;
  std::function<void(bool again)> report_cut_off_;
  // Armed while somebody keeps an interest in what the holder must be asked.
  Timer judge_timer_;
  // State.
  // Of a session on another machine, the last request of each kind that has no
  // answer yet.
  std::map<wire::PacketType, std::pair<wire::PacketHeader, std::string>> asked_;
  // Rows of a report arrive one a packet; they are shown when it is complete.
  std::vector<ProcessInfo> arriving_processes_;
  // Offset up to which the holder has been told that we have fed, of both logs
  // together.
  uint64_t acked_ = 0;
  int failed_replays_ = 0;
  uint64_t persisted_mark_ = 0;  // as the file says
  // Whoever was woken by the end of a frame has not looked at it yet.
  bool frame_ended_ = false;
};

// What the files of a left session tell without its holder. `dead`: there is
// none.
Session::Adopted InspectLeft(int directory, bool dead);

}  // namespace glasstty::session
