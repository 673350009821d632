// The messages between a server, a holder and observers, as values.
//
// Each struct has its number on the wire and lists its fields once; Encode and
// Decode are derived from that list (wire/codec.h). docs/wire.md has tables of
// the messages, checked against this file. Texts and bytes of a decoded message
// point into the packet, which must outlive the message. Plain values.
//
// On the way from another machine, messages may be lost or overtake output. So
// a struct may also have:
//   kAskAgain   the server repeats the last such request after a reconnection,
//               unless it was answered (a File only if it removes a file);
//   Answers     the type of the request that this message answers;
//   After()     the ends of the output that must arrive before this message.
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

// Offsets in the logs. Null stands for the end that the holder has announced.
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

// Ends the session step by step (holder/ending.h), and asks for a report of the
// processes that are left (TreeEnd). `flags` are CloseFlags.
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
// and the limit of each of its logs in bytes (0: unchanged).
struct Policy {
  static constexpr PacketType kType{10};
  static constexpr bool kAskAgain = true;
  uint64_t grace_ms = 0;
  uint64_t log_cap = 0;
  bool operator==(const Policy&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.grace_ms), io.B(m.log_cap); }
};

// Shows observers what the agent asks a person for. An empty text withdraws the
// request.
struct Ask {
  static constexpr PacketType kType{11};
  static constexpr bool kAskAgain = true;
  std::string_view text{};
  bool operator==(const Ask&) const = default;
  static void Fields(auto& io, auto& m) { io.Rest(m.text); }
};

// Writes a piece of a file into the session's directory on another machine;
// only a far relay handles this. `size` is that of the whole file; 0 removes
// the file.
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

// Asks which of the writes from `first` to `last` have arrived; only a near
// relay handles this, and answers Refused for each lost write.
struct Doubt {
  static constexpr PacketType kType{13};
  uint64_t first = 0;
  uint64_t last = 0;
  bool operator==(const Doubt&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.first), io.B(m.last); }
};

// Lends the keyboard to a call of another server, in answer to Wanted. The
// lender then types nothing until a Lease reports that the turn is over.
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

// Gives the keyboard back; answered by Lease if the observer had it.
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

// The doorbell: reports the ends of the logs. After each one, the holder sends
// no other until an Ack arrives.
struct Data {
  static constexpr PacketType kType{65};
  uint64_t out_end = 0;
  uint64_t err_end = 0;
  bool operator==(const Data&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.out_end), io.B(m.err_end); }
};

// Carries output that the disk refused. The message may arrive before the Data
// message for earlier output.
struct Inline {
  static constexpr PacketType kType{66};
  uint64_t offset = 0;
  std::string_view bytes{};
  LogEnds After() const { return {.out = offset}; }
  bool operator==(const Inline&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.offset), io.Rest(m.bytes); }
};

// Reports that the program has consumed all typed input, up to the write with
// this serial. Older holders send no `receipt`.
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

// Reports that the program has ended, with the end of its output, its status as
// waitpid(2) returns it, and the end of its errors.
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

// Describes one process. `process.ports` is the number of `ports`. Blanks
// separate the arguments in `command`.
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

// Ends a report of `count` rows. Serial 0 marks the report after Close or Kill,
// which lists the processes that are left.
struct TreeEnd {
  static constexpr PacketType kType{71};
  using Answers = Tree;
  uint64_t serial = 0;
  uint64_t count = 0;
  bool operator==(const TreeEnd&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.serial), io.B(m.count); }
};

// Reports the size of the terminal, valid from the offset on.
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

// Reports, after Welcome, a hole at the end of the log. Readers find other
// holes with LogReader. Older holders send no `hole`.
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
// The connection is closed. Before it refuses a server, the holder waits a
// second for the other server's end.
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
// once it has sent this.
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

// Reports who has the keyboard. A server gets a Lease before Welcome, if any
// observer has ever taken the keyboard. The counters are totals, so a newer
// Lease may replace an unsent one without loss. `serial` is the same as in
// `info`, and `flags` are LeaseFlags.
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
// relay sends this, after Welcome and at each change. If it is away, `number`
// is the time of the loss (CLOCK_MONOTONIC, ns). Otherwise, it is the number of
// bytes of stdout that have yet to arrive (0 after Welcome).
struct Away {
  static constexpr PacketType kType{80};
  bool is_away = false;
  uint64_t number = 0;
  bool operator==(const Away&) const = default;
  static void Fields(auto& io, auto& m) { io.A(m.is_away), io.B(m.number); }
};

// Asks the server to lend the keyboard to a call of another server. The server
// answers Lend as soon as none of its own calls types.
struct Wanted {
  static constexpr PacketType kType{81};
  bool operator==(const Wanted&) const = default;
  static void Fields(auto&, auto&) {}
};

// Each variant can hold every message that one side sends. Its first
// alternative stands for all other types. ServerRequests and ObserverRequests
// of the holder and HolderNews of the server have a function for each message;
// relays and watchers handle only some.
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

// Decodes a packet, whose type must be that of M.
template <IsMessage M>
M DecodeAs(const Packet& packet) {
  Reader reader(packet);
  M message{};
  M::Fields(reader, message);
  return message;
}

// Decodes a packet. `Side` is FromServer, FromObserver or FromHolder.
template <typename Side>
Side Decode(const Packet& packet);

// Returns true if observers send messages of this type.
bool IsFromObserver(PacketType type);

}  // namespace glasstty::wire
