// Represents one live terminal: the connection to its holder, the tail of its
// log, the screen fed from it, the waits on it.
//
// Owns its parts (session/parts.h) and lets them work together; it shows them
// as const. Whoever only reads, judges or watches (view/, waits/, watch/) holds
// a const Session, which changes nothing: what a session finds out only on
// request it finds out while somebody keeps an interest in it (questions.h).
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
// A coroutine that reads or waits keeps the session alive after it was closed.
using ConstSessionRef = std::shared_ptr<const Session>;

class Session : public ChannelListener {
 public:
  // `channel` is null when no holder lives.
  // Error: a size that CheckSize refuses. `folder` is the session's own; `loop`
  // must outlive the session.
  static absl::StatusOr<SessionRef> Create(Loop* loop,
                                           record::SessionOrigin origin,
                                           record::Folder folder,
                                           std::unique_ptr<Channel> channel);
  // Like Create, for a session that another server of the user has opened and
  // keeps: it is shown and waited for, and can be ended. Who types into it has
  // asked for the keyboard (AskForKeyboard). `channel` is an ObserverChannel,
  // or null.
  static absl::StatusOr<SessionRef> CreateGuest(
      Loop* loop, record::SessionOrigin origin, record::Folder folder,
      std::unique_ptr<Channel> channel);
  ~Session() override;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Constant.
  const record::SessionOrigin& origin() const { return parts_.origin; }
  const std::string& name() const { return parts_.origin.name; }
  // For SessionManager::Rename, which keeps names unique.
  void SetName(std::string name) { parts_.origin.name = std::move(name); }
  Loop* loop() const { return parts_.loop; }
  // Another server owns the session (CreateGuest).
  bool is_guest() const { return parts_.is_guest; }
  // The session's directory. A session that has ended keeps no descriptor.
  record::Folder::Hold OpenDirectory() const { return parts_.folder.Open(); }

  // The parts, and what they say together.
  const Life& life() const { return parts_.life; }
  const Output& output() const { return parts_.output; }
  // stderr of a session without a terminal, as lines; else null.
  const Output* errors() const { return parts_.errors.get(); }
  const Events& events() const { return parts_.events; }
  const InputQueue& input() const { return parts_.input; }
  const Questions& questions() const { return parts_.questions; }
  // The person at the keyboard. The holder refuses the server's writes while
  // there is one.
  const Person& person() const { return parts_.person; }
  const Verdict& verdict() const { return verdict_; }
  bool finished() const { return verdict_.finished(); }

  // Waits look at the session after each change: `co_await session->WaitFor`.
  Wait WaitFor(Predicate predicate, Time deadline,
               Cancellation* cancellation) const;
  WaiterList* waiters() const { return &parts_.waiters; }
  // Called after each change, whoever waits; one at most. It must not change
  // the session.
  void SetObserver(std::function<void()> observer) {
    observer_ = std::move(observer);
  }
  // The same for who looks after the session as long as it lives.
  void SetSentry(std::function<void()> sentry) { sentry_ = std::move(sentry); }
  // Ends all waits with kClosed: the server goes away or forgets the session.
  void Abandon();
  // Something that waits may look at has changed outside of the session; what
  // was known of its program is of before.
  void LookAgain();

  // Whoever types a command takes the turn (typing/turn.h) and the run slot.
  InputQueue* mutable_input() { return &parts_.input; }
  SessionFiles* files() { return &files_; }
  // The next command has marks of its own (record/command_log.h).
  void ExpectRun(uint64_t run) { parts_.events.commands()->ExpectRun(run); }
  // Bytes of one call stay together. Returns the serial that input().consumed()
  // reaches when nothing typed is unread any more.
  uint64_t Write(std::string_view bytes, uint64_t flags = wire::kWritePlain);
  // Asks the server of a guest's session for the keyboard, for one call; it is
  // there once person().is_own_call(), until GiveKeyboardBack. False: there is
  // no connection.
  bool AskForKeyboard();
  // Also if it has not come.
  void GiveKeyboardBack() {
    parts_.person.GiveBack();
    parts_.link.Send(wire::Give{});
  }
  // Shows whoever looks on what is asked of them; empty: nothing any more.
  void Ask(std::string_view what) { parts_.link.Send(wire::Ask{what}); }
  // The size holds once the terminal shows it; the program gets SIGWINCH.
  void Resize(terminal::Size size);
  void Signal(int signal, wire::SignalTarget target);
  // Ends the program: politely, then by SIGKILL after `grace`. Processes that
  // left the session (setsid, nohup) are ended too if `kill_survivors`;
  // otherwise life().survivors() reports them once close_reported().
  void Close(Duration grace, bool eof, bool kill_survivors);
  // Sets for how long programs outlive a dead server, and how many bytes of the
  // log and of its lines are kept.
  void SetPolicy(uint64_t grace_ms, uint64_t log_cap);

  // Adoption of a session that another server left; right after Create. A guest
  // does the same.
  void Adopt(const Replay::Left& left);

  // The near relay of a session on another machine has died, while the session
  // goes on there. Calls the function that OnCutOff was given, which calls
  // Resume or GiveUp, now or later. `again`: no relay has had the session since
  // the last time.
  void CutOff();
  void OnCutOff(std::function<void(bool again)> cut_off) {
    report_cut_off_ = std::move(cut_off);
  }
  // Goes on over `channel`, a connection to the next relay.
  void Resume(std::unique_ptr<Channel> channel);
  // There will be none.
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
  // A guest without a connection reads what is in the files, and tries to get
  // one.
  void FollowFiles();
  void Reconnect();
  void EndNow();
  void MarkEnded();
  void CloseFiles();
  size_t NextMoment(std::string_view bytes) const;
  bool Fed();
  void Disturb();
  void Acknowledge();
  // Asks what somebody keeps an interest in, and takes in what is known.
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
  // Armed while somebody keeps an interest in what the holder must be asked.
  Timer judge_timer_;
  Timer reconnect_timer_;
  // Offset up to which the holder has been told that we have fed, of both logs
  // together.
  uint64_t acked_ = 0;
};

}  // namespace glasstty::session
