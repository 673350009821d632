// A session takes two kinds of turns.
//
// A packet has arrived (OnPacket). The session stores the news, and checks all
// waits immediately (Changed). A few kinds of packets only announce something,
// such as output that can be fed now. They have changed nothing yet, so no wait
// is checked.
//
// A piece of the log has been fed. In this order:
//   1. a replay that has reached its end is finished (Replay::End), before
//      replies are taken;
//   2. the prober is informed (Fed), because earlier answers about the program
//      are stale now;
//   3. the emulator's events are taken: bells and titles are counted, and its
//      replies to the program (DA, DSR ...) are written, in the same turn,
//      because programs wait for them with short time-outs;
//   4. the holder gets its acknowledgement, which lets it announce more output
//      and, in a flood, continue to read;
//   5. facts in which a caller keeps an interest are requested and judged
//      (Judge);
//   6. the waits are checked. Waits for text are checked after each moment
//      (terminal/moment.h), so that they see texts that are visible only for a
//      moment. A wait that is met is queued, not resumed here.
#include "session/session.h"

#include <chrono>
#include <utility>

#include "record/state_dir.h"
#include "session/observer_channel.h"
#include "session/program.h"
#include "support/log.h"
#include "support/status.h"
#include "terminal/moment.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// An acknowledgement for each piece would double the packets of a flood; the
// holder reads at most 2 MiB ahead of the acknowledged offset.
constexpr uint64_t kAckEvery = 256 * 1024;

// The lines of a piece of this size must fit into the scrollback, so that waits
// see all of them.
constexpr size_t kClosePiece = 4096;

// Without a connection, nothing announces that the log has grown. So its files
// are examined at this interval, which is short enough to seem live.
constexpr Duration kReconnectPause = std::chrono::milliseconds(250);

// A call loses the keyboard of another server's session if it types nothing for
// this long between two steps.
constexpr Duration kLongestCall = std::chrono::hours(24);

}  // namespace

absl::StatusOr<SessionRef> Session::Create(Loop* loop,
                                           record::SessionOrigin origin,
                                           record::Folder folder,
                                           std::unique_ptr<Channel> channel) {
  return Make(loop, std::move(origin), std::move(folder), std::move(channel),
              "");
}

// A guest's files have their own names, because there may be other guests.
absl::StatusOr<SessionRef> Session::CreateGuest(
    Loop* loop, record::SessionOrigin origin, record::Folder folder,
    std::unique_ptr<Channel> channel) {
  ASSIGN_OR_RETURN(std::string id, record::RandomId());
  bool is_connected = channel != nullptr;
  ASSIGN_OR_RETURN(SessionRef session,
                   Make(loop, std::move(origin), std::move(folder),
                        std::move(channel), "guest-" + id + "-"));
  if (!is_connected) session->reconnect_timer_.SetAfter(Duration::zero());
  return session;
}

absl::StatusOr<SessionRef> Session::Make(Loop* loop,
                                         record::SessionOrigin origin,
                                         record::Folder folder,
                                         std::unique_ptr<Channel> channel,
                                         const std::string& guest) {
  terminal::Terminal::Options options = {
      .size = origin.program.size,
      .scrollback_rows = origin.program.scrollback_rows,
      .newlines = origin.program.pipe,
      .keep_evicted = true,
      .nonce = origin.nonce};
  ASSIGN_OR_RETURN(auto terminal, terminal::Terminal::Create(options));
  std::unique_ptr<terminal::Terminal> errors;
  if (origin.program.pipe) {
    ASSIGN_OR_RETURN(errors, terminal::Terminal::Create(options));
  }
  return SessionRef(new Session(loop, std::move(origin), std::move(folder),
                                std::move(channel), std::move(terminal),
                                std::move(errors), guest));
}

Session::Session(Loop* loop, record::SessionOrigin origin,
                 record::Folder folder, std::unique_ptr<Channel> channel,
                 std::unique_ptr<terminal::Terminal> terminal,
                 std::unique_ptr<terminal::Terminal> errors,
                 const std::string& guest)
    : parts_(
          loop, std::move(origin), std::move(folder), std::move(terminal),
          std::move(errors), guest,
          {.cut = [this](std::string_view bytes) { return NextMoment(bytes); },
           .fed = [this] { return Fed(); },
           .wanted = [this] { Judge(); },
           .released = [this] { Changed(); }}),
      judge_timer_(loop, [this] { Judge(); }),
      reconnect_timer_(loop, [this] { Reconnect(); }) {
  // Without a terminal, no state needs saving: the archive keeps all lines.
  if (!parts_.origin.program.pipe && !parts_.is_guest) {
    parts_.output.feed()->OnSegment(
        [this](uint64_t offset) { replay_.SaveState(offset); });
  }
  if (channel) parts_.link.Connect(std::move(channel), this);
}

// Removes the files with a guest's lines, which nobody else reads.
Session::~Session() {
  parts_.link.Disconnect();
  if (!parts_.is_guest) return;
  parts_.output.history()->Remove();
  if (parts_.errors) parts_.errors->history()->Remove();
}

Wait Session::WaitFor(Predicate predicate, Time deadline,
                      Cancellation* cancellation) const {
  return Wait(parts_.loop, {&parts_.waiters}, std::move(predicate), deadline,
              cancellation);
}

void Session::MarkEnded() {
  parts_.life.HolderGone();
  parts_.questions.prober()->Stop();
  Changed();
}

void Session::Abandon() { parts_.waiters.WakeAll(Outcome::kClosed); }

void Session::OnGone() {
  Trace(LogCategory::kHolder, "%s: gone", name());
  parts_.link.Disconnect();
  parts_.person.Lost();
  parts_.input.turn()->Withdraw();
  if (parts_.is_guest) return FollowFiles();
  if (wire::IsElsewhere(parts_.directory->get())) return CutOff();
  EndNow();
}

// There may be no connection because there are too many observers, or because
// the holder accepts none while the session's machine cannot be reached.
void Session::FollowFiles() {
  int directory = parts_.kept->get();
  if (wire::IsOver(directory)) return EndNow();
  parts_.questions.prober()->InputSent();
  replay_.BeginWithStored();
  if (parts_.errors) {
    parts_.errors->feed()->SetEnd(wire::LogEnd(directory, "err").value_or(0));
  }
  parts_.OutputReaches(wire::LogEnd(directory, "out").value_or(0));
  reconnect_timer_.SetAfter(kReconnectPause);
  Changed();
}

void Session::Reconnect() {
  if (parts_.life.ended() || parts_.link.connected()) return;
  UniqueFd watch = wire::ConnectObserver(parts_.kept->get());
  if (!watch.valid()) return FollowFiles();
  auto below = std::make_unique<SocketChannel>(loop(), std::move(watch));
  parts_.link.Connect(
      std::make_unique<ObserverChannel>(loop(), std::move(below)), this);
  parts_.questions.ConnectedAgain();
}

void Session::EndNow() {
  // The packet with the exit status may be lost, but the file `exit` may exist.
  auto record = wire::ReadExit(parts_.directory->get());
  // The announcement of the last bytes may not have arrived.
  parts_.output.feed()->EndWithFiles();
  if (parts_.errors) parts_.errors->feed()->EndWithFiles();
  if (!parts_.life.exit() && record) {
    // The file does not say where stderr ended.
    uint64_t errors_end = parts_.errors ? parts_.errors->feed()->end() : 0;
    parts_.SetExit({record->offset, errors_end, record->status});
  }
  if (parts_.output.awaits_replay()) replay_.Begin(parts_.output.feed()->end());
  MarkEnded();
}

// Feeding in moments is a waste unless a wait is interested in text, but every
// wait must see whole frames.
size_t Session::NextMoment(std::string_view bytes) const {
  if (parts_.waiters.empty()) return bytes.size();
  if (!parts_.questions.IsWanted(Interest::kText))
    return terminal::FrameLength(bytes);
  return terminal::MomentLength(bytes.substr(0, kClosePiece),
                                parts_.output.terminal().modes());
}

// Returns true after a frame. The turn then ends, so that a call that has
// waited for the frame is resumed before the next frame begins.
bool Session::Fed() {
  parts_.output.Fed(/*is_awaited=*/!parts_.waiters.empty());
  parts_.questions.prober()->OutputArrived();
  parts_.output.Collect();
  if (parts_.errors) parts_.errors->Collect();
  parts_.TakeEvents(!parts_.output.replaying());
  Acknowledge();
  Changed();
  return parts_.events.TakeFrameEnd();
}

void Session::Acknowledge() {
  uint64_t out = parts_.output.feed()->consumed();
  uint64_t err = parts_.errors ? parts_.errors->feed()->consumed() : 0;
  if (out + err - acked_ < kAckEvery && !parts_.AllDrained()) return;
  acked_ = out + err;
  parts_.link.Send(wire::Ack{out, err});
}

// Call this when the session prints no more and all output has been read.
void Session::CloseFiles() {
  parts_.output.Close();
  if (parts_.errors) parts_.errors->Close();
  parts_.directory.reset();
}

// Only this function asks the holder for facts. It runs after each change, such
// as an unsettled answer. It also runs when the timer expires, because answers
// may become stale without a change, for example by input that nobody reads.
void Session::Judge() {
  if (finished()) return;
  bool wants_state = parts_.questions.IsWanted(Interest::kState) ||
                     (parts_.questions.IsWanted(Interest::kScreenState) &&
                      verdict_.DrawsScreens());
  bool must_ask = (wants_state && !verdict_.IsAtShownPrompt()) ||
                  parts_.questions.IsWanted(Interest::kForeground);
  Time next = parts_.questions.Ask(must_ask,
                                   parts_.input.MayAnswer(parts_.loop->Now()));
  if (next != Time::max()) judge_timer_.Set(next);
  if (!wants_state) return;
  if (auto state = verdict_.settled_state()) {
    parts_.input.prompt()->Judged(state->activity,
                                  parts_.output.terminal()->row_addresses());
    if (IsCertainPrompt(*state)) {
      parts_.events.ForgetStatus(*parts_.output.terminal());
    }
  }
}

// A wait that ends here only queues its coroutine, which the loop resumes
// later.
void Session::Changed() {
  bool over =
      parts_.life.ended() && !parts_.output.replaying() && parts_.AllDrained();
  if (over && parts_.directory != nullptr) CloseFiles();
  Judge();
  parts_.waiters.Check();
  if (observer_) observer_();
  if (sentry_) sentry_();
}

void Session::OnPacket(const wire::Packet& packet) {
  if (news_.Take(packet)) Changed();
}

void Session::Adopt(const Replay::Left& left) {
  replay_.Prepare(left);
  if (!left.dead) return;
  if (left.end_told) parts_.life.EndTold();
  MarkEnded();
}

void Session::CutOff() {
  bool again = parts_.contact.CutOff(loop()->Now());
  // The stored output can be shown meanwhile.
  replay_.BeginWithStored();
  parts_.questions.prober()->InputSent();
  if (report_cut_off_) report_cut_off_(again);
  Changed();
}

void Session::Resume(std::unique_ptr<Channel> channel) {
  parts_.link.Connect(std::move(channel), this);
  // From this offset on, the relay sends as much as its window allows.
  parts_.link.Send(
      wire::Ack{parts_.output.feed()->consumed(),
                parts_.errors ? parts_.errors->feed()->consumed() : 0});
  parts_.input.AskForReceipts();
}

void Session::GiveUp() {
  parts_.contact.GiveUp();
  EndNow();
}

void Session::LookAgain() {
  parts_.questions.prober()->InputSent();
  Changed();
}

uint64_t Session::Write(std::string_view bytes, uint64_t flags) {
  Prober* prober = parts_.questions.prober();
  parts_.input.RememberTyping(parts_.loop->Now(), parts_.output.last_output(),
                              parts_.output.terminal()->revision(),
                              parts_.output.terminal()->cursor_line(),
                              prober->last_work());
  prober->InputSent();
  return parts_.input.Write(bytes, flags, parts_.events.commands()->phase());
}

// kTakeSize: a size that the call sets stays, as it does for the owner's calls.
bool Session::AskForKeyboard() {
  if (!parts_.link.connected()) return false;
  auto idle =
      std::chrono::duration_cast<std::chrono::milliseconds>(kLongestCall);
  parts_.link.Send(wire::Take{static_cast<uint64_t>(idle.count()),
                              wire::kTakeForCall | wire::kTakeSize});
  return true;
}

// Call this when the program gets something new to process, so that earlier
// answers about it are stale.
void Session::Disturb() {
  parts_.questions.prober()->InputSent();
  parts_.input.prompt()->Disturbed();
}

void Session::Resize(terminal::Size size) {
  Disturb();
  parts_.link.Send(wire::Resize{static_cast<uint64_t>(size.rows),
                                static_cast<uint64_t>(size.cols)});
}

// A relay without a connection drops signals.
bool Session::Signal(int signal, wire::SignalTarget target) {
  if (!parts_.link.connected() || parts_.contact.away_since()) return false;
  Disturb();
  parts_.link.Send(wire::Signal{static_cast<uint64_t>(signal), target});
  return true;
}

void Session::Close(Duration grace, bool eof, bool kill_survivors) {
  parts_.life.CloseAsked();
  auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(grace);
  parts_.link.Send(wire::Close{
      static_cast<uint64_t>(ms.count()),
      (eof ? uint64_t{wire::kCloseEof} : 0) |
          (kill_survivors ? uint64_t{wire::kCloseKillSurvivors} : 0)});
}

void Session::SetPolicy(uint64_t grace_ms, uint64_t log_cap) {
  parts_.link.Send(wire::Policy{grace_ms, log_cap});
  parts_.output.history()->SetCap(log_cap);
  if (parts_.errors) parts_.errors->history()->SetCap(log_cap);
}

}  // namespace glasstty::session
