// How a session takes its turns.
//
// A packet comes (OnPacket). What it says of the session's state is kept and
// the waits look at once (Changed). Two kinds only move the end of what may be
// fed (kData, kInline): nothing has changed on the screen yet, so nobody looks.
//
// A piece of the log has been fed (Fed). In this order:
//   1. the prober hears of it: what was known of the program is stale now;
//   2. a replay that is through ends, before replies are taken;
//   3. what the emulator owes the program (DA, DSR ...) is written, in the same
//      turn, because programs wait for it with short time-outs;
//   4. bells and titles are counted;
//   5. the holder gets its acknowledgement, which lets it ring again and, in a
//      flood, read on;
//   6. what somebody keeps an interest in is asked and judged (Judge);
//   7. the waits look, for text after each moment (terminal/moment.h), so that
//      one which is there for a moment only is seen. A wait that is met is
//      queued, not resumed here.
#include "session/session.h"

#include <algorithm>
#include <utility>

#include "session/program.h"
#include "support/log.h"
#include "support/status.h"
#include "terminal/moment.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// Of a session on another machine: rises from one server to the next, so that
// a serial tells whether its write has arrived, whoever typed before.
uint64_t FirstSerial() {
  return static_cast<uint64_t>(WallMilliseconds()) << 16;
}

// An acknowledgement for each piece would double the packets of a flood; the
// holder stops reading 2 MiB behind at most.
constexpr uint64_t kAckEvery = 256 * 1024;

// As many lines as fit into it must not push each other out of a scrollback
// before somebody has looked for text.
constexpr size_t kClosePiece = 4096;

// `ls --hyperlink` makes one for each file.
constexpr size_t kMaxLinks = 1'000;

}  // namespace

absl::StatusOr<SessionRef> Session::Create(Loop* loop,
                                           record::SessionOrigin origin,
                                           record::Folder folder,
                                           std::unique_ptr<Channel> channel) {
  terminal::Terminal::Options options = {
      .size = origin.program.size,
      .scrollback_rows = origin.program.scrollback_rows,
      .newlines = origin.program.pipe,
      .keep_evicted = true};
  ASSIGN_OR_RETURN(auto terminal, terminal::Terminal::Create(options));
  std::unique_ptr<terminal::Terminal> errors;
  if (origin.program.pipe) {
    ASSIGN_OR_RETURN(errors, terminal::Terminal::Create(options));
  }
  return SessionRef(new Session(loop, std::move(origin), std::move(folder),
                                std::move(channel), std::move(terminal),
                                std::move(errors)));
}

Session::Session(Loop* loop, record::SessionOrigin origin,
                 record::Folder folder, std::unique_ptr<Channel> channel,
                 std::unique_ptr<terminal::Terminal> terminal,
                 std::unique_ptr<terminal::Terminal> errors)
    : SessionView(
          loop, std::move(origin), std::move(folder), std::move(terminal),
          std::move(errors),
          {.cut = [this](std::string_view bytes) { return NextMoment(bytes); },
           .fed = [this] { return Fed(); },
           .probe =
               [this](uint64_t serial) {
                 SendHeader(wire::PacketType::kProbe, serial);
               },
           .ask_ports =
               [this](uint64_t serial) {
                 SendHeader(wire::PacketType::kTree, serial,
                            wire::kTreeListening);
               },
           .wanted = [this] { Judge(); }}),
      judge_timer_(loop, [this] { Judge(); }) {
  if (!origin_.place.empty()) write_serial_ = consumed_ = FirstSerial();
  if (channel) Listen(std::move(channel));
}

// The holder answers with all that it knows (kWelcome).
void Session::Listen(std::unique_ptr<Channel> channel) {
  channel_ = std::move(channel);
  channel_->SetListener(this);
  SendHeader(wire::PacketType::kHello, wire::kWireVersion, wire::kWireVersion);
}

Session::~Session() {
  if (channel_) channel_->SetListener(nullptr);
}

void Session::SendHeader(wire::PacketType type, uint64_t a, uint64_t b,
                         std::string_view payload) {
  wire::PacketHeader header;
  header.type = type;
  header.a = a;
  header.b = b;
  header.payload = payload.size();
  if (!origin_.place.empty()) Remember(header, payload);
  if (channel_) channel_->Send(header, payload);
}

void Session::ReleaseRunSlot() {
  run_slot_taken_ = false;
  Changed();
}

void Session::ReleaseTurn() {
  if (turn_.Release()) waiters_.Check();
}

void Session::OutputReaches(uint64_t end) {
  if (!HasUnfed() && end > feed_.end()) {
    flood_.Arrived(loop_->Now());
    feed_.SetFlood(IsFedLast());
  }
  feed_.SetEnd(end);
}

// A replay is not output of the program: agents wait for its end. Nor does what
// a call waits for go last before it has been a flood for a while.
bool Session::IsFedLast() const {
  bool is_flood = waiters_.empty() ? flood_.IsMuch() : IsFlooding();
  return is_flood && !replaying();
}

Wait Session::WaitFor(Predicate predicate, Time deadline,
                      Cancellation* cancellation) {
  return Wait(loop_, {&waiters_}, std::move(predicate), deadline, cancellation);
}

// The exit carries its place in the log: what was printed before it is still to
// be fed, and exited() waits for it.
void Session::SetExit(Exit exit) {
  exit_ = exit;
  feed_.SetEnd(exit.offset);
  if (errors_) errors_->feed.SetEnd(exit.errors_offset);
}

// Nobody is left who could report, so waits for a report end too.
void Session::MarkEnded() {
  ended_ = true;
  close_reported_ = true;
  prober_.Stop();
  Changed();
}

void Session::Abandon() { waiters_.WakeAll(Outcome::kClosed); }

void Session::OnGone() {
  Trace(LogCategory::kHolder, "%s: gone", name());
  channel_.reset();
  if (wire::IsElsewhere(directory_->get())) return CutOff();
  EndNow();
}

void Session::EndNow() {
  // The packet with the status may be lost where the file is not.
  auto record = wire::ReadExit(directory_->get());
  if (!exit_ && record) SetExit({record->offset, 0, record->status});
  // The files say what was logged: the doorbell for the last of it may not have
  // come.
  uint64_t end = std::max(feed_.end(), wire::LogEnd(directory_->get(), "out"));
  if (awaits_replay()) BeginReplay(end);
  feed_.SetEnd(end);
  if (errors_) errors_->feed.SetEnd(wire::LogEnd(directory_->get(), "err"));
  MarkEnded();
}

// Without anybody who looks for text, moments are a waste, but any who wait
// want to see whole frames.
size_t Session::NextMoment(std::string_view bytes) const {
  if (waiters_.empty()) return bytes.size();
  if (!Wants(Interest::kText)) return terminal::FrameLength(bytes);
  return terminal::MomentLength(bytes.substr(0, kClosePiece),
                                terminal_->modes());
}

// True after a frame: the turn ends, so that a reader who has waited for it is
// resumed before the next one is begun.
bool Session::Fed() {
  flood_.Fed(loop_->Now(), feed_.consumed());
  feed_.SetFlood(IsFedLast());
  prober_.OutputArrived();
  history_.Collect(feed_.consumed());
  if (errors_) errors_->history.Collect(errors_->feed.consumed());
  std::string replies = terminal_->TakeReplies();
  if (!replies.empty()) SendReplies(replies);
  TakeEvents(!replaying());
  Acknowledge();
  Changed();
  return std::exchange(frame_ended_, false);
}

void Session::TakeEvents(bool is_live) {
  std::optional<Time> now;
  if (is_live) now = loop_->Now();
  for (const terminal::TerminalEvent& event : terminal_->TakeEvents()) {
    if (event.type == terminal::TerminalEvent::Type::kBell) ++bell_count_;
    if (event.type == terminal::TerminalEvent::Type::kTitle) ++title_count_;
    if (event.type == terminal::TerminalEvent::Type::kLink) {
      links_.push_back({event.line, event.text});
      if (links_.size() > kMaxLinks) links_.pop_front();
    }
    if (event.type == terminal::TerminalEvent::Type::kSync) {
      if (event.flag) frame_began_ = loop_->Now();
      frame_ended_ = !event.flag;
    }
    commands_.Take(event, *terminal_, now);
    if (event.type != terminal::TerminalEvent::Type::kMark) continue;
    prompt_.Marked(commands_, is_live, terminal_->row_addresses());
  }
}

void Session::Acknowledge() {
  uint64_t out = feed_.consumed();
  uint64_t err = errors_ ? errors_->feed.consumed() : 0;
  if (out + err - acked_ < kAckEvery && !AllDrained()) return;
  acked_ = out + err;
  SendHeader(wire::PacketType::kAck, out, err);
}

// Nothing will be printed and everything that was has been read.
void Session::CloseFiles() {
  feed_.Close();
  history_.Close();
  if (errors_) {
    errors_->feed.Close();
    errors_->history.Close();
  }
  directory_.reset();
}

// The one place in which the state is judged. Answers are asked for here too:
// an unsettled one is followed by the next, and the timer serves what was
// disturbed without a change, as by input that nobody reads.
void Session::Judge() {
  if (finished()) return;
  bool wants_state = Wants(Interest::kState) ||
                     (Wants(Interest::kScreenState) && DrawsScreens());
  bool must_ask =
      (wants_state && !IsAtShownPrompt()) || Wants(Interest::kForeground);
  Time next = Time::max();
  if (must_ask) {
    prober_.Want();
    next = loop_->Now() + Prober::kAgain;
  }
  if (Wants(Interest::kPorts)) {
    listeners_.Want();
    next = std::min(next, listeners_.next());
  }
  if (next != Time::max()) judge_timer_.Set(next);
  if (!wants_state) return;
  if (auto state = settled_state()) {
    prompt_.Judged(state->activity, terminal_->row_addresses());
  }
}

// May end the wait that led here; a woken coroutine runs from the loop's queue.
void Session::Changed() {
  bool over = ended_ && !replaying() && AllDrained();
  if (over && directory_ != nullptr) CloseFiles();
  Judge();
  waiters_.Check();
  if (observer_) observer_();
}

}  // namespace glasstty::session
