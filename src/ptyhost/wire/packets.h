// The packets between a server and a holder: how they are sent, and the flags
// and plain structs of the messages in them (wire/messages.h).
//
// Each packet of a unix SOCK_SEQPACKET consists of one PacketHeader and at most
// kMaxPayload bytes. Numbers are in native byte order, because both ends are on
// one machine. Hello, Welcome, Ack, Write, Kill and Exit never change meaning,
// so that any server can watch and end any holder; packets of an unknown type
// are ignored. Many messages from the holder report a current state, so a newer
// message may replace an unsent one. This matters because a socket queues only
// some 280 packets.
//
// Servers connect to the socket `ctl`, one at a time. Observers connect to
// `watch`, at most kMaxObservers. An observer is either a program with which a
// person watches the session and may take the keyboard, or another server of
// the user. Only the server's acknowledgements count for flow control: a slow
// observer does not pause the program, and a log may be trimmed before the
// observer has read everything.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace glasstty::wire {

inline constexpr uint32_t kWireMagic = 0x314C4847;  // "GHL1"
inline constexpr uint16_t kWireVersion = 1;
inline constexpr size_t kMaxPayload = 4096;
inline constexpr size_t kMaxObservers = 8;
// A holder queues at most this many bytes of input for a program that does not
// read, and refuses further writes.
inline constexpr size_t kMaxQueuedInput = 1 << 20;
// In canonical mode, the kernel keeps at most this many bytes of an unread line
// (N_TTY_BUF_SIZE less one).
inline constexpr size_t kMaxCookedLine = 4095;

// The number of a message. Each message has its own (wire/messages.h).
enum class PacketType : uint16_t {};

enum WriteFlags : uint64_t {
  kWritePlain = 0,
  kWriteSecret = 1,  // type it only while the terminal is in canonical no-echo
                     // mode, which is checked at the moment of writing
  kWriteEof = 2,     // end the input after the payload: by the VEOF character
                     // in canonical mode, or by the end of the pipe
  kWriteMore = 4,    // the next write continues this text, which is accepted or
                     // refused as a whole when its last packet arrives; the
                     // answer names that packet's serial
  kWriteReply = 8,   // the terminal's reply to a query of the program (DA, DSR
                     // ...): accepted from a server whoever has the keyboard
  // from an observer: a report of the mouse, which does not count as typing
  kWriteMouse = 16,
};

enum class WriteRefusal : uint64_t {
  kQueueFull = 1,    // the queue has no room for it (kMaxQueuedInput)
  kNotSecret = 2,    // kWriteSecret was set, but there is no password prompt
  kLineTooLong = 3,  // a line of more than kMaxCookedLine bytes, which the
                     // kernel would truncate silently
  kClosed = 4,       // no program can read it any more
  kPersonTypes = 5,  // somebody else has the keyboard
  kAway = 6,         // there is no connection to the program's machine
};

enum TakeFlags : uint64_t {
  kTakeOnce = 1,     // for one write, after which the keyboard is given back
  kTakeOver = 2,     // even if another person has the keyboard
  kTakeSize = 4,     // the size that the person sets is kept after the turn,
                     // however the turn ends
  kTakeForCall = 8,  // for a call of another server: the turn begins when the
                     // session's server, if there is one, lends the keyboard
                     // (Lend), and ends when a person takes it, if not earlier
};

enum LeaseFlags : uint64_t {
  kLeaseHeld = 1,   // an observer has the keyboard
  kLeaseYours = 2,  // the observer that gets this Lease has the keyboard
};

// The way in which an observer's turn at the keyboard ended.
enum class LeaseEnd : uint8_t {
  kNone = 0,     // the turn has not ended, or there was none
  kGiven = 1,    // handed back
  kIdle = 2,     // nothing was typed for too long
  kGone = 3,     // the observer has disconnected or fallen silent
  kTaken = 4,    // a person took over the keyboard
  kProgram = 5,  // the program ended
};

enum class ConsumedHow : uint64_t {
  kRead = 0,     // all typed input has been consumed
  kFlushed = 1,  // the program discarded typed-ahead input (tcflush)
};

enum class SignalTarget : uint64_t {
  kForeground = 0,  // the foreground process group of the terminal
  kLeader = 1,      // the program that was started
  kTree = 2,        // everything the session started
};

enum CloseFlags : uint64_t {
  kCloseEof = 1,            // type the end-of-file character first
  kCloseKillSurvivors = 2,  // also end processes that have left the session
                            // (setsid, nohup)
};

enum ProbeFlags : uint64_t {
  kProbeWork = 1,  // fill in ProbeAnswer::work, too
};

enum TreeFlags : uint64_t {
  kTreeListening = 1,  // only processes that are known to listen on a port
};

// The steps of a start that can fail. The errno is sent with the step.
enum class StartStage : uint32_t {
  kPty = 1,  // no pseudoterminal or no pipes available
  kFork = 2,
  kTerminal = 3,   // setsid, controlling terminal
  kDirectory = 4,  // chdir to the wanted directory
  kExec = 5,
  kLog = 6,    // the session's logs or sockets cannot be created
  kThere = 7,  // the other machine refused to run the program
};

inline constexpr uint64_t kKeepForever = ~uint64_t{0};

struct PacketHeader {
  uint32_t magic = kWireMagic;
  uint16_t version = kWireVersion;
  PacketType type{};
  uint64_t a = 0;
  uint64_t b = 0;
  uint64_t payload = 0;  // bytes that follow in the same packet
};
static_assert(sizeof(PacketHeader) == 32);

// Payload of Welcome: everything that a server needs to take over a session
// that already runs.
struct HolderInfo {
  uint64_t first = 0;        // first offset still in the log
  uint64_t end = 0;          // the offset after the last byte
  uint64_t exit_offset = 0;  // valid when `exited`
  int32_t holder_pid = 0;
  int32_t leader_pid = 0;
  int32_t exit_status = 0;  // as waitpid(2) gives it
  uint16_t rows = 0;
  uint16_t cols = 0;
  uint8_t started = 0;  // 0: the program has not been started
  uint8_t exited = 0;
  uint8_t tail_open = 0;  // exited, but other processes of the tree still live
  uint8_t pipe = 0;
  uint32_t lease_serial = 0;  // as LeaseInfo::serial
  uint64_t last_serial = 0;   // the serial of the last accepted write of a
                              // server
  uint64_t read_serial = 0;   // last_serial if all input was read, else 0
  // Older holders send 0 in the last three fields.
  bool operator==(const HolderInfo&) const = default;
};
static_assert(sizeof(HolderInfo) == 64);

inline constexpr size_t kMaxLabel = 31;
// The maximum length, in characters, of the text in which an agent asks a
// person for something.
inline constexpr size_t kMaxAsk = 200;
// An observer that has the keyboard must send a packet, such as a Probe, at
// least this often. An observer that is silent for three times as long loses
// the keyboard.
inline constexpr uint64_t kLeaseBeatMs = 500;

// Payload of Lease: who has the keyboard, or had it last.
struct LeaseInfo {
  // Rises by one when an observer takes the keyboard, and by one when that turn
  // ends, so it is odd while an observer has the keyboard.
  uint32_t serial = 0;
  int32_t pid = 0;        // the pid of the observer
  uint64_t since_ns = 0;  // when the keyboard was taken (CLOCK_MONOTONIC)
  // Totals for all observers of the session. Secrets count only in `secrets`,
  // which does not reveal their lengths.
  uint32_t writes = 0;
  uint32_t bytes = 0;
  uint32_t secrets = 0;
  LeaseEnd how = LeaseEnd::kNone;  // how the last turn ended
  uint8_t server_attached = 0;     // 0: the observer that has the keyboard must
                                   // also answer the program's terminal queries
  uint16_t rows = 0;  // the terminal's size when the keyboard was taken
  uint16_t cols = 0;
  char label[kMaxLabel + 1] = {};  // NUL-terminated
  uint16_t unused = 0;   // older holders send arbitrary bytes here (padding)
  uint8_t entered = 0;   // 1: the last byte that an observer typed ended a line
  uint8_t for_call = 0;  // 1: the keyboard was taken with kTakeForCall, and not
                         // by a person
  uint8_t reserved[2] = {};
  bool operator==(const LeaseInfo&) const = default;
};
static_assert(sizeof(LeaseInfo) == 72);

// The states of the foreground of the terminal (holder/foreground.h), in the
// order of increasing evidence that the foreground waits for input.
enum class Waiting : uint8_t {
  kGone = 0,        // there is no foreground process
  kStopped = 1,     // all foreground processes are stopped
  kSleepOther = 2,  // asleep, but not on this terminal
  kOpaque = 3,      // cannot be inspected (another user's, 32-bit, no /proc)
  kRunning = 4,
  kPollTimeout = 5,  // polls the terminal with a time-out (editors, monitors)
  kPoll = 6,         // polls the terminal
  kRead = 7,         // in read(2) on the terminal
};

// The maximum number of process groups in ProbeAnswer::lineage: enough for a
// shell inside a program inside a shell.
inline constexpr size_t kMaxLineage = 8;

inline constexpr int64_t kLongestDueMs = 150;
inline constexpr size_t kMaxDue = 5;
// Describes what the foreground is about to do by itself; requested by
// kProbeWork.
struct PendingWork {
  uint8_t known = 0;  // 0: not asked for, or an older holder
  uint8_t runs = 0;   // 1: a thread of the foreground is running
  // 1: a process that the foreground started after the last input still lives.
  uint8_t has_started = 0;
  uint8_t is_alone = 0;  // 1: all threads but one wait for a child to end, and
                         // the reader is the only descendant, if there is one
  // The distinct time-outs of the foreground's sleeping threads, ascending;
  // unused entries are 0. Time-outs above kLongestDueMs are left out. If more
  // than kMaxDue remain, the shortest are left out, too.
  uint16_t due_ms[kMaxDue] = {};
  uint16_t reserved = 0;
  // Differs from the value of an earlier probe if a thread of the foreground
  // has run since; has no other meaning.
  uint64_t turns = 0;
  uint64_t cpu_ns = 0;  // the processor time of the foreground's threads
  bool operator==(const PendingWork&) const = default;
};
static_assert(sizeof(PendingWork) == 32);

// Payload of State. `waiting` is reliable only if `settled` is 1: all input and
// all output had been read, both before and after the examination.
struct ProbeAnswer {
  uint64_t offset = 0;  // the end of the log at the time of the answer
  int32_t foreground_pgrp = 0;
  int32_t foreground_pid = 0;  // the process that `waiting` describes
  int32_t leader_pid = 0;
  int32_t unread = -1;  // input bytes typed and not yet read; -1 if unknown
  Waiting waiting{};
  uint8_t settled = 0;
  uint8_t canonical = 0;  // ICANON
  uint8_t echo = 0;       // ECHO
  uint8_t active = 0;     // 1: some thread of the foreground was running
  // 1: foreground_pid does not ignore SIGTTOU; a shell with job control does.
  // Older holders send 0 in this field and the next.
  uint8_t no_job_control = 0;
  uint8_t no_peer = 0;  // for kSleepOther: the foreground waits for time, a
                        // child, a file or a lock, and not for a socket, whose
                        // other end might read the terminal
  uint8_t raw_output = 0;  // no OPOST: the terminal driver passes output on
                           // unchanged
  char name[24] = {};      // of foreground_pid, NUL-terminated
  // The group of the foreground's process and the groups of its ancestors,
  // nearest first; consecutive duplicates are merged, and unused entries are 0.
  // All entries are 0 from an older holder, or if there is no foreground.
  int32_t lineage[kMaxLineage] = {};
  PendingWork work;
  // Older holders send 0 in all fields from here on.
  int32_t outside_pid = 0;  // a process that reads this terminal and has
                            // another controlling terminal or none; if the
                            // foreground sleeps, foreground_pid is the same
  int32_t stopped_pid = 0;  // a process in the background that was stopped
                            // because it tried to read or change the terminal
                            // (SIGTTIN, SIGTTOU)
  uint8_t no_signals = 0;   // no ISIG: keys such as ^C are text
  uint8_t is_inner = 0;     // 1: `canonical` and the other modes are those of
                            // an inner terminal (holder/inner_terminal.h)
  uint8_t near_end = 0;     // 1: foreground_pid reads, but may pass input on to
                            // a serial line, another machine or a server
  uint8_t reserved[5] = {};
  char outside_name[24] = {};
  char stopped_name[24] = {};
  bool operator==(const ProbeAnswer&) const = default;
};
static_assert(sizeof(ProbeAnswer) == 184);

// Payload of Consumed.
struct ReceiptInfo {
  uint64_t log_end = 0;     // the end of the log when all input had been read
  uint64_t unfinished = 0;  // 1: the kernel holds an unfinished line
  bool operator==(const ReceiptInfo&) const = default;
};
static_assert(sizeof(ReceiptInfo) == 16);

// Head of the payload of TreeRow. The payload continues with `ports`
// ListeningPorts and the command line, whose arguments are separated by blanks.
struct ProcessRow {
  int32_t pid = 0;
  uint32_t uid = 0;
  uint8_t process_state = 0;  // letter of /proc/PID/stat
  uint8_t ports_known = 0;    // 0: its descriptors cannot be read
  uint16_t ports = 0;         // listening TCP sockets that follow
  uint32_t reserved = 0;
  bool operator==(const ProcessRow&) const = default;
};
static_assert(sizeof(ProcessRow) == 16);

// A listening socket of a process.
struct ListeningPort {
  uint16_t port = 0;
  uint16_t family = 0;  // 4 or 6
  bool operator==(const ListeningPort&) const = default;
};
static_assert(sizeof(ListeningPort) == 4);

// Reads the head of a payload. Fields that an older peer did not send have
// defaults.
template <typename T>
T HeadOf(std::string_view payload) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value{};
  payload.copy(reinterpret_cast<char*>(&value), sizeof value);
  return value;
}
// Returns the bytes of `value`, which must outlive them.
template <typename T>
std::string_view AsBytes(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// Sends one packet without blocking and without SIGPIPE. Returns false with
// errno on failure; EAGAIN means that the peer's queue is full, or that the
// kernel is short of memory.
bool SendPacket(int fd, PacketHeader header, std::string_view payload = {});

// A received packet; `payload` points into the caller's buffer.
struct Packet {
  PacketHeader header;
  std::string_view payload;
};
// These convert a packet to bytes that another protocol can carry (far/), and
// back. PacketOf returns nothing if `bytes` are not a packet. The payload of
// its result points into `bytes`.
std::string BytesOf(const Packet& packet);
std::optional<Packet> PacketOf(std::string_view bytes);

enum class Receive {
  kPacket,
  kNothing,  // no packet has arrived, or the kernel is short of memory
  kClosed,   // the peer is gone, or it does not speak this protocol
};
// Receives one packet without blocking. `buffer` must hold sizeof(PacketHeader)
// + kMaxPayload bytes.
Receive ReceivePacket(int fd, char* buffer, size_t size, Packet* packet);

}  // namespace glasstty::wire
