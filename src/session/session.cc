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
//   6. the waits look, for text after each moment (terminal/moment.h), so that
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

namespace glasstty {
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

absl::StatusOr<SessionRef> Session::Create(Loop* loop, SessionOrigin origin,
                                           Folder folder,
                                           std::unique_ptr<Channel> channel) {
  Terminal::Options options = {
      .size = origin.program.size,
      .scrollback_rows = origin.program.scrollback_rows,
      .newlines = origin.program.pipe,
      .keep_evicted = true};
  ASSIGN_OR_RETURN(auto terminal, Terminal::Create(options));
  std::unique_ptr<Terminal> errors;
  if (origin.program.pipe) {
    ASSIGN_OR_RETURN(errors, Terminal::Create(options));
  }
  return SessionRef(new Session(loop, std::move(origin), std::move(folder),
                                std::move(channel), std::move(terminal),
                                std::move(errors)));
}

Session::Session(Loop* loop, SessionOrigin origin, Folder folder,
                 std::unique_ptr<Channel> channel,
                 std::unique_ptr<Terminal> terminal,
                 std::unique_ptr<Terminal> errors)
    : origin_(std::move(origin)),
      loop_(loop),
      folder_(std::move(folder)),
      directory_(folder_.Open()),
      channel_(std::move(channel)),
      terminal_(std::move(terminal)),
      history_(terminal_.get(), &folder_, "lines", origin_.log_cap),
      commands_(origin_.nonce),
      feed_(
          loop, directory_->get(), "out", terminal_.get(),
          [this](std::string_view bytes) { return NextMoment(bytes); },
          [this] { return Fed(); }),
      prober_(
          loop,
          [this](uint64_t serial) { SendHeader(PacketType::kProbe, serial); }),
      listeners_(loop,
                 [this](uint64_t serial) {
                   SendHeader(PacketType::kTree, serial, kTreeListening);
                 }),
      started_at_(loop->Now()),
      flood_(loop->Now()) {
  if (errors) {
    Terminal* terminal_of_errors = errors.get();
    errors_.reset(new Errors{
        std::move(errors),
        History(terminal_of_errors, &folder_, "errlines", origin_.log_cap),
        LogFeed(
            loop, directory_->get(), "err", terminal_of_errors,
            [](auto bytes) { return std::min(bytes.size(), kClosePiece); },
            [this] { return Fed(); })});
  }
  if (!origin_.place.empty()) write_serial_ = consumed_ = FirstSerial();
  if (channel_) Listen(std::move(channel_));
}

// The holder answers with all that it knows (kWelcome).
void Session::Listen(std::unique_ptr<Channel> channel) {
  channel_ = std::move(channel);
  channel_->SetListener(this);
  SendHeader(PacketType::kHello, kWireVersion, kWireVersion);
}

Session::~Session() {
  if (channel_) channel_->SetListener(nullptr);
}

void Session::SendHeader(PacketType type, uint64_t a, uint64_t b,
                         std::string_view payload) {
  PacketHeader header;
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

bool Session::AddressesRows() const {
  // `clear` addresses one.
  constexpr uint64_t kManyRows = 4;
  constexpr int64_t kTextBelow = 4;
  bool may_edit_line =
      terminal_->cursor().visible &&
      terminal_->end_line() - terminal_->cursor_line() <= kTextBelow;
  return row_addresses() >= (may_edit_line ? kManyRows : 1);
}

// What waits to be fed has been printed since, and a program that was quiet
// before it was typed to has not answered yet.
Duration Session::QuietFor() const {
  if (HasUnfed()) return Duration::zero();
  return loop_->Now() - std::max(last_output(), typed_at_);
}

std::optional<SessionState> Session::FreshState() {
  if (finished()) {
    return SessionState{Activity::kExited, Evidence::kKernel, ""};
  }
  // The shell's own word needs no look at it.
  if (prompt_.at_fresh_prompt() && feed_.drained()) {
    prompt_.Judged(Activity::kPrompt, terminal_->row_addresses());
    return SessionState{Activity::kPrompt, Evidence::kShell, ShellName()};
  }
  prober_.Want();
  const ProbeAnswer* answer = prober_.fresh();
  // An answer tells about the moment at which the log ended at its offset.
  // Before that has been fed the screen is older than the verdict, and an agent
  // would be told "prompt" beside a screen without one.
  bool seen_all = answer != nullptr && feed_.drained() &&
                  feed_.consumed() >= answer->offset &&
                  (!errors_ || errors_->feed.drained());
  if (!seen_all || !answer->settled) return std::nullopt;
  SessionState state =
      JudgeProbe(*answer, QuietFor(), ViewOfShell(), TextBeforeCursor());
  prompt_.Judged(state.activity, terminal_->row_addresses());
  return state;
}

SessionState Session::LastState() const {
  if (finished()) return {Activity::kExited, Evidence::kKernel, ""};
  if (prompt_.at_fresh_prompt()) {
    return {Activity::kPrompt, Evidence::kShell, ShellName()};
  }
  const ProbeAnswer* answer = prober_.last();
  if (answer == nullptr) return JudgeQuiet(QuietFor());
  ProbeAnswer judged = *answer;
  // An answer from before the last output or input says nothing of now.
  if (prober_.current() == nullptr) judged.settled = 0;
  return JudgeProbe(judged, QuietFor(), ViewOfShell(), TextBeforeCursor());
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

bool Session::IsBehind() const {
  bool will_stay = flood_.IsMuch() && loop_->IsCrowded();
  return HasUnfed() && (will_stay || IsFlooding());
}

bool Session::IsFlooding() const {
  return flood_.IsLasting(loop_->Now(), HasUnfed());
}

std::string Session::TextBeforeCursor() const {
  int64_t line = terminal_->cursor_line();
  std::vector<Line> lines = terminal_->Lines(line, line + 1);
  if (lines.empty()) return "";
  std::string& text = lines.front().text;
  text.resize(std::min(text.size(), terminal_->cursor_line_bytes()));
  return std::move(text);
}

// As the kernel calls it.
std::string Session::ShellName() const {
  const std::string& path = origin_.program.argv[0];
  return path.substr(path.rfind('/') + 1);
}

ShellView Session::ViewOfShell() const {
  ShellView view;
  view.phase = commands_.phase();
  view.run_ended = prompt_.run_ended();
  const CommandBlock* running = commands_.running();
  view.reads = running != nullptr && MayReadLines(running->text);
  return view;
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

bool Session::exited() const {
  return exit_ && feed_.consumed() >= exit_->offset &&
         (!errors_ || errors_->feed.drained());
}

bool Session::holder_lost() const {
  return ended_ && !exit_ && feed_.drained() &&
         (!errors_ || errors_->feed.drained());
}

const Terminal* Session::errors() const {
  return errors_ ? errors_->terminal.get() : nullptr;
}

const History* Session::error_history() const {
  return errors_ ? &errors_->history : nullptr;
}

// Nobody is left who could report, so waits for a report end too.
void Session::MarkEnded() {
  ended_ = true;
  close_reported_ = true;
  prober_.Stop();
  Changed();
}

void Session::Abandon() { waiters_.WakeAll(Outcome::kClosed); }

void Session::OnPacket(const Packet& packet) {
  const PacketHeader& header = packet.header;
  if (!origin_.place.empty()) Answered(header);
  switch (header.type) {
    case PacketType::kWelcome:
      OnWelcome(packet);
      break;
    case PacketType::kStarted:
      OnStarted(header);
      break;
    case PacketType::kData:
      // Errors first: they were there when stdout said what a wait may be for.
      if (errors_) errors_->feed.SetEnd(header.b);
      OutputReaches(header.a);
      return;  // what it says shows when it has been fed
    case PacketType::kInline:
      feed_.AddInline(header.a, packet.payload);
      return;
    case PacketType::kConsumed:
      OnConsumed(packet);
      break;
    case PacketType::kRefused:
      Refuse({header.a, static_cast<WriteRefusal>(header.b),
              HeadOf<uint64_t>(packet.payload)});
      break;
    case PacketType::kState:
      OnState(packet);
      break;
    case PacketType::kLease:
      OnLease(packet);
      break;
    case PacketType::kExit:
      SetExit({header.a, HeadOf<uint64_t>(packet.payload),
               static_cast<int>(header.b)});
      prober_.Stop();
      break;
    case PacketType::kResized:
      feed_.AddResize(header.a, {static_cast<int>(header.b >> 32),
                                 static_cast<int>(header.b & 0xFFFFFFFF)});
      break;
    case PacketType::kTreeRow:
      OnTreeRow(packet);
      return;
    case PacketType::kTreeEnd:
      OnTreeEnd(header.a);
      break;
    case PacketType::kEmpty:
      survivors_.clear();
      close_reported_ = true;
      break;
    case PacketType::kAway:
      OnAway(header);
      break;
    case PacketType::kLost:
    case PacketType::kBusy:
    default:
      break;  // a hole shows when the log is read; newer packets are ignored
  }
  Changed();
}

// The holder's greeting is also its state: an adopted session learns all from
// it.
void Session::OnWelcome(const Packet& packet) {
  auto info = HeadOf<HolderInfo>(packet.payload);
  cut_off_since_.reset();
  if (info.started) leader_pid_ = info.leader_pid;
  person_.Met(info.lease_serial);
  // Where stderr is apart, kExit follows with the end of its log.
  if (info.exited && !errors_) {
    SetExit({info.exit_offset, 0, info.exit_status});
  }
  if (awaits_replay()) {
    BeginReplay(info.end);
  } else {
    feed_.SetEnd(info.end);
  }
}

void Session::OnStarted(const PacketHeader& header) {
  if (header.a == 0) {
    start_error_ = StartFailure(header.b, origin_);
  } else {
    leader_pid_ = static_cast<int>(header.a);
  }
}

void Session::OnState(const Packet& packet) {
  auto answer = HeadOf<ProbeAnswer>(packet.payload);
  // From another process: not trusted to be terminated.
  answer.name[sizeof answer.name - 1] = '\0';
  prober_.OnAnswer(packet.header.a, answer);
  // The doorbell may be waiting for an acknowledgement.
  if (errors_) errors_->feed.SetEnd(packet.header.b);
  OutputReaches(answer.offset);
}

// A row, its ports as pairs of u16 {port, family}, then the command line. The
// family is not shown.
void Session::OnTreeRow(const Packet& packet) {
  auto row = HeadOf<TreeRow>(packet.payload);
  std::string_view rest = packet.payload;
  rest.remove_prefix(std::min(rest.size(), sizeof row));
  ProcessInfo process;
  process.pid = row.pid;
  process.process_state = static_cast<char>(row.process_state);
  process.ports_known = row.ports_known != 0;
  for (int i = 0; i < row.ports && rest.size() >= 4; ++i) {
    process.ports.push_back(HeadOf<uint16_t>(rest));
    rest.remove_prefix(4);
  }
  process.command = std::string(rest);
  arriving_processes_.push_back(std::move(process));
}

// Serial 0 is nobody's question: what a close has left.
void Session::OnTreeEnd(uint64_t serial) {
  auto processes = std::exchange(arriving_processes_, {});
  if (serial > 0) return listeners_.OnReport(serial, std::move(processes));
  survivors_ = std::move(processes);
  close_reported_ = true;
}

void Session::OnGone() {
  Trace(LogCategory::kHolder, "%s: gone", name());
  channel_.reset();
  if (IsElsewhere(directory_->get())) return CutOff();
  EndNow();
}

void Session::EndNow() {
  // The packet with the status may be lost where the file is not.
  auto record = ReadExit(directory_->get());
  if (!exit_ && record) SetExit({record->offset, 0, record->status});
  // The files say what was logged: the doorbell for the last of it may not have
  // come.
  uint64_t end = std::max(feed_.end(), LogEnd(directory_->get(), "out"));
  if (awaits_replay()) BeginReplay(end);
  feed_.SetEnd(end);
  if (errors_) errors_->feed.SetEnd(LogEnd(directory_->get(), "err"));
  MarkEnded();
}

std::shared_ptr<const void> Session::LookClosely() {
  auto look = close_look_.lock();
  if (look == nullptr) close_look_ = look = std::make_shared<char>();
  return look;
}

// Without anybody who looks for text, moments are a waste, but any who wait
// want to see whole frames.
size_t Session::NextMoment(std::string_view bytes) const {
  if (waiters_.empty()) return bytes.size();
  if (close_look_.expired()) return FrameLength(bytes);
  return MomentLength(bytes.substr(0, kClosePiece), terminal_->modes());
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

Verdict Session::IsFrameWhole() const {
  Time limit = frame_began_ + kFrameLimit;
  bool drawing =
      terminal_->modes().synchronized && loop_->Now() < limit && !finished();
  return Verdict(!drawing, drawing ? limit : Time::max());
}

void Session::TakeEvents(bool is_live) {
  std::optional<Time> now;
  if (is_live) now = loop_->Now();
  for (const TerminalEvent& event : terminal_->TakeEvents()) {
    if (event.type == TerminalEvent::Type::kBell) ++bell_count_;
    if (event.type == TerminalEvent::Type::kTitle) ++title_count_;
    if (event.type == TerminalEvent::Type::kLink) {
      links_.push_back({event.line, event.text});
      if (links_.size() > kMaxLinks) links_.pop_front();
    }
    if (event.type == TerminalEvent::Type::kSync) {
      if (event.flag) frame_began_ = loop_->Now();
      frame_ended_ = !event.flag;
    }
    commands_.Take(event, *terminal_, now);
    if (event.type != TerminalEvent::Type::kMark) continue;
    prompt_.Marked(commands_, is_live, terminal_->row_addresses());
  }
}

void Session::Acknowledge() {
  uint64_t out = feed_.consumed();
  uint64_t err = errors_ ? errors_->feed.consumed() : 0;
  bool drained = feed_.drained() && (!errors_ || errors_->feed.drained());
  if (out + err - acked_ < kAckEvery && !drained) return;
  acked_ = out + err;
  SendHeader(PacketType::kAck, out, err);
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

// May end the wait that led here; a woken coroutine runs from the loop's queue.
void Session::Changed() {
  bool over = ended_ && !replaying() && feed_.drained() &&
              (!errors_ || errors_->feed.drained());
  if (over && directory_ != nullptr) CloseFiles();
  waiters_.Check();
  if (observer_) observer_();
}

}  // namespace glasstty
