// The messages between a server and a holder, without their transport.
//
// Each packet of a unix SOCK_SEQPACKET is one PacketHeader and at most
// kMaxPayload bytes. Native endian: both ends are on one machine. Hello,
// Welcome, Ack, Write, Kill and Exit never change meaning, so that any server
// can watch and end any holder; packets of an unknown type are ignored and
// counted. Every message from the holder is a *latest state* that may be
// coalesced, because a socket's queue holds few packets.
//
// Servers connect to the socket `ctl`, one at a time. Observers (programs with
// which a person watches, and may take the keyboard, and other servers of the
// user) connect to `watch`, at most kMaxObservers. Only the server's
// acknowledgements count for flow control: a slow observer does not pause the
// program, and what it has read does not decide what is trimmed from a log.
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
// A holder queues this much input for a program that does not read; it refuses
// more.
inline constexpr size_t kMaxQueuedInput = 1 << 20;
// The kernel keeps this many bytes of a line that nobody has read in canonical
// mode (N_TTY_BUF_SIZE less one).
inline constexpr size_t kMaxCookedLine = 4095;

// The numbers of the messages, whose fields wire/messages.h describes.
enum class PacketType : uint16_t {
  // Server to holder.
  kHello = 1,
  kAck = 2,
  kWrite = 3,
  kResize = 4,
  kSignal = 5,
  kProbe = 6,
  kTree = 7,
  kClose = 8,
  kKill = 9,
  kPolicy = 10,
  kAsk = 11,
  kFile = 12,
  kDoubt = 13,
  kLend = 14,
  // Observer to holder, as are kAck, kWrite, kResize, kSignal, kProbe and
  // kClose.
  kWatch = 16,
  kTake = 17,
  kGive = 18,
  // Holder to server and observers.
  kWelcome = 64,
  kData = 65,
  kInline = 66,
  kConsumed = 67,
  kState = 68,
  kExit = 69,
  kTreeRow = 70,
  kTreeEnd = 71,
  kResized = 72,
  kLost = 73,
  kBusy = 74,
  kStarted = 75,
  kEmpty = 76,
  kRefused = 77,
  kLease = 78,
  kAsked = 79,
  kAway = 80,
  kWanted = 81,
};

enum WriteFlags : uint64_t {
  kWritePlain = 0,
  kWriteSecret = 1,  // only while the terminal is in canonical no-echo mode,
                     // judged at the moment of writing
  kWriteEof = 2,     // after the payload: the VEOF character in cooked mode, or
                     // the end of the pipe in pipe mode
  kWriteMore = 4,    // the next write continues this text, which is accepted or
                     // refused as a whole when its last packet arrives; the
                     // answer names that packet's serial
  kWriteReply = 8,   // a terminal's reply to a program that has asked it (DA,
                     // DSR ...): accepted no matter who has the keyboard
  // from an observer: a mouse report, which does not count as typing
  kWriteMouse = 16,
};

enum class WriteRefusal : uint64_t {
  kQueueFull = 1,    // kMaxQueuedInput bytes are waiting already
  kNotSecret = 2,    // kWriteSecret, but not at a password prompt
  kLineTooLong = 3,  // a cooked line above 4,095 bytes: the kernel would cut
                     // it silently
  kClosed = 4,       // no program can read it any more
  kPersonTypes = 5,  // somebody else has the keyboard
  kAway = 6,         // there is no connection to the program's machine
};

enum TakeFlags : uint64_t {
  kTakeOnce = 1,  // for one write, after which it is given back
  kTakeOver = 2,  // even if another person has it
  kTakeSize = 4,  // the size that the person gives the terminal stays, however
                  // the turn ends
  kTakeForCall = 8,  // for a call of another server: once the session's server
                     // lends it (kLend), and until a person takes it
};

enum LeaseFlags : uint64_t {
  kLeaseHeld = 1,   // a person has the keyboard
  kLeaseYours = 2,  // the observer that reads this has it
};

// Tells how a person's turn at the keyboard ended.
enum class LeaseEnd : uint8_t {
  kNone = 0,     // it has not ended, or there was none
  kGiven = 1,    // handed back
  kIdle = 2,     // nothing was typed for too long
  kGone = 3,     // its observer went away or fell silent
  kTaken = 4,    // another person took it, or a person took it from a call
  kProgram = 5,  // the program ended
};

enum class ConsumedHow : uint64_t {
  kRead = 0,     // all typed input has been consumed
  kFlushed = 1,  // the program threw typed-ahead input away (tcflush)
};

enum class SignalTarget : uint64_t {
  kForeground = 0,  // the foreground process group of the terminal
  kLeader = 1,      // the program that was started
  kTree = 2,        // everything the session started
};

enum CloseFlags : uint64_t {
  kCloseEof = 1,            // type the end-of-file character first
  kCloseKillSurvivors = 2,  // also end what left the session (setsid, nohup)
};

enum ProbeFlags : uint64_t {
  kProbeWork = 1,  // also PendingWork
};

enum TreeFlags : uint64_t {
  kTreeListening = 1,  // only processes that are known to listen on a port
};

// The steps of starting a program that can fail; the errno travels beside it.
enum class StartStage : uint32_t {
  kPty = 1,  // no pseudoterminal available
  kFork = 2,
  kTerminal = 3,   // setsid, controlling terminal
  kDirectory = 4,  // chdir to the wanted directory
  kExec = 5,
  kLog = 6,    // the session's log cannot be written
  kThere = 7,  // the other machine refused to run it
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

// Payload of kWelcome: everything that a server must know about a session that
// it meets in the middle of its life.
struct HolderInfo {
  uint64_t first = 0;        // first offset still in the log
  uint64_t end = 0;          // one past the last
  uint64_t exit_offset = 0;  // valid when `exited`
  int32_t holder_pid = 0;
  int32_t leader_pid = 0;
  int32_t exit_status = 0;  // as waitpid(2) gives it
  uint16_t rows = 0;
  uint16_t cols = 0;
  uint8_t started = 0;  // 0: the program is not running yet
  uint8_t exited = 0;
  uint8_t tail_open = 0;  // exited, but something of the tree still lives
  uint8_t pipe = 0;
  uint32_t lease_serial = 0;  // as LeaseInfo::serial
  uint64_t last_serial = 0;   // of the last write of a server that was taken
  uint64_t read_serial = 0;   // the same once nothing typed is unread, else 0
  // The last three are 0 from older holders.
  bool operator==(const HolderInfo&) const = default;
};
static_assert(sizeof(HolderInfo) == 64);

inline constexpr size_t kMaxLabel = 31;
// The maximum length, in characters, of the text in which an agent asks a
// person for something.
inline constexpr size_t kMaxAsk = 200;
// An observer that has the keyboard sends something at least this often, such
// as a kProbe; one that is silent for three times as long loses it.
inline constexpr uint64_t kLeaseBeatMs = 500;

// Payload of kLease: who has the keyboard, or had it last.
struct LeaseInfo {
  // Rises by one when a person takes the keyboard, and by one when that turn
  // ends, so it is odd while a person has the keyboard.
  uint32_t serial = 0;
  int32_t pid = 0;        // of the observer
  uint64_t since_ns = 0;  // CLOCK_MONOTONIC; when it was taken
  // Totals of the session for all people. Secrets are counted separately,
  // without their length.
  uint32_t writes = 0;
  uint32_t bytes = 0;
  uint32_t secrets = 0;
  LeaseEnd how = LeaseEnd::kNone;  // of the last turn that ended
  uint8_t server_attached = 0;     // 0: whoever has the keyboard also answers
                                   // what programs ask their terminal
  uint16_t rows = 0;  // the terminal's size when the keyboard was taken
  uint16_t cols = 0;
  char label[kMaxLabel + 1] = {};  // NUL-terminated
  uint16_t unused = 0;   // padding in older holders, whose value is not defined
  uint8_t entered = 0;   // the last that a person typed ended a line
  uint8_t for_call = 0;  // it was taken with kTakeForCall, by no person
  uint8_t reserved[2] = {};
  bool operator==(const LeaseInfo&) const = default;
};
static_assert(sizeof(LeaseInfo) == 72);

// Says what the foreground of the terminal waits for. The values are in the
// order of increasing evidence that it waits for input. See holder/foreground.h
// for how it is found out.
enum class Waiting : uint8_t {
  kGone = 0,        // there is no foreground process
  kStopped = 1,     // all of it is stopped
  kSleepOther = 2,  // asleep, but not on this terminal
  kOpaque = 3,      // may not be looked into (other user, 32-bit, no /proc)
  kRunning = 4,
  kPollTimeout = 5,  // polls the terminal with a time-out (editors, monitors)
  kPoll = 6,         // polls the terminal
  kRead = 7,         // in read(2) on the terminal
};

// The maximum number of process groups in ProbeAnswer::lineage: enough for a
// shell inside a program inside a shell.
inline constexpr size_t kMaxLineage = 8;

// Says what the foreground is about to do by itself; requested by kProbeWork.
inline constexpr int64_t kLongestDueMs = 150;
inline constexpr size_t kMaxDue = 5;
struct PendingWork {
  uint8_t known = 0;  // 0: not asked for, or an older holder
  uint8_t runs = 0;   // one of its threads is running
  // A process that it has started since the last input is alive.
  uint8_t has_started = 0;
  uint8_t is_alone = 0;  // one thread is all there is: nobody can wake it
  // The distinct time-outs of its sleeping threads that are at most
  // kLongestDueMs, ascending; unused entries are 0. If there are more than
  // kMaxDue, these are the longest.
  uint16_t due_ms[kMaxDue] = {};
  uint16_t reserved = 0;
  // Changes whenever one of its threads has run; the value itself means
  // nothing.
  uint64_t turns = 0;
  uint64_t cpu_ns = 0;  // that its threads have used
  bool operator==(const PendingWork&) const = default;
};
static_assert(sizeof(PendingWork) == 32);

// Payload of kState. A verdict counts only if `settled`: no unread input and
// no unread output, both before and after the look.
struct ProbeAnswer {
  uint64_t offset = 0;  // end of the log at the moment of the answer
  int32_t foreground_pgrp = 0;
  int32_t foreground_pid = 0;  // the process that the verdict is about
  int32_t leader_pid = 0;
  int32_t unread = -1;  // input bytes typed and not yet read; -1 unknown
  Waiting waiting{};
  uint8_t settled = 0;
  uint8_t canonical = 0;  // ICANON
  uint8_t echo = 0;       // ECHO
  uint8_t active = 0;     // some thread of the foreground was running
  // It does not ignore SIGTTOU (a shell with job control does). This and the
  // next are also 0 in answers of older holders.
  uint8_t no_job_control = 0;
  uint8_t no_peer = 0;  // kSleepOther: for time, a child, a file or a lock, not
                        // for a socket at whose other end somebody may read
                        // the terminal
  uint8_t raw_output = 0;  // no OPOST: it writes to the terminal as it is
  char name[24] = {};      // of foreground_pid, NUL-terminated
  // The process group of foreground_pid and those of its ancestors, nearest
  // first; consecutive duplicates are merged, and unused entries are 0. All 0:
  // not known (an older holder, nobody there).
  int32_t lineage[kMaxLineage] = {};
  PendingWork work;
  // The fields from here on are 0 in answers of older holders.
  int32_t outside_pid = 0;  // a process that reads the terminal although it is
                            // not of the foreground's session; foreground_pid
                            // is the same if the foreground itself does not
  int32_t stopped_pid = 0;  // a process in the background that was stopped
                            // because it wants the terminal (SIGTTIN)
  uint8_t no_signals = 0;   // no ISIG: keys such as ^C are text
  uint8_t is_inner = 0;     // the modes are of a terminal inside this one
  uint8_t reserved[6] = {};
  char outside_name[24] = {};
  char stopped_name[24] = {};
  bool operator==(const ProbeAnswer&) const = default;
};
static_assert(sizeof(ProbeAnswer) == 184);

// Payload of kConsumed.
struct ReceiptInfo {
  uint64_t log_end = 0;     // the end of the log when no unread input was found
  uint64_t unfinished = 0;  // 1: the kernel keeps a line that has no end yet
  bool operator==(const ReceiptInfo&) const = default;
};
static_assert(sizeof(ReceiptInfo) == 16);

// Head of the payload of kTreeRow. It is followed by `ports` pairs of {u16
// port, u16 family (4 or 6)}, then by the command line, whose arguments are
// separated by blanks.
struct ProcessRow {
  int32_t pid = 0;
  uint32_t uid = 0;
  uint8_t process_state = 0;  // letter of /proc/PID/stat
  uint8_t ports_known = 0;    // 0: its descriptors may not be read
  uint16_t ports = 0;         // listening TCP sockets that follow
  uint32_t reserved = 0;
  bool operator==(const ProcessRow&) const = default;
};
static_assert(sizeof(ProcessRow) == 16);

// Follows a ProcessRow as often as its `ports` says.
struct ListeningPort {
  uint16_t port = 0;
  uint16_t family = 0;  // 4 or 6
  bool operator==(const ListeningPort&) const = default;
};
static_assert(sizeof(ListeningPort) == 4);

// Reads the head of a payload. Fields that an older peer did not send are zero.
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
// Convert a packet to bytes that another protocol can carry (far/), and back.
// PacketOf returns nothing if `bytes` are not a packet; the payload of its
// result points into them.
std::string BytesOf(const Packet& packet);
std::optional<Packet> PacketOf(std::string_view bytes);

enum class Receive {
  kPacket,
  kNothing,  // nothing is there, or the kernel is short of memory
  kClosed,   // the peer is gone, or it does not speak this protocol
};
// `buffer` must hold sizeof(PacketHeader) + kMaxPayload bytes.
Receive ReceivePacket(int fd, char* buffer, size_t size, Packet* packet);

}  // namespace glasstty::wire
