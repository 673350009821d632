// One session as a person sees it, beside the server that has the session or
// without any server.
//
// Feeds the session's log to a separate terminal, and connects to the session's
// holder as an observer. From the holder it learns what the program waits for
// and who has the keyboard; while it has the keyboard itself, it sends what the
// person types. Writes nothing into the session's directory. A session that has
// ended, or whose holder is too old for observers, can only be watched.
//
// Owns descriptor, terminal and connection. The loop must outlive it. Loop
// thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "record/recording.h"
#include "session/log_feed.h"
#include "session/state.h"
#include "support/loop.h"
#include "terminal/terminal.h"
#include "wire/packets.h"

namespace glasstty::watch {

class Watched {
 public:
  // `label`: how the person looks on, for the agent and for other observers:
  // printable ASCII, at most kMaxLabel characters.
  // Error: its terminal's size is none that a terminal can have; a session
  // without a terminal.
  static absl::StatusOr<std::unique_ptr<Watched>> Open(
      Loop* loop, record::RecordedSession session, std::string label);
  // The same without its screen: what its holder says is all that it knows.
  static absl::StatusOr<std::unique_ptr<Watched>> OpenFacts(
      Loop* loop, record::RecordedSession session, std::string label);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  // Called from the loop after anything below has changed. It must not destroy
  // this.
  void OnChange(std::function<void()> change) { change_ = std::move(change); }

  const record::SessionOrigin& origin() const { return session_.origin; }
  const std::string& path() const { return session_.path; }
  int directory() const { return session_.directory.get(); }
  // REQUIRES: not opened by OpenFacts.
  const terminal::Terminal& terminal() const { return *terminal_; }
  // All that was logged has been fed.
  bool caught_up() const { return feed_ != nullptr && feed_->drained(); }
  // The last known end of the log.
  uint64_t end() const { return feed_ == nullptr ? 0 : feed_->end(); }

  bool exited() const { return exited_; }
  // As waitpid(2) gives it; valid once it has exited.
  int exit_status() const { return exit_status_; }
  // As of the last answer of the holder.
  session::SessionState state() const;

  // Whether the holder takes observers; false also once it has gone.
  bool can_type() const { return greeted_; }
  bool held() const { return held_; }
  bool mine() const { return mine_; }
  // Who has the keyboard, or had it last.
  const wire::LeaseInfo& lease() const { return lease_; }
  // What the agent asks the person for; "": nothing.
  const std::string& asked() const { return asked_; }
  // Why the last input was refused, in words; "" after input that was taken.
  const std::string& refused() const { return refused_; }

  // Asks the holder what the program waits for; the answer is a change.
  void Probe();
  // `flags`: TakeFlags. The answer is a change, and mine() says whether it is
  // this observer's.
  void Take(uint64_t flags);
  void Give();
  // REQUIRES: mine(), else it is refused.
  void Type(std::string_view bytes) { Write(bytes, 0); }
  // What a pointer does, which is no sign that the person is still there.
  void Point(std::string_view bytes) { Write(bytes, wire::kWriteMouse); }
  // Refused unless the terminal hides what is typed.
  void TypeSecret(std::string_view bytes) { Write(bytes, wire::kWriteSecret); }
  void Resize(terminal::Size size);

 private:
  Watched(Loop* loop, record::RecordedSession session, std::string label,
          std::unique_ptr<terminal::Terminal> terminal);

  void Connect();
  void BeginFeeding();
  void LookForMore();
  void Receive();
  void Handle(const wire::Packet& packet);
  void OnLease(const wire::Packet& packet);
  void Disconnect();
  bool Send(wire::PacketType type, uint64_t a = 0, uint64_t b = 0,
            std::string_view payload = {});
  void Write(std::string_view bytes, uint64_t flags);
  void AnswerProgram();
  void Changed();

  Loop* const loop_;
  const record::RecordedSession session_;
  const std::string label_;
  const std::unique_ptr<terminal::Terminal> terminal_;  // null: facts only
  std::function<void()> change_;
  // Null until the connection says how far the log reaches, and for facts only.
  std::unique_ptr<session::LogFeed> feed_;
  UniqueFd socket_;
  std::unique_ptr<FdWatch> readable_;
  // Without a connection, looks at the log from time to time.
  Timer look_;
  // While the keyboard is ours, says that we are still there.
  Timer beat_;
  bool greeted_ = false;
  bool exited_ = false;
  int exit_status_ = 0;
  Time last_output_;
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
