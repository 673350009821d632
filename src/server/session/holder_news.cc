#include "session/holder_news.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "base/visible.h"
#include "session/program.h"
#include "wire/messages.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// Enough of a command line to recognize the process.
constexpr size_t kMaxCommand = 400;

// Packets of these types change nothing visible until output has been fed, or
// until a report is complete.
constexpr wire::PacketType kShowLater[] = {
    wire::Data::kType, wire::Inline::kType, wire::TreeRow::kType,
    wire::Lost::kType};

}  // namespace

// Sets the end of stderr first, so that a wait that finds its text on stdout
// also sees the errors that were printed before this text.
template <>
void HolderNews::On(const wire::Data& data) {
  if (parts_.errors) parts_.errors->feed()->SetEnd(data.err_end);
  parts_.OutputReaches(data.out_end);
}

template <>
void HolderNews::On(const wire::Inline& output) {
  parts_.output.feed()->AddInline(output.offset, output.bytes);
}

template <>
void HolderNews::On(const wire::Refused& refused) {
  parts_.input.Refuse({refused.serial, refused.why, refused.taken});
}

template <>
void HolderNews::On(const wire::Exit& exit) {
  parts_.SetExit({exit.offset, exit.err_end, exit.status});
  parts_.questions.prober()->Stop();
}

template <>
void HolderNews::On(const wire::Resized& resized) {
  parts_.output.feed()->AddResize(
      resized.offset,
      {static_cast<int>(resized.rows), static_cast<int>(resized.cols)});
}

template <>
void HolderNews::On(const wire::Empty&) {
  parts_.life.EndTold();
}

// No segment follows a hole at the end of the log and reveals it, so the hole
// is added here. An older holder reports only the offset and size.
template <>
void HolderNews::On(const wire::Lost& lost) {
  parts_.output.feed()->AddHole(lost.hole.value_or(
      wire::HoleRecord{.offset = lost.offset, .bytes = lost.bytes}));
}

// The holder's greeting contains its whole state, so no request is needed.
template <>
void HolderNews::On(const wire::Welcome& welcome) {
  const wire::HolderInfo& info = welcome.info;
  if (parts_.is_guest) replay_.LookForSizes();
  parts_.contact.Greeted();
  if (info.started) parts_.life.Started(info.leader_pid);
  parts_.person.Met(info.lease_serial);
  // If stderr is separate, an Exit message follows with the ends of both logs.
  if (info.exited && !parts_.errors) {
    parts_.SetExit({info.exit_offset, 0, info.exit_status});
  }
  if (parts_.output.awaits_replay()) {
    replay_.Begin(info.end);
  } else {
    parts_.output.feed()->SetEnd(info.end);
  }
}

template <>
void HolderNews::On(const wire::Started& started) {
  if (started.pid == 0) {
    parts_.life.CannotStart(StartFailure(started, parts_.origin));
  } else {
    parts_.life.Started(static_cast<int>(started.pid));
  }
}

template <>
void HolderNews::On(const wire::State& state) {
  wire::ProbeAnswer answer = state.answer;
  // The name comes from another process, so it may lack its terminating NUL.
  answer.name[sizeof answer.name - 1] = '\0';
  parts_.questions.prober()->OnAnswer(state.serial, answer);
  // The ends of the logs are taken from the answer, too, because the
  // announcement of output (Data) may be delayed until an acknowledgement.
  if (parts_.errors) parts_.errors->feed()->SetEnd(state.err_end);
  parts_.OutputReaches(answer.offset);
}

// The family of a port is not shown.
template <>
void HolderNews::On(const wire::TreeRow& message) {
  const wire::ProcessRow& row = message.process;
  ProcessInfo process;
  process.pid = row.pid;
  process.process_state = static_cast<char>(row.process_state);
  process.ports_known = row.ports_known != 0;
  for (const wire::ListeningPort& port : message.ports) {
    process.ports.push_back(port.port);
  }
  process.command = ShowOnOneLine(message.command, kMaxCommand);
  arriving_processes_.push_back(std::move(process));
}

// The report with serial 0 lists the processes that a close has left.
template <>
void HolderNews::On(const wire::TreeEnd& end) {
  auto processes = std::exchange(arriving_processes_, {});
  if (end.serial > 0) {
    return parts_.questions.listeners()->OnReport(end.serial,
                                                  std::move(processes));
  }
  parts_.life.CloseReported(std::move(processes));
}

// The connection to the other machine was lost or is back, so requests may be
// lost. A loan of the turn may be lost, too, and its observer is disconnected.
// Once the connection is back, the holder reports whether a call still has the
// keyboard or wants it.
template <>
void HolderNews::On(const wire::Away& away) {
  if (away.is_away) {
    parts_.contact.WentAway(Time(Duration(away.number)));
    parts_.input.turn()->Withdraw();
  } else {
    parts_.contact.CameBack(parts_.loop->Now(), away.number);
    parts_.link.AskAgain();
  }
  // Earlier answers about the program are stale.
  parts_.questions.prober()->InputSent();
}

// The holder does not report which keys others type. So once they have typed,
// the contents of the prompt's line are unknown.
template <>
void HolderNews::On(const wire::Lease& lease) {
  const Person& person = parts_.person;
  uint64_t before = person.typed();
  parts_.person.Take(lease.info, lease.flags, parts_.loop->Now());
  parts_.questions.prober()->InputSent();
  if (parts_.is_guest) return;
  parts_.input.prompt()->SetShared(person.here() || person.is_call());
  if (person.is_call()) {
    // The keyboard may have been lent by an earlier server.
    parts_.input.turn()->Lend();
  } else {
    parts_.input.turn()->TakeBack();
  }
  if (person.typed() == before) return;
  parts_.input.TypedByAnother(lease.info.entered,
                              parts_.events.commands()->phase());
}

template <>
void HolderNews::On(const wire::Wanted&) {
  parts_.input.turn()->Lend();
}

template <>
void HolderNews::On(const wire::Consumed& consumed) {
  parts_.input.Consumed(consumed.serial);
  // An older holder does not report when the input was read.
  if (!consumed.receipt) return;
  parts_.input.prompt()->Read(consumed.serial, consumed.receipt->log_end,
                              consumed.receipt->unfinished != 0);
}

// The holder closes the connection next.
template <>
void HolderNews::On(const wire::Busy&) {}

// Only observers show what an agent asks a person for.
template <>
void HolderNews::On(const wire::Asked&) {}

// Only a newer holder sends this.
template <>
void HolderNews::On(const std::monostate&) {}

bool HolderNews::Take(const wire::Packet& packet) {
  auto message = wire::Decode<wire::FromHolder>(packet);
  parts_.link.Answered(message);
  std::visit([this](const auto& known) { On(known); }, message);
  const auto* end = std::end(kShowLater);
  return std::find(kShowLater, end, packet.header.type) == end;
}

}  // namespace glasstty::session
