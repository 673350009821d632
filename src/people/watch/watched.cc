#include "watch/watched.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/numbers.h"
#include "record/timeline.h"
#include "support/status.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::watch {
namespace {

using std::chrono::milliseconds;

// Returns the setting lease-idle-s, which comes from the environment; 0 means
// the holder's default.
uint64_t IdleLimitMs() {
  const char* text = std::getenv("GLASSTTY_LEASE_IDLE_S");
  double seconds = 0;
  bool set = text != nullptr && absl::SimpleAtod(text, &seconds);
  return set && seconds > 0 ? static_cast<uint64_t>(seconds * 1000) : 0;
}

constexpr int kKeptRows = 10'000;
// The interval at which the files are examined if there is no connection.
constexpr Duration kGlance = milliseconds(250);
constexpr size_t kLooksForSizes = 4;
// The pause before a connection that was lost is made again. A holder drops an
// observer that is too slow, and a near relay each one while it has no
// connection to the session's machine.
constexpr Duration kPauseAfterLoss = std::chrono::seconds(1);
// At most this many packets wait for the socket: twice the input that a holder
// queues for a program.
constexpr size_t kMostUnsent = 2 * wire::kMaxQueuedInput / wire::kMaxPayload;

std::string RefusalInWords(wire::WriteRefusal why) {
  switch (why) {
    case wire::WriteRefusal::kQueueFull:
      return "the program does not read its input";
    case wire::WriteRefusal::kNotSecret:
      return "the terminal is no longer at a password prompt";
    case wire::WriteRefusal::kLineTooLong:
      return "the line is too long for the terminal";
    case wire::WriteRefusal::kClosed:
      return "the program no longer reads its terminal";
    case wire::WriteRefusal::kPersonTypes:
      return "the keyboard is not yours";
    case wire::WriteRefusal::kAway:
      return "there is no connection to the program's machine";
  }
  return "the input was not accepted";
}

}  // namespace

absl::StatusOr<std::unique_ptr<Watched>> Watched::Create(
    Loop* loop, record::RecordedSession session, std::string label,
    int kept_rows) {
  const record::ProgramSpec& program = session.origin.program;
  if (program.pipe) {
    return InvalidArgument("%s has no terminal to look at; use `glasstty tail`",
                           session.origin.name);
  }
  ASSIGN_OR_RETURN(auto terminal,
                   terminal::Terminal::Create({.size = program.size,
                                               .scrollback_rows = kept_rows,
                                               .nonce = session.origin.nonce}));
  terminal->MuteReplies(true);
  return std::unique_ptr<Watched>(new Watched(
      loop, std::move(session), std::move(label), std::move(terminal)));
}

absl::StatusOr<std::unique_ptr<Watched>> Watched::Open(
    Loop* loop, record::RecordedSession session, std::string label) {
  ASSIGN_OR_RETURN(
      std::unique_ptr<Watched> watched,
      Create(loop, std::move(session), std::move(label), kKeptRows));
  watched->LookForMore();
  return watched;
}

absl::StatusOr<std::unique_ptr<Watched>> Watched::OpenFiles(
    Loop* loop, record::RecordedSession session) {
  ASSIGN_OR_RETURN(std::unique_ptr<Watched> watched,
                   Create(loop, std::move(session), "", 0));
  watched->look_gap_ = kGlance;
  watched->source_ = Source::kFilesOnly;
  watched->LookForMore();
  return watched;
}

absl::StatusOr<std::unique_ptr<Watched>> Watched::OpenFacts(
    Loop* loop, record::RecordedSession session, std::string label) {
  std::unique_ptr<Watched> watched(
      new Watched(loop, std::move(session), std::move(label), nullptr));
  watched->LookForMore();
  return watched;
}

Watched::Watched(Loop* loop, record::RecordedSession session, std::string label,
                 std::unique_ptr<terminal::Terminal> terminal)
    : loop_(loop),
      session_(std::move(session)),
      label_(std::move(label)),
      terminal_(std::move(terminal)),
      look_(loop, [this] { LookForMore(); }),
      beat_(loop, [this] { Probe(); }),
      last_output_(loop->Now()) {}

Watched::~Watched() = default;

// Returns false if the holder does not accept observers, or not yet. If Watch
// cannot be sent, the next read reports the end of the connection.
bool Watched::Connect() {
  socket_ = wire::ConnectObserver(directory());
  if (!socket_.valid()) return false;
  readable_ =
      std::make_unique<FdWatch>(loop_, socket_.get(), FdWatch::Direction::kRead,
                                Urgency::kProtocol, [this] { Receive(); });
  writable_ = std::make_unique<FdWatch>(
      loop_, socket_.get(), FdWatch::Direction::kWrite, Urgency::kProtocol,
      [this] { SendUnsent(); });
  writable_->Enable(false);
  source_ = Source::kHolder;
  Send(wire::Watch{.label = label_});
  return true;
}

// Adds the sizes up to now. The holder reports later ones, or LookForSizes
// finds them.
void Watched::BeginFeeding() {
  if (terminal_ == nullptr || feed_ != nullptr) return;
  feed_ = std::make_unique<session::LogFeed>(
      loop_, directory(), "out", terminal_.get(),
      [](std::string_view bytes) { return bytes.size(); },
      [this] {
        last_output_ = loop_->Now();
        AnswerProgram();
        Changed();
        return false;
      });
  AddSizes();
  feed_->StartFrom(record::FindLogStart(directory()));
}

bool Watched::HasNewEvents() {
  struct stat info {};
  fstatat(directory(), wire::kEventsName, &info, 0);
  bool is_same = info.st_ino == events_inode_ && info.st_size == events_size_;
  events_inode_ = info.st_ino;
  events_size_ = info.st_size;
  return !is_same;
}

void Watched::AddSize(uint64_t offset, terminal::Size size) {
  last_size_ = {offset, size};
  feed_->AddResize(offset, size);
}

// A size that the holder reports may be in the timeline already when it arrives
// here. Older entries may have been dropped from the timeline.
void Watched::AddSizes() {
  record::Timeline timeline = record::ReadTimeline(directory());
  const std::vector<record::Timeline::Resize>& sizes = timeline.resizes();
  auto is_known = [this](const record::Timeline::Resize& resize) {
    return last_size_ == std::pair(resize.offset, resize.size);
  };
  auto last = std::find_if(sizes.rbegin(), sizes.rend(), is_known);
  for (auto next = last.base(); next != sizes.end(); ++next) {
    bool is_older = last_size_ && next->offset < last_size_->first;
    if (!is_older) AddSize(next->offset, next->size);
  }
}

// The file with the sizes also has the times of all output, so it is read only
// at some looks, and only if it has changed.
void Watched::LookForSizes() {
  if (source_ == Source::kHolder || feed_ == nullptr) return;
  if (looks_++ % kLooksForSizes == 0 && HasNewEvents()) AddSizes();
}

// A session is listed a moment before its holder accepts observers, so each
// look tries to connect again.
void Watched::LookForMore() {
  bool may_connect =
      source_ == Source::kNoHolder && loop_->Now() >= connect_at_;
  if (may_connect && Connect()) return;
  BeginFeeding();
  if (auto exit = wire::ReadExit(directory()); exit && !exited_) {
    exited_ = true;
    exit_status_ = exit->status;
  }
  LookForSizes();
  bool is_over = exited_ || wire::IsOver(directory());
  auto end = wire::LogEnd(directory(), "out");
  if (feed_ != nullptr && is_over) {
    feed_->EndWithFiles();
  } else if (feed_ != nullptr && end) {
    feed_->SetEnd(*end);
  }
  Changed();
  if (!is_over) look_.SetAfter(look_gap_);
}

void Watched::Receive() {
  char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  while (socket_.valid()) {
    wire::Packet packet;
    switch (
        wire::ReceivePacket(socket_.get(), buffer, sizeof(buffer), &packet)) {
      case wire::Receive::kPacket:
        Handle(packet);
        break;
      case wire::Receive::kNothing:
        return;
      case wire::Receive::kClosed:
        return Disconnect();
    }
  }
}

void Watched::Handle(const wire::Packet& packet) {
  bool shows = std::visit([this](const auto& message) { return On(message); },
                          wire::Decode<wire::FromHolder>(packet));
  if (shows) Changed();
}

bool Watched::On(const wire::Welcome& welcome) {
  greeted_ = true;
  is_dropped_ = false;
  exited_ = welcome.info.exited != 0;
  exit_status_ = welcome.info.exit_status;
  if (feed_ != nullptr) AddSizes();
  BeginFeeding();
  if (feed_ != nullptr) feed_->SetEnd(welcome.info.end);
  Send(wire::Ack{welcome.info.end});
  Probe();
  return true;
}

// Acknowledges at once, so that the holder sends Data again; an observer's
// acknowledgements do not affect the program. Without a screen it is enough to
// hear at each probe whether there is more output.
bool Watched::On(const wire::Data& data) {
  if (feed_ != nullptr) feed_->SetEnd(data.out_end);
  last_output_ = loop_->Now();
  unacknowledged_ = data.out_end;
  if (terminal_ != nullptr) Acknowledge();
  return false;
}

void Watched::Acknowledge() {
  if (unacknowledged_) Send(wire::Ack{*unacknowledged_});
  unacknowledged_.reset();
}

bool Watched::On(const wire::Inline& output) {
  if (feed_ != nullptr) feed_->AddInline(output.offset, output.bytes);
  return false;
}

bool Watched::On(const wire::Lost& lost) {
  if (feed_ != nullptr)
    feed_->AddHole({.offset = lost.offset, .bytes = lost.bytes});
  return false;
}

bool Watched::On(const wire::Resized& resized) {
  if (feed_ != nullptr) {
    AddSize(resized.offset,
            {static_cast<int>(resized.rows), static_cast<int>(resized.cols)});
  }
  return true;
}

bool Watched::On(const wire::Exit& exit) {
  exited_ = true;
  exit_status_ = exit.status;
  if (feed_ != nullptr) feed_->SetEnd(exit.offset);
  return true;
}

bool Watched::On(const wire::State& state) {
  probe_ = state.answer;
  probe_.name[sizeof probe_.name - 1] = '\0';
  probed_ = true;
  return true;
}

bool Watched::On(const wire::Busy&) {
  is_crowded_ = true;
  return false;
}

bool Watched::On(const wire::Asked& asked) {
  asked_ = asked.text;
  return true;
}

bool Watched::On(const wire::Refused& refused) {
  refused_ = RefusalInWords(refused.why);
  return true;
}

// If a session has no server, the observer that has the keyboard answers the
// program's queries of its terminal (LeaseInfo::server_attached).
bool Watched::On(const wire::Lease& lease) {
  lease_ = lease.info;
  held_ = (lease.flags & wire::kLeaseHeld) != 0 && lease_.for_call == 0;
  mine_ = (lease.flags & wire::kLeaseYours) != 0;
  if (terminal_ != nullptr) {
    terminal_->MuteReplies(!mine_ || lease_.server_attached != 0);
  }
  if (mine_) {
    beat_.SetAfter(milliseconds(wire::kLeaseBeatMs));
  } else {
    beat_.Clear();
  }
  return true;
}

// The holder has ended, or has dropped this observer. Until there is another
// connection, the rest is read from the log.
void Watched::Disconnect() {
  readable_.reset();
  writable_.reset();
  unsent_.clear();
  socket_.Reset();
  greeted_ = held_ = mine_ = false;
  if (terminal_ != nullptr) terminal_->MuteReplies(true);
  beat_.Clear();
  is_dropped_ = !std::exchange(is_crowded_, false);
  source_ = Source::kNoHolder;
  connect_at_ = loop_->Now() + kPauseAfterLoss;
  LookForMore();
}

// A packet must not overtake those that wait. After any error but EAGAIN, the
// holder is gone, which the next read reports.
bool Watched::SendPacket(const wire::Writer& packet) {
  if (!socket_.valid() || unsent_.size() >= kMostUnsent) return false;
  if (unsent_.empty()) {
    bool is_sent =
        wire::SendPacket(socket_.get(), packet.header, packet.payload);
    if (is_sent || errno != EAGAIN) return is_sent;
  }
  unsent_.push_back(packet);
  writable_->Enable(true);
  return true;
}

void Watched::SendUnsent() {
  while (!unsent_.empty()) {
    const wire::Writer& next = unsent_.front();
    bool is_sent = wire::SendPacket(socket_.get(), next.header, next.payload);
    if (!is_sent && errno == EAGAIN) return;
    unsent_.pop_front();
  }
  writable_->Enable(false);
}

bool Watched::away() const {
  if (greeted_ || exited_ || !wire::IsElsewhere(directory())) return false;
  return is_dropped_ || wire::HolderIsDead(directory());
}

void Watched::Probe() {
  Acknowledge();
  Send(wire::Probe{++serial_});
  if (mine_) beat_.SetAfter(milliseconds(wire::kLeaseBeatMs));
}

void Watched::Take(uint64_t flags) { Send(wire::Take{IdleLimitMs(), flags}); }

void Watched::Give() { Send(wire::Give{}); }

void Watched::Resize(terminal::Size wanted) {
  terminal::Size size = terminal::NearestSize(wanted);
  Send(wire::Resize{static_cast<uint64_t>(size.rows),
                    static_cast<uint64_t>(size.cols)});
}

// A text in several packets is accepted or refused as a whole. So nothing of it
// is sent unless all of it can be: the holder would take the next text for the
// rest of one that was begun.
void Watched::Write(std::string_view bytes, uint64_t flags) {
  refused_.clear();
  ++serial_;
  bool is_sent =
      unsent_.size() + bytes.size() / wire::kMaxPayload < kMostUnsent;
  do {
    std::string_view piece = bytes.substr(0, wire::kMaxPayload);
    bytes.remove_prefix(piece.size());
    uint64_t more = bytes.empty() ? 0 : uint64_t{wire::kWriteMore};
    is_sent = is_sent && Send(wire::Write{serial_, flags | more, piece});
  } while (is_sent && !bytes.empty());
  if (is_sent) return;
  refused_ = greeted_ ? "the session does not accept more right now"
                      : "nothing can be typed into this session";
  Changed();
}

void Watched::AnswerProgram() {
  std::string replies = terminal_->TakeReplies();
  for (const terminal::TerminalEvent& event : terminal_->TakeEvents()) {
    if (heard_) heard_(event);
  }
  if (replies.empty() || !mine_) return;
  Send(wire::Write{++serial_, wire::kWriteReply, replies});
}

session::SessionState Watched::state() const {
  if (exited_) return {.activity = session::Activity::kExited};
  Duration quiet = loop_->Now() - last_output_;
  if (!probed_) return session::JudgeQuiet(quiet);
  return session::JudgeProbe(probe_, quiet);
}

void Watched::Changed() {
  if (change_) change_();
}

}  // namespace glasstty::watch
