// The messages between a server, a holder and observers, as values.
//
// Each struct has its number on the wire and lists its fields once; Encode and
// Decode are derived from that list (wire/codec.h). docs/wire.md shows the
// messages as tables that are checked against this file. Texts and bytes of a
// decoded message point into the packet, which must outlive it. Plain values.
//
// On the way from another machine, messages may be lost or overtake output. So
// a struct may also have:
//   kAskAgain   the last such request is sent again after a lost connection,
//               until its answer has arrived (a File only if it removes one);
//   Answers     the request that this message answers;
//   After()     the output that must arrive before this message (LogEnds).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "wire/codec.h"
#include "wire/packets.h"
#include "wire/session_files.h"

namespace glasstty::wire {

// Offsets in the logs. Null stands for the end of what has been announced.
struct LogEnds {
  std::optional<uint64_t> out{};
  std::optional<uint64_t> err{};
};

// ---- Server to holder

// Opens a connection with the versions that the server speaks.
struct Hello {
  static constexpr PacketType kType{1};
  uint64_t lowest = kWireVersion;
  uint64_t highest = kWireVersion;
  bool operator==(const Hello&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.lowest), io.B(m.highest); }
};

// Reports how much of each log has been consumed. The holder may trim the logs
// up to these offsets, and sends Data again when there is more. `err` is for
// pipe sessions.
struct Ack {
  static constexpr PacketType kType{2};
  uint64_t out = 0;
  uint64_t err = 0;
  bool operator==(const Ack&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.out), io.B(m.err); }
};

// Types bytes to the program. `flags` are WriteFlags.
struct Write {
  static constexpr PacketType kType{3};
  uint64_t serial = 0;
  uint64_t flags = 0;
  std::string_view bytes{};
  bool operator==(const Write&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.serial), io.B(m.flags), io.Rest(m.bytes);
  }
};

// Sets the size of the terminal; answered by Resized. An invalid size changes
// nothing, but is answered, too.
struct Resize {
  static constexpr PacketType kType{4};
  static constexpr bool kAskAgain = true;
  uint64_t rows = 0;
  uint64_t cols = 0;
  bool operator==(const Resize&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.rows), io.B(m.cols); }
};

// Sends a signal.
struct Signal {
  static constexpr PacketType kType{5};
  uint64_t number = 0;
  SignalTarget target{};
  bool operator==(const Signal&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.number), io.B(m.target); }
};

// Asks what the program waits for; answered by State. `flags` are ProbeFlags.
struct Probe {
  static constexpr PacketType kType{6};
  static constexpr bool kAskAgain = true;
  uint64_t serial = 0;
  uint64_t flags = 0;
  bool operator==(const Probe&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.serial), io.B(m.flags); }
};

// Asks for the session's processes; answered by TreeRows and a TreeEnd. `flags`
// are TreeFlags.
struct Tree {
  static constexpr PacketType kType{7};
  static constexpr bool kAskAgain = true;
  uint64_t serial = 0;
  uint64_t flags = 0;
  bool operator==(const Tree&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.serial), io.B(m.flags); }
};

// Ends the session step by step (holder/ending.h), and asks for a report of
// what is left (TreeEnd). `flags` are CloseFlags.
struct Close {
  static constexpr PacketType kType{8};
  static constexpr bool kAskAgain = true;
  uint64_t grace_ms = 0;
  uint64_t flags = 0;
  bool operator==(const Close&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.grace_ms), io.B(m.flags); }
};

// Ends the whole tree with SIGKILL, now.
struct Kill {
  static constexpr PacketType kType{9};
  static constexpr bool kAskAgain = true;
  bool operator==(const Kill&) const = default;
  static void Fields(auto&, auto&) {}
};

// Sets how long the session outlives its server (kKeepForever: without limit),
// and the limit of its log in bytes (0: unchanged).
struct Policy {
  static constexpr PacketType kType{10};
  static constexpr bool kAskAgain = true;
  uint64_t grace_ms = 0;
  uint64_t log_cap = 0;
  bool operator==(const Policy&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.grace_ms), io.B(m.log_cap); }
};

// Shows people what the agent asks them for. An empty text withdraws the
// request.
struct Ask {
  static constexpr PacketType kType{11};
  static constexpr bool kAskAgain = true;
  std::string_view text{};
  bool operator==(const Ask&) const = default;
  static void Fields(auto& io, auto& m) { io.Rest(m.text); }
};

// Writes a piece of a file into the session's directory on another machine;
// only a far relay handles it. `size` is that of the whole file; 0 removes the
// file.
struct File {
  static constexpr PacketType kType{12};
  static constexpr bool kAskAgain = true;
  uint64_t offset = 0;
  uint64_t size = 0;
  std::string_view name{};
  std::string_view piece{};
  bool operator==(const File&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.offset), io.B(m.size), io.Name(m.name), io.Rest(m.piece);
  }
};

// Asks which of the writes from `first` to `last` have arrived; sent to a near
// relay only, which answers Refused for each write that has not.
struct Doubt {
  static constexpr PacketType kType{13};
  uint64_t first = 0;
  uint64_t last = 0;
  bool operator==(const Doubt&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.first), io.B(m.last); }
};

// Lends the keyboard to a call of another server, in answer to Wanted. This
// server then types nothing until a Lease reports that the turn is over.
struct Lend {
  static constexpr PacketType kType{14};
  bool operator==(const Lend&) const = default;
  static void Fields(auto&, auto&) {}
};

// ---- Observer to holder
//
// Observers also send Ack, Write, Resize, Signal, Probe, Tree and Close.

// Opens a connection of an observer. The label is shown to the agent: at most
// kMaxLabel printable ASCII characters.
struct Watch {
  static constexpr PacketType kType{16};
  uint64_t lowest = kWireVersion;
  uint64_t highest = kWireVersion;
  std::string_view label{};
  bool operator==(const Watch&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.lowest), io.B(m.highest), io.Rest(m.label);
  }
};

// Takes the keyboard; answered by Lease. An idle limit of 0 means ten minutes.
// `flags` are TakeFlags.
struct Take {
  static constexpr PacketType kType{17};
  uint64_t idle_ms = 0;
  uint64_t flags = 0;
  bool operator==(const Take&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.idle_ms), io.B(m.flags); }
};

// Gives the keyboard back; answered by Lease.
struct Give {
  static constexpr PacketType kType{18};
  bool operator==(const Give&) const = default;
  static void Fields(auto&, auto&) {}
};

// ---- Holder to server and observers

// Answers Hello and Watch with the state of the session.
struct Welcome {
  static constexpr PacketType kType{64};
  uint64_t version = kWireVersion;
  HolderInfo info{};
  bool operator==(const Welcome&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.version), io.Head(m.info); }
};

// The doorbell: reports the ends of the logs. It is sent once, then not again
// until an Ack arrives.
struct Data {
  static constexpr PacketType kType{65};
  uint64_t out_end = 0;
  uint64_t err_end = 0;
  bool operator==(const Data&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.out_end), io.B(m.err_end); }
};

// Carries output that the disk refused. It may arrive before the Data message
// for earlier output.
struct Inline {
  static constexpr PacketType kType{66};
  uint64_t offset = 0;
  std::string_view bytes{};
  LogEnds After() const { return {.out = offset}; }
  bool operator==(const Inline&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.offset), io.Rest(m.bytes); }
};

// Reports that the program has consumed everything that was typed, up to this
// write. Older holders send no `receipt`.
struct Consumed {
  static constexpr PacketType kType{67};
  uint64_t serial = 0;
  ConsumedHow how{};
  std::optional<ReceiptInfo> receipt{};
  LogEnds After() const { return {.out = receipt ? receipt->log_end : 0}; }
  bool operator==(const Consumed&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.serial), io.B(m.how), io.Maybe(m.receipt);
  }
};

// Answers the Probe with this serial.
struct State {
  static constexpr PacketType kType{68};
  using Answers = Probe;
  uint64_t serial = 0;
  uint64_t err_end = 0;
  ProbeAnswer answer{};
  LogEnds After() const { return {answer.offset, err_end}; }
  bool operator==(const State&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.serial), io.B(m.err_end), io.Head(m.answer);
  }
};

// Reports that the program has ended, with the offset after its last byte, its
// status as waitpid(2) returns it, and the end of the err log.
struct Exit {
  static constexpr PacketType kType{69};
  uint64_t offset = 0;
  int32_t status = 0;
  uint64_t err_end = 0;
  LogEnds After() const { return {offset, err_end}; }
  bool operator==(const Exit&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.offset), io.B(m.status), io.Head(m.err_end);
  }
};

// Describes one process. `process.ports` counts the ports that follow; the
// arguments of the command are separated by blanks.
struct TreeRow {
  static constexpr PacketType kType{70};
  uint64_t serial = 0;
  ProcessRow process{};
  std::vector<ListeningPort> ports{};
  std::string_view command{};
  bool operator==(const TreeRow&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.serial), io.Head(m.process);
    io.List(m.ports, m.process.ports), io.Rest(m.command);
  }
};

// Ends a report of `count` rows. Serial 0 is the report that follows Close and
// Kill, which lists the processes that are left.
struct TreeEnd {
  static constexpr PacketType kType{71};
  using Answers = Tree;
  uint64_t serial = 0;
  uint64_t count = 0;
  bool operator==(const TreeEnd&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.serial), io.B(m.count); }
};

// Reports the size of the terminal from this offset on.
struct Resized {
  static constexpr PacketType kType{72};
  using Answers = Resize;
  uint64_t offset = 0;
  uint32_t rows = 0;
  uint32_t cols = 0;
  LogEnds After() const { return {.out = offset}; }
  bool operator==(const Resized&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.offset), io.Halves(m.rows, m.cols);
  }
};

// Reports, after Welcome, a hole at the end of the log; LogReader finds other
// holes. Older holders send no `hole`.
struct Lost {
  static constexpr PacketType kType{73};
  uint64_t offset = 0;
  uint64_t bytes = 0;
  std::optional<HoleRecord> hole{};
  LogEnds After() const { return {.out = offset}; }
  bool operator==(const Lost&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.offset), io.B(m.bytes), io.Maybe(m.hole);
  }
};

// Refuses a peer, because another server or too many observers are connected.
// The connection is closed. A server is refused only once it has waited a while
// for the end of the other one.
struct Busy {
  static constexpr PacketType kType{74};
  bool operator==(const Busy&) const = default;
  static void Fields(auto&, auto&) {}
};

// Reports the program's pid, or pid 0 and why it could not be started.
struct Started {
  static constexpr PacketType kType{75};
  uint64_t pid = 0;
  StartStage stage{};
  int32_t error = 0;
  bool operator==(const Started&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.pid), io.Halves(m.stage, m.error);
  }
};

// Reports that the program has ended and its tree is empty. The holder exits
// once this is sent.
struct Empty {
  static constexpr PacketType kType{76};
  uint64_t end = 0;
  LogEnds After() const { return {.out = end}; }
  bool operator==(const Empty&) const = default;
  static void Fields(auto& io, auto& m) { io.B(m.end); }
};

// Reports that a write was refused, or that only `taken` bytes of it were
// typed.
struct Refused {
  static constexpr PacketType kType{77};
  uint64_t serial = 0;
  WriteRefusal why{};
  uint64_t taken = 0;
  bool operator==(const Refused&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.serial), io.B(m.why), io.Head(m.taken);
  }
};

// Reports who has the keyboard. A server that sends Hello gets it before
// Welcome, unless nobody has taken the keyboard yet. The counters are totals,
// so nothing is lost when a newer Lease replaces one that is not sent yet.
// `serial` is that of `info`, and `flags` are LeaseFlags.
struct Lease {
  static constexpr PacketType kType{78};
  uint64_t serial = 0;
  uint64_t flags = 0;
  LeaseInfo info{};
  bool operator==(const Lease&) const = default;
  static void Fields(auto& io, auto& m) {
    io.A(m.serial), io.B(m.flags), io.Head(m.info);
  }
};

// Sends the text of the last Ask to observers.
struct Asked {
  static constexpr PacketType kType{79};
  std::string_view text{};
  bool operator==(const Asked&) const = default;
  static void Fields(auto& io, auto& m) { io.Rest(m.text); }
};

// Reports whether there is a connection to the session's machine; only a near
// relay sends this, after Welcome and at each change. `number` is the time at
// which the connection was lost (CLOCK_MONOTONIC, ns), or, once there is a
// connection again, the number of bytes of the log that have yet to arrive.
struct Away {
  static constexpr PacketType kType{80};
  bool is_away = false;
  uint64_t number = 0;
  bool operator==(const Away&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.is_away), io.B(m.number); }
};

// Asks the server for the keyboard, for a call of another server; answered by
// Lend as soon as none of the server's own calls types.
struct Wanted {
  static constexpr PacketType kType{81};
  bool operator==(const Wanted&) const = default;
  static void Fields(auto&, auto&) {}
};

// Each variant holds any message of one side; its first alternative stands for
// all other types. ServerRequests and ObserverRequests of the holder and
// HolderNews of the server have a function for each message; relays and
// watchers handle only some.
using FromServer =
    std::variant<std::monostate, Hello, Ack, Write, Resize, Signal, Probe, Tree,
                 Close, Kill, Policy, Ask, File, Doubt, Lend>;
using FromObserver = std::variant<std::monostate, Ack, Write, Resize, Signal,
                                  Probe, Tree, Close, Watch, Take, Give>;
using FromHolder =
    std::variant<std::monostate, Welcome, Data, Inline, Consumed, State, Exit,
                 TreeRow, TreeEnd, Resized, Lost, Busy, Started, Empty, Refused,
                 Lease, Asked, Away, Wanted>;

template <typename M>
concept IsMessage = requires {
  M::kType;
};

template <IsMessage M>
Writer Encode(const M& message) {
  Writer writer(M::kType);
  M::Fields(writer, message);
  writer.header.payload = writer.payload.size();
  return writer;
}

// Sends a message as SendPacket does.
bool SendMessage(int fd, const IsMessage auto& message) {
  Writer packet = Encode(message);
  return SendPacket(fd, packet.header, packet.payload);
}

// Reads `packet`, whose type must be that of M.
template <IsMessage M>
M DecodeAs(const Packet& packet) {
  Reader reader(packet);
  M message{};
  M::Fields(reader, message);
  return message;
}

// Reads a packet of FromServer, FromObserver or FromHolder.
template <typename Side>
Side Decode(const Packet& packet);

// Returns true if observers send messages of this type.
bool IsFromObserver(PacketType type);

}  // namespace glasstty::wire
