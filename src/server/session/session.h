// A session: the connection to its holder, the tail of its log, the screen that
// shows the log, and the waits for its changes.
//
// Owns its parts (session/parts.h), combines them, and exposes them as const,
// except for the input and the files. Code that only reads, judges or watches
// (view/, waits/) holds a const Session. Some facts are found out only while a
// caller keeps an interest in them (questions.h), which a const Session allows.
//
// Does not own the program (the holder does), what each reader has seen
// (view/reader.h), or the form of replies (tools/). Held by SessionRef, so that
// a coroutine that waits keeps a closed session alive. Loop thread only; the
// SessionManager outlives all sessions.
//
// A session's life: starting -> running -> exited (the status is known; see
// Verdict::exited for the last byte) -> ended (the holder is gone; see
// Life::end_told). A session that has exited or ended can still be read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "session/channel.h"
#include "session/holder_news.h"
#include "session/parts.h"
#include "session/replay.h"
#include "session/session_files.h"
#include "session/verdict.h"
#include "support/loop.h"
#include "support/wait.h"
#include "wire/messages.h"

namespace glasstty::session {

class Session;
using SessionRef = std::shared_ptr<Session>;
using ConstSessionRef = std::shared_ptr<const Session>;

class Session : public ChannelListener {
 public:
  // `channel` is null if there is no connection to a holder. `folder` is the
  // session's; `loop` must outlive the session. Error: CheckSize refuses the
  // size.
  static absl::StatusOr<SessionRef> Create(Loop* loop,
                                           record::SessionOrigin origin,
                                           record::Folder folder,
                                           std::unique_ptr<Channel> channel);
  // Like Create, for a session that another server of the user has opened and
  // owns. A guest can be read, awaited and ended. To type into a guest, ask for
  // the keyboard first (AskForKeyboard). `channel` is an ObserverChannel, or
  // null.
  static absl::StatusOr<SessionRef> CreateGuest(
      Loop* loop, record::SessionOrigin origin, record::Folder folder,
      std::unique_ptr<Channel> channel);
  ~Session() override;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Constant, except for the name.
  const record::SessionOrigin& origin() const { return parts_.origin; }
  const std::string& name() const { return parts_.origin.name; }
  // Only for SessionList::Rename, which keeps names unique.
  void SetName(std::string name) { parts_.origin.name = std::move(name); }
  Loop* loop() const { return parts_.loop; }
  // True if another server owns the session (CreateGuest).
  bool is_guest() const { return parts_.is_guest; }
  // The session's directory. A session that has ended keeps no descriptor.
  record::Folder::Hold OpenDirectory() const { return parts_.folder.Open(); }

  // The parts, and conclusions from several of them.
  const Life& life() const { return parts_.life; }
  const Contact& contact() const { return parts_.contact; }
  const Output& output() const { return parts_.output; }
  // stderr of a session without a terminal, as lines; else null.
  const Output* errors() const { return parts_.errors.get(); }
  const Events& events() const { return parts_.events; }
  const InputQueue& input() const { return parts_.input; }
  const Questions& questions() const { return parts_.questions; }
  // The person at the keyboard. While there is one, the holder refuses the
  // server's writes.
  const Person& person() const { return parts_.person; }
  const Verdict& verdict() const { return verdict_; }
  bool finished() const { return verdict_.finished(); }

  // Use as `co_await session->WaitFor(...)`. Waits check their predicate after
  // each change of the session.
  Wait WaitFor(Predicate predicate, Time deadline,
               Cancellation* cancellation) const;
  WaiterList* waiters() const { return &parts_.waiters; }
  // `observer` is called after each change, even if nobody waits. There is at
  // most one observer. It must not change the session.
  void SetObserver(std::function<void()> observer) {
    observer_ = std::move(observer);
  }
  // Like SetObserver, for the sentry, which watches the session all its life.
  void SetSentry(std::function<void()> sentry) { sentry_ = std::move(sentry); }
  // Ends all waits with kClosed, when the server exits or forgets the session.
  void Abandon();
  // Call this after a change outside the session that waits on the session may
  // check. Earlier answers about the program become stale.
  void LookAgain();

  // To type a command, first take the turn (typing/turn.h) and the run slot.
  InputQueue* mutable_input() { return &parts_.input; }
  SessionFiles* files() { return &files_; }
  // Announces that the next command will be typed together with its own marks,
  // which carry the number `run` (record/command_log.h).
  void ExpectRun(uint64_t run) { parts_.events.commands()->ExpectRun(run); }
  // Types bytes of a call; no other input comes between them. `flags` are as in
  // wire::Write. Returns the serial that input().consumed() reaches once the
  // program has read everything typed so far.
  uint64_t Write(std::string_view bytes, uint64_t flags = wire::kWritePlain);
  // For a guest: asks the session's server for the keyboard, for one call. The
  // call has the keyboard once person().is_own_call() is true, until
  // GiveKeyboardBack. Returns false if there is no connection.
  bool AskForKeyboard();
  // Gives the keyboard back, or withdraws the request for it.
  void GiveKeyboardBack() {
    parts_.person.GiveBack();
    parts_.link.Send(wire::Give{});
  }
  // Shows a request to the people who watch the session; empty removes it.
  void Ask(std::string_view what) { parts_.link.Send(wire::Ask{what}); }
  // Changes the size. output().terminal() takes the new size once all output
  // from before the change has been fed. The program gets SIGWINCH.
  void Resize(terminal::Size size);
  // Returns false, and sends nothing, while the program cannot be reached.
  bool Signal(int signal, wire::SignalTarget target);
  // Ends the program: politely (with `eof`, by an end-of-file character first),
  // then by SIGKILL after `grace`. Processes that survive this (started by
  // setsid or nohup) are killed, too, if `kill_survivors`; otherwise
  // life().survivors() reports them once close_reported().
  void Close(Duration grace, bool eof, bool kill_survivors);
  // Sets how long programs outlive a dead server, and how many bytes are kept
  // of the log and, separately, of the archived lines.
  void SetPolicy(uint64_t grace_ms, uint64_t log_cap);

  // Takes over a session that another server has left or, for a guest, still
  // owns. Call this right after Create or CreateGuest.
  void Adopt(const Replay::Left& left);

  // The near relay of a session on another machine has died, while the session
  // continues there. Calls the function set by OnCutOff; Resume or GiveUp must
  // follow later. `again`: the session had been cut off before, and no relay
  // has had it since.
  void CutOff();
  void OnCutOff(std::function<void(bool again)> cut_off) {
    report_cut_off_ = std::move(cut_off);
  }
  // Continues the session over `channel`, a connection to the next relay.
  void Resume(std::unique_ptr<Channel> channel);
  // There will be no further relay.
  void GiveUp();

 private:
  Session(Loop* loop, record::SessionOrigin origin, record::Folder folder,
          std::unique_ptr<Channel> channel,
          std::unique_ptr<terminal::Terminal> terminal,
          std::unique_ptr<terminal::Terminal> errors, const std::string& guest);
  static absl::StatusOr<SessionRef> Make(Loop* loop,
                                         record::SessionOrigin origin,
                                         record::Folder folder,
                                         std::unique_ptr<Channel> channel,
                                         const std::string& guest);

  void OnPacket(const wire::Packet& packet) override;
  void OnGone() override;
  // For a guest without a connection: reads the files, and schedules Reconnect.
  void FollowFiles();
  void Reconnect();
  void EndNow();
  void MarkEnded();
  void CloseFiles();
  size_t NextMoment(std::string_view bytes) const;
  bool Fed();
  void Disturb();
  void Acknowledge();
  // Requests the facts in which a caller keeps an interest, and passes the
  // current state to the parts that depend on it.
  void Judge();
  void Changed();

  // Owned. Later ones borrow from earlier ones.
  Parts parts_;
  const Verdict verdict_{&parts_};
  Replay replay_{&parts_};
  HolderNews news_{&parts_, &replay_};
  SessionFiles files_{&parts_};
  std::function<void()> observer_, sentry_;
  std::function<void(bool again)> report_cut_off_;
  // Armed while a caller keeps an interest in facts that only the holder knows.
  Timer judge_timer_;
  Timer reconnect_timer_;
  // The sum of the two offsets that Acknowledge has sent last.
  uint64_t acked_ = 0;
};

}  // namespace glasstty::session
