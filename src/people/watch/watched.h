// A session as a person sees it, whether or not a server uses the session at
// the same time.
//
// Feeds the session's log to a separate terminal, and connects to the session's
// holder as an observer. The holder reports what the program waits for and who
// has the keyboard. While this observer has the keyboard, it sends the person's
// input. Writes nothing into the session's directory. A session that has ended,
// or whose holder is too old for observers, can only be watched.
//
// Owns the descriptor of the session's directory, the terminal and the
// connection to the holder. The loop must outlive it. Loop thread only.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "record/recording.h"
#include "session/log_feed.h"
#include "session/state.h"
#include "support/loop.h"
#include "terminal/terminal.h"
#include "wire/messages.h"

namespace glasstty::watch {

class Watched {
 public:
  // `label` describes how the person watches, for the agent and other
  // observers: printable ASCII, at most kMaxLabel characters. Fails if the
  // session has no terminal, or if terminal::CheckSize refuses its recorded
  // size.
  static absl::StatusOr<std::unique_ptr<Watched>> Open(
      Loop* loop, record::RecordedSession session, std::string label);
  // Like Open, but uses only the session's files, which are examined a few
  // times per second. Views of many sessions use this, because a holder accepts
  // only a few observers. No rows above the screen are kept.
  static absl::StatusOr<std::unique_ptr<Watched>> OpenFiles(
      Loop* loop, record::RecordedSession session);
  // Like Open, but without a screen: only the holder's reports are available.
  static absl::StatusOr<std::unique_ptr<Watched>> OpenFacts(
      Loop* loop, record::RecordedSession session, std::string label);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  // Sets a function that is called after anything below has changed, from the
  // loop or from a function that types. It must not destroy this object.
  void OnChange(std::function<void()> change) { change_ = std::move(change); }

  const record::SessionOrigin& origin() const { return session_.origin; }
  const std::string& path() const { return session_.path; }
  int directory() const { return session_.directory.get(); }
  // Sets a function that is called with each event of the terminal, in the
  // order of the log. It must not destroy this object.
  void OnEvents(std::function<void(const terminal::TerminalEvent&)> heard) {
    heard_ = std::move(heard);
  }
  // REQUIRES: not opened by OpenFacts.
  const terminal::Terminal& terminal() const { return *terminal_; }
  // Returns true if the whole log has been fed.
  bool caught_up() const { return feed_ != nullptr && feed_->drained(); }
  // The last known end of the log.
  uint64_t end() const { return feed_ == nullptr ? 0 : feed_->end(); }

  bool exited() const { return exited_; }
  // As waitpid(2) returns it; valid once the program has exited.
  int exit_status() const { return exit_status_; }
  // Returns the state according to the holder's last answer or, without one, to
  // the time since the last output.
  session::SessionState state() const;
  // Returns the holder's last answer, or null if there was none yet.
  const wire::ProbeAnswer* probe() const { return probed_ ? &probe_ : nullptr; }

  // Returns true if the holder is alive and accepts observers.
  bool can_type() const { return greeted_; }
  // Returns true if there is no connection to the machine on which the session
  // runs. When there is one again, this observer is connected again, too.
  bool away() const;
  // True if a person has the keyboard. A call of another server does not count.
  bool held() const { return held_; }
  bool mine() const { return mine_; }
  // Describes who has the keyboard, or had it last.
  const wire::LeaseInfo& lease() const { return lease_; }
  // The agent's request to the person, or "".
  const std::string& asked() const { return asked_; }
  // The reason why the last input was refused; "" if it was accepted.
  const std::string& refused() const { return refused_; }

  // Asks the holder what the program waits for; the answer is reported as a
  // change.
  void Probe();
  // Requests the keyboard; `flags` are TakeFlags. The answer is reported as a
  // change, and mine() is then true if this observer has the keyboard.
  void Take(uint64_t flags);
  void Give();
  // The input is refused unless mine().
  void Type(std::string_view bytes) { Write(bytes, 0); }
  // Sends mouse input, which does not count as typing and so does not prolong
  // the turn.
  void Point(std::string_view bytes) { Write(bytes, wire::kWriteMouse); }
  // Sends a secret; refused unless the terminal hides input.
  void TypeSecret(std::string_view bytes) { Write(bytes, wire::kWriteSecret); }
  // Sets the size, or the nearest one that a terminal may have; a person's
  // window may have any size.
  void Resize(terminal::Size wanted);

 private:
  // The source of news about the session. A connected holder reports new sizes;
  // without one, LookForSizes finds them.
  enum class Source {
    kFilesOnly,  // always the files, because OpenFiles was used
    kNoHolder,  // the files, until there is a holder that accepts this observer
    kHolder,    // the holder's reports, and the files that they name
  };

  Watched(Loop* loop, record::RecordedSession session, std::string label,
          std::unique_ptr<terminal::Terminal> terminal);
  // Creates an object that neither connects nor feeds yet.
  static absl::StatusOr<std::unique_ptr<Watched>> Create(
      Loop* loop, record::RecordedSession session, std::string label,
      int kept_rows);

  bool Connect();
  void BeginFeeding();
  void LookForMore();
  void LookForSizes();
  void AddSize(uint64_t offset, terminal::Size size);
  // Gives the feed the sizes of the timeline that it lacks.
  void AddSizes();
  // Returns whether the file of times and sizes has changed since the last
  // call.
  bool HasNewEvents();
  void Receive();
  void Handle(const wire::Packet& packet);
  // These return true if the message immediately changes what a person sees.
  bool On(const wire::Welcome& welcome);
  bool On(const wire::Data& data);
  bool On(const wire::Inline& output);
  bool On(const wire::Lost& lost);
  bool On(const wire::Resized& resized);
  bool On(const wire::Exit& exit);
  bool On(const wire::State& state);
  bool On(const wire::Lease& lease);
  bool On(const wire::Busy&);
  bool On(const wire::Asked& asked);
  bool On(const wire::Refused& refused);
  // Ignores all other messages.
  bool On(const auto&) { return false; }
  void Acknowledge();
  void Disconnect();
  bool Send(const wire::IsMessage auto& message) {
    return SendPacket(wire::Encode(message));
  }
  // Sends the packet now, or when the socket has room. Returns false if there
  // is no connection, or if too many packets wait already.
  bool SendPacket(const wire::Writer& packet);
  void SendUnsent();
  void Write(std::string_view bytes, uint64_t flags);
  void AnswerProgram();
  void Changed();

  Loop* const loop_;
  const record::RecordedSession session_;
  const std::string label_;
  const std::unique_ptr<terminal::Terminal> terminal_;  // null if opened by
                                                        // OpenFacts
  std::function<void()> change_;
  std::function<void(const terminal::TerminalEvent&)> heard_;
  // Null until the holder has greeted this observer or the files are used
  // instead; always null if opened by OpenFacts.
  std::unique_ptr<session::LogFeed> feed_;
  UniqueFd socket_;
  std::deque<wire::Writer> unsent_;
  std::unique_ptr<FdWatch> readable_;
  std::unique_ptr<FdWatch> writable_;  // enabled while packets are unsent
  // Examines the log periodically while there is no connection.
  Timer look_;
  Source source_ = Source::kNoHolder;
  size_t looks_ = 0;
  // The last size that the feed has got, and its offset.
  std::optional<std::pair<uint64_t, terminal::Size>> last_size_;
  // The inode and the size of the timeline's file at the last call of
  // HasNewEvents.
  ino_t events_inode_ = 0;
  off_t events_size_ = 0;
  Duration look_gap_ = std::chrono::milliseconds(100);
  // Sends heartbeats while this observer has the keyboard.
  Timer beat_;
  Time connect_at_ = Time::min();  // no new connection is made before this
  bool greeted_ = false;
  bool is_crowded_ = false;  // this connection is refused by Busy
  // The last connection has ended, although it was not refused by Busy, and
  // there was no greeting since.
  bool is_dropped_ = false;
  bool exited_ = false;
  int exit_status_ = 0;
  Time last_output_;
  std::optional<uint64_t> unacknowledged_;  // the end that Data has reported
  bool probed_ = false;
  wire::ProbeAnswer probe_;
  uint64_t serial_ = 0;
  wire::LeaseInfo lease_;
  bool held_ = false;
  bool mine_ = false;
  std::string asked_;
  std::string refused_;
};

}  // namespace glasstty::watch
