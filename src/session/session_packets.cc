// What the holder says: each packet, and what it changes.
#include <algorithm>
#include <string>
#include <utility>

#include "session/program.h"
#include "session/session.h"

namespace glasstty::session {

void Session::OnPacket(const wire::Packet& packet) {
  const wire::PacketHeader& header = packet.header;
  if (!origin_.place.empty()) Answered(header);
  switch (header.type) {
    case wire::PacketType::kWelcome:
      OnWelcome(packet);
      break;
    case wire::PacketType::kStarted:
      OnStarted(header);
      break;
    case wire::PacketType::kData:
      // Errors first: they were there when stdout said what a wait may be for.
      if (errors_) errors_->feed.SetEnd(header.b);
      OutputReaches(header.a);
      return;  // what it says shows when it has been fed
    case wire::PacketType::kInline:
      feed_.AddInline(header.a, packet.payload);
      return;
    case wire::PacketType::kConsumed:
      OnConsumed(packet);
      break;
    case wire::PacketType::kRefused:
      Refuse({header.a, static_cast<wire::WriteRefusal>(header.b),
              wire::HeadOf<uint64_t>(packet.payload)});
      break;
    case wire::PacketType::kState:
      OnState(packet);
      break;
    case wire::PacketType::kLease:
      OnLease(packet);
      break;
    case wire::PacketType::kExit:
      SetExit({header.a, wire::HeadOf<uint64_t>(packet.payload),
               static_cast<int>(header.b)});
      prober_.Stop();
      break;
    case wire::PacketType::kResized:
      feed_.AddResize(header.a, {static_cast<int>(header.b >> 32),
                                 static_cast<int>(header.b & 0xFFFFFFFF)});
      break;
    case wire::PacketType::kTreeRow:
      OnTreeRow(packet);
      return;
    case wire::PacketType::kTreeEnd:
      OnTreeEnd(header.a);
      break;
    case wire::PacketType::kEmpty:
      survivors_.clear();
      close_reported_ = true;
      break;
    case wire::PacketType::kAway:
      OnAway(header);
      break;
    case wire::PacketType::kLost:
    case wire::PacketType::kBusy:
    default:
      break;  // a hole shows when the log is read; newer packets are ignored
  }
  Changed();
}

// The holder's greeting is also its state: an adopted session learns all from
// it.
void Session::OnWelcome(const wire::Packet& packet) {
  auto info = wire::HeadOf<wire::HolderInfo>(packet.payload);
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

void Session::OnStarted(const wire::PacketHeader& header) {
  if (header.a == 0) {
    start_error_ = StartFailure(header.b, origin_);
  } else {
    leader_pid_ = static_cast<int>(header.a);
  }
}

void Session::OnState(const wire::Packet& packet) {
  auto answer = wire::HeadOf<wire::ProbeAnswer>(packet.payload);
  // From another process: not trusted to be terminated.
  answer.name[sizeof answer.name - 1] = '\0';
  prober_.OnAnswer(packet.header.a, answer);
  // The doorbell may be waiting for an acknowledgement.
  if (errors_) errors_->feed.SetEnd(packet.header.b);
  OutputReaches(answer.offset);
}

// A row, its ports as pairs of u16 {port, family}, then the command line. The
// family is not shown.
void Session::OnTreeRow(const wire::Packet& packet) {
  auto row = wire::HeadOf<wire::TreeRow>(packet.payload);
  std::string_view rest = packet.payload;
  rest.remove_prefix(std::min(rest.size(), sizeof row));
  ProcessInfo process;
  process.pid = row.pid;
  process.process_state = static_cast<char>(row.process_state);
  process.ports_known = row.ports_known != 0;
  for (int i = 0; i < row.ports && rest.size() >= 4; ++i) {
    process.ports.push_back(wire::HeadOf<uint16_t>(rest));
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

// What a person types is not known, so nothing is of the prompt's line. A write
// without bytes has the receipt that tells when all of it has been read.
void Session::OnLease(const wire::Packet& packet) {
  uint64_t turns = person_.visits().turns;
  auto info = wire::HeadOf<wire::LeaseInfo>(packet.payload);
  person_.Take(info, packet.header.b & wire::kLeaseHeld, loop_->Now());
  prober_.InputSent();
  prompt_.SetShared(person_.here());
  if (person_.visits().turns == turns || person_.here()) return;
  prompt_.TypedByAnother(SendInput("", wire::kWritePlain));
}

void Session::OnConsumed(const wire::Packet& packet) {
  consumed_ = packet.header.a;
  // An older holder does not say when that was.
  if (packet.payload.empty()) return;
  auto receipt = wire::HeadOf<wire::ReceiptInfo>(packet.payload);
  prompt_.Read(consumed_, receipt.log_end, receipt.unfinished != 0);
}

}  // namespace glasstty::session
