// What a server asks of the holder, request by request (holder.h).
//
// No request fails loudly: a server may be older or newer than its holder, and
// what it asks may come too late. Numbers out of range are dropped, unknown
// types are ignored, and each answer carries what is true now.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

#include "holder/foreground.h"
#include "holder/holder.h"
#include "holder/tree.h"
#include "wire/session_files.h"

namespace glasstty::holder {
namespace {

// Packets handled in one turn of the loop, so that a busy server does not
// keep output waiting.
constexpr int kMaxRequestsPerTurn = 64;
// Of the four-byte characters that it may consist of.
constexpr size_t kMaxAskBytes = 4 * wire::kMaxAsk;
constexpr uint64_t kMaxGraceMs = 1000ull * 3600 * 24 * 365;

void SetAttributes(const termios& attributes, wire::ProbeAnswer* answer) {
  answer->canonical = (attributes.c_lflag & ICANON) != 0;
  answer->echo = (attributes.c_lflag & ECHO) != 0;
  answer->raw_output = (attributes.c_oflag & OPOST) == 0;
}

}  // namespace

// A bounded number in a turn; poll(2) tells again of the rest.
void Holder::ReadRequests() {
  Time now = MonotonicNow();
  for (int i = 0; i < kMaxRequestsPerTurn && link_.attached(); ++i) {
    wire::Packet packet;
    switch (link_.Take(&packet)) {
      case wire::Receive::kPacket:
        Handle(packet, now);
        break;
      case wire::Receive::kNothing:
        return;
      case wire::Receive::kClosed:
        LoseServer(now);
        return;
    }
  }
}

void Holder::Handle(const wire::Packet& packet, Time now) {
  const wire::PacketHeader& header = packet.header;
  switch (header.type) {
    case wire::PacketType::kHello:
      return Greet();
    case wire::PacketType::kAck:
      link_.Acknowledge(header.a, header.b);
      SetAcked();
      Ring();
      return SendInline();
    case wire::PacketType::kWrite:
      return TakeWrite(packet, now);
    case wire::PacketType::kResize:
      return lease_.held() ? Resize(0, 0) : Resize(header.a, header.b);
    case wire::PacketType::kSignal:
      return Signal(header.a, header.b);
    case wire::PacketType::kProbe:
      return SendState(&link_, header.a);
    case wire::PacketType::kAsk:
      ask_ = packet.payload.substr(0, kMaxAskBytes);
      return observers_.SendLatest({.type = wire::PacketType::kAsked}, ask_);
    case wire::PacketType::kTree:
      return SendTree(header.a, header.b);
    case wire::PacketType::kClose:
      return Close(header.a, header.b, now);
    case wire::PacketType::kKill:
      report_wanted_ = true;
      ending_.Kill(now);
      return StepEnding(now);
    case wire::PacketType::kPolicy:
      grace_ms_ = header.a;
      if (header.b > 0) {
        for (Output& output : outputs_) output.log()->SetCap(header.b);
      }
      return;
    default:
      return;  // of a newer server: it can do without
  }
}

// Everything a server must know, the first as well as one that comes later.
void Holder::Greet() {
  grace_at_ = Time::max();
  grace_is_over_ = false;
  hello_by_ = Time::max();
  link_.SetGreeted();
  // It has read nothing yet, so nothing may be removed before it says so.
  link_.Follow(out().log()->first(), outputs_[1].log()->first(),
               out().log()->held_offset());
  SetAcked();
  TellLease();
  SendWelcome(&link_);
}

// To a server or an observer.
void Holder::SendWelcome(Connection* to) {
  wire::HolderInfo info = Info();
  to->Send({.type = wire::PacketType::kWelcome, .a = wire::kWireVersion},
           wire::AsBytes(info));
  uint64_t failure = static_cast<uint64_t>(start_.stage) << 32 |
                     static_cast<uint32_t>(start_.error);
  to->Send({.type = wire::PacketType::kStarted,
            .a = static_cast<uint64_t>(leader_),
            .b = leader_ > 0 ? 0 : failure});
  const LogWriter& log = *out().log();
  to->Ring(log.disk_end(), outputs_[1].log()->disk_end());
  if (log.held_offset() > log.disk_end()) {
    to->Send({.type = wire::PacketType::kLost,
              .a = log.disk_end(),
              .b = log.held_offset() - log.disk_end()});
  }
  to->SendInline(log);
  if (exited_) SendExit(to);
}

// As it is at this moment.
wire::HolderInfo Holder::Info() const {
  wire::HolderInfo info;
  info.first = out().log().first();
  info.end = out().log().end();
  info.exit_offset = exit_offset_;
  info.holder_pid = getpid();
  info.leader_pid = leader_;
  info.exit_status = exit_status_;
  info.rows = rows_;
  info.cols = cols_;
  info.started = leader_ > 0;
  info.exited = exited_;
  info.tail_open = exited_ && !TreeIsEmpty();
  info.pipe = spec_.pipe;
  info.lease_serial = lease_.serial();
  info.last_serial = input_.last_serial();
  info.read_serial = input_.outstanding() ? 0 : input_.last_serial();
  return info;
}

// Not told by the server: it died, or it left the session to its successor.
void Holder::LoseServer(Time now) {
  link_.Detach();
  if (!lease_.held()) input_.DropHeld();
  refuses_rest_ = false;
  report_wanted_ = false;
  ask_.clear();
  SetAcked();
  TellLease();
  StartGrace(now);
}

// One that connected and said nothing does not start the time anew. A person
// who types is a reason to go on.
void Holder::StartGrace(Time now) {
  if (link_.attached() || lease_.held()) return;
  if (grace_ms_ == wire::kKeepForever || grace_at_ != Time::max()) return;
  grace_at_ = now + std::chrono::milliseconds(std::min(grace_ms_, kMaxGraceMs));
}

// Counted as attached from the connection on, so that a server that has yet
// to say Hello finds all from the first byte.
void Holder::SetAcked() {
  bool attached = link_.attached();
  out().SetReader(attached, link_.acked_out());
  outputs_[1].SetReader(attached && spec_.pipe, link_.acked_err());
}

void Holder::Ring() {
  uint64_t end = out().log()->disk_end();
  uint64_t err_end = outputs_[1].log()->disk_end();
  link_.Ring(end, err_end);
  observers_.Ring(end, err_end);
}

void Holder::SendInline() {
  link_.SendInline(*out().log());
  observers_.SendInline(*out().log());
}

// A refusal is told at once; what was taken is told by kConsumed. Of a write in
// several packets that began while a person had the keyboard the rest is
// refused, too, whoever has it then.
void Holder::TakeWrite(const wire::Packet& packet, Time now) {
  const wire::PacketHeader& header = packet.header;
  bool is_reply = header.b & wire::kWriteReply;
  bool is_refused = (lease_.held() || refuses_rest_) && !is_reply;
  std::optional<wire::WriteRefusal> refusal;
  if (is_refused) {
    refuses_rest_ = header.b & wire::kWriteMore;
    if (!refuses_rest_) refusal = wire::WriteRefusal::kPersonTypes;
  } else {
    refusal =
        input_.Take(Input::kServer, header.a, header.b, packet.payload, now);
  }
  if (header.b & wire::kWriteSecret) link_.Forget();
  if (refusal) SendRefused(&link_, header.a, *refusal, 0);
  SendDropped();
}

// An observer that has gone meanwhile need not know.
void Holder::SendDropped() {
  for (const Input::Dropped& dropped : input_.TakeDropped()) {
    Connection* to = &link_;
    if (dropped.writer != Input::kServer) to = FindObserver(dropped.writer);
    if (to == nullptr) continue;
    SendRefused(to, dropped.serial, dropped.why, dropped.taken);
  }
}

void Holder::SendRefused(Connection* to, uint64_t serial,
                         wire::WriteRefusal reason, uint64_t taken) {
  to->Send({.type = wire::PacketType::kRefused,
            .a = serial,
            .b = static_cast<uint64_t>(reason)},
           wire::AsBytes(taken));
}

// One for all writes up to the last: nothing unread means none of them is.
void Holder::SendReceipt(Time now) {
  auto how = input_.Check(now);
  if (!how) return;
  wire::ReceiptInfo info{.log_end = out().log()->end(),
                         .unfinished = input_.has_unfinished_line() ? 1u : 0u};
  link_.SendLatest({.type = wire::PacketType::kConsumed,
                    .a = input_.last_serial(),
                    .b = static_cast<uint64_t>(*how)},
                   wire::AsBytes(info));
}

// What was printed for the old size is in the log before the offset from
// which the new one holds.
void Holder::Resize(uint64_t rows, uint64_t cols) {
  constexpr uint64_t kMax = std::numeric_limits<uint16_t>::max();
  bool valid = rows > 0 && cols > 0 && rows <= kMax && cols <= kMax;
  if (valid && device_.is_terminal()) out().Drain();
  uint64_t end = out().log()->end();
  if (valid) {
    rows_ = static_cast<uint16_t>(rows);
    cols_ = static_cast<uint16_t>(cols);
    if (device_.is_terminal()) device_.SetSize(rows_, cols_);
    events_.Append(wire::EventType::kResize, end, rows_, cols_);
  }
  Ring();
  wire::PacketHeader header{.type = wire::PacketType::kResized,
                            .a = end,
                            .b = uint64_t{rows_} << 32 | cols_};
  link_.SendLatest(header);
  observers_.SendLatest(header);
}

// Numbers a kernel does not know are dropped here: kill(2) with 0 would be a
// question.
void Holder::Signal(uint64_t number, uint64_t target) {
  if (number == 0 || number > static_cast<uint64_t>(SIGRTMAX)) return;
  int sig = static_cast<int>(number);
  pid_t leader = exited_ ? 0 : leader_;
  switch (static_cast<wire::SignalTarget>(target)) {
    case wire::SignalTarget::kForeground: {
      pid_t group = device_.is_terminal() ? device_.ForegroundGroup() : leader;
      if (group > 0) kill(-group, sig);
      return;
    }
    case wire::SignalTarget::kLeader:
      // Not reaped, so the number is still its own.
      if (leader > 0) kill(leader, sig);
      return;
    case wire::SignalTarget::kTree:
      for (const Member& member : WalkTree()) SignalMember(member, sig);
      return;
  }
}

// Reads what has been printed; false when there may be more.
bool Holder::DrainOutputs() {
  for (Output& output : outputs_) {
    bool is_used = &output == &out() || spec_.pipe;
    if (is_used && (output.paused() || !output.Drain())) return false;
  }
  return true;
}

// True when nothing typed is unread and nothing printed is unseen. `*unread`
// as in ProbeAnswer.
bool Holder::IsSettled(int* unread) {
  *unread = device_.UnreadInput();
  if (*unread >= 0) *unread += static_cast<int>(input_.queued());
  return *unread == 0 && device_.OutputIsDrained(Stream::kOut);
}

// A program that waits although there is something to read, or whose output
// has not been seen yet, is not waiting for the user: the verdict counts only
// if neither was so, both before and after the look.
wire::ProbeAnswer Holder::Look() {
  wire::ProbeAnswer answer;
  int unread;
  bool settled = DrainOutputs() && IsSettled(&unread);
  pid_t group = device_.is_terminal() ? device_.ForegroundGroup() : leader_;
  if (exited_) group = 0;
  Verdict verdict = LookAtForeground(group, {.terminal = device_.is_terminal(),
                                             .identity = device_.identity()});
  answer.settled = IsSettled(&answer.unread) && settled;
  answer.offset = out().log()->end();
  answer.foreground_pgrp = group;
  answer.foreground_pid = verdict.pid;
  answer.leader_pid = leader_;
  answer.waiting = verdict.waiting;
  answer.active = verdict.active;
  answer.no_job_control = !verdict.job_control;
  answer.no_peer = !verdict.has_peer;
  // Of the terminal that is waited for, if it may be asked.
  InnerLook inside;
  if (LookInside(verdict.inner, &inside)) {
    answer.settled = answer.settled && inside.unread == 0;
    SetAttributes(inside.attributes, &answer);
  } else if (termios own; device_.GetAttributes(&own)) {
    SetAttributes(own, &answer);
  }
  std::string name = verdict.pid > 0 ? ReadProcessName(verdict.pid) : "";
  name.copy(answer.name, sizeof answer.name - 1);
  std::copy_n(verdict.lineage.begin(),
              std::min(verdict.lineage.size(), wire::kMaxLineage),
              answer.lineage);
  Ring();
  return answer;
}

void Holder::SendState(Connection* to, uint64_t serial) {
  last_look_ = Look();
  uint64_t err_end = spec_.pipe ? outputs_[1].log()->disk_end() : 0;
  to->Send({.type = wire::PacketType::kState, .a = serial, .b = err_end},
           wire::AsBytes(last_look_));
}

// With the leader and whatever is dying: the server knows what to leave out.
void Holder::SendTree(uint64_t serial, uint64_t flags) {
  uint64_t count = 0;
  TreeRows rows =
      flags & wire::kTreeListening ? TreeRows::kListening : TreeRows::kAll;
  for (const std::string& row : DescribeTree(rows)) {
    link_.Send({.type = wire::PacketType::kTreeRow, .a = serial}, row);
    ++count;
  }
  link_.Send({.type = wire::PacketType::kTreeEnd, .a = serial, .b = count});
}

// The end-of-file character goes through the queue, behind what is typed.
void Holder::Close(uint64_t grace_ms, uint64_t flags, Time now) {
  report_wanted_ = true;
  bool eof = (flags & wire::kCloseEof) && !exited_;
  if (eof) {
    input_.Take(Input::kServer, input_.last_serial(), wire::kWriteEof, {}, now);
  }
  auto grace = std::chrono::milliseconds(std::min(grace_ms, kMaxGraceMs));
  ending_.Close({.grace = grace,
                 .wait_for_eof = eof,
                 .kill_survivors = (flags & wire::kCloseKillSurvivors) != 0},
                exited_ ? 0 : leader_, now);
  StepEnding(now);
}

}  // namespace glasstty::holder
