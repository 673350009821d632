// The messages between a server and a holder, without their transport.
//
// One packet of a unix SOCK_SEQPACKET = one PacketHeader and at most
// kMaxPayload bytes. Native endian: both ends are on one machine. Hello,
// Welcome, Ack, Write, Kill and Exit never change meaning, so that any server
// can watch and end any holder; a packet of unknown type is ignored and
// counted. Every message from the holder is a *latest state* that may be
// coalesced, because a socket queue holds few packets.
//
// Servers connect to the socket `ctl`, one at a time. Observers (programs with
// which a person watches, and may take the keyboard) connect to `watch`, at
// most kMaxObservers. Their acknowledgements neither stop a program nor trim a
// log.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace glasstty::wire {

inline constexpr uint32_t kWireMagic = 0x314C4847;  // "GHL1"
inline constexpr uint16_t kWireVersion = 1;
inline constexpr size_t kMaxPayload = 4096;
inline constexpr size_t kMaxObservers = 8;
// Input a holder queues for a program that does not read; more is refused.
inline constexpr size_t kMaxQueuedInput = 1 << 20;

enum class PacketType : uint16_t {
  // Server to holder.
  kHello = 1,    // a: lowest, b: highest version spoken
  kAck = 2,      // a: offset in the log that the server has consumed; pipe
                 // sessions, b: the same of the err log
  kWrite = 3,    // a: serial, b: WriteFlags, payload: input bytes
  kResize = 4,   // a: rows, b: columns
  kSignal = 5,   // a: signal number, b: SignalTarget
  kProbe = 6,    // a: serial; answered by kState
  kTree = 7,     // a: serial, b: TreeFlags; answered by kTreeRow packets and a
                 // kTreeEnd
  kClose = 8,    // a: grace in milliseconds, b: CloseFlags; see ending.h
  kKill = 9,     // ends the whole tree with SIGKILL, now
  kPolicy = 10,  // a: grace in milliseconds when no server is attached
                 // (kKeepForever: no limit), b: log cap in bytes (0: as is)
  kAsk = 11,     // payload: what the agent asks a person for; none: nothing
  kFile = 12,  // to a far relay only: a file in the session's directory. a: the
               // offset of this piece, b: the file's size, 0 removes it;
               // payload: its name, a NUL, the piece
  kDoubt = 13,  // to a near relay only: it is not known whether the writes from
                // serial a to serial b have arrived. Each that has not is
                // refused

  // Observer to holder, on the socket `watch`; also kAck, kWrite, kResize and
  // kProbe, which mean what they mean on `ctl`.
  kWatch = 16,  // a: lowest, b: highest version spoken, payload: the label, at
                // most kMaxLabel printable ASCII characters
  kTake = 17,   // takes the keyboard. a: idle limit in milliseconds (0: ten
                // minutes), b: TakeFlags; answered by kLease
  kGive = 18,   // gives it back; answered by kLease

  // Holder to server.
  kWelcome = 64,   // a: version spoken, payload: HolderInfo
  kData = 65,      // a: end offset of the log, b: of the err log. Sent once,
                   // then not again until an Ack arrives
  kInline = 66,    // a: offset, payload: output that the disk did not take. May
                   // arrive before the doorbell for what lies in front of it
  kConsumed = 67,  // a: serial of the last write, b: ConsumedHow, payload:
                   // ReceiptInfo
  kState = 68,     // a: serial of the probe, b: end of the errors' log,
                   // payload: ProbeAnswer
  kExit = 69,      // a: offset after the program's last byte, b: wait status,
                   // payload: u64 end of the err log
  kTreeRow = 70,   // a: serial, payload: one TreeRow and its command line
  kTreeEnd = 71,   // a: serial, b: number of rows. Serial 0 is the report
                   // that follows kClose and kKill: what is left
  kResized = 72,   // a: offset from which the size holds, b: rows << 32 | cols
  kLost = 73,      // a: offset, b: bytes lost there. Sent after Welcome for a
                   // hole at the end of the log; LogReader finds the others
  kBusy = 74,      // another server is attached; the connection is closed
  kStarted = 75,   // a: pid, b: 0; or a: 0, b: StartStage << 32 | errno
  kEmpty = 76,     // the program has ended and the tree is empty: a: 0, b: end
                   // of the log. The holder exits once this is sent
  kRefused = 77,   // a: serial of a write not (wholly) taken, b: WriteRefusal,
                   // payload: u64 bytes that were taken
  kLease = 78,     // a: LeaseInfo::serial, b: LeaseFlags, payload: LeaseInfo.
  // Also to observers. To a server that says Hello it comes before kWelcome.
  // Its counters are totals, so that
  // coalescing loses nothing
  kAsked = 79,  // to observers. payload: as of the last kAsk
  kAway = 80,   // of a session on another machine, after each kWelcome and at
  // each change. a: 1 while there is no connection to it, b: since
  // when (CLOCK_MONOTONIC, ns); a: 0 else, b: bytes of its log that
  // are not here yet
};

enum WriteFlags : uint64_t {
  kWritePlain = 0,
  kWriteSecret = 1,  // only while the terminal is in canonical no-echo mode,
                     // judged at the moment of writing
  kWriteEof = 2,     // after the payload: the VEOF character in cooked mode,
                     // or the end of the pipe in pipe mode
  kWriteMore = 4,    // the next write goes on with the same text; all of it is
                     // taken or refused at its end, under the last serial
  kWriteReply = 8,   // what a terminal owes a program that has asked it (DA,
                     // DSR ...): taken whoever has the keyboard
  kWriteMouse = 16,  // of an observer: a pointer moved, which is not a key
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
  kTakeOver = 2,  // also from another person
};

enum LeaseFlags : uint64_t {
  kLeaseHeld = 1,   // a person has the keyboard
  kLeaseYours = 2,  // and it is the observer that reads this
};

// How a person's turn at the keyboard ended.
enum class LeaseEnd : uint8_t {
  kNone = 0,     // it has not, or there was none
  kGiven = 1,    // handed back
  kIdle = 2,     // nothing was typed for too long
  kGone = 3,     // its observer went away or fell silent
  kTaken = 4,    // another person took it
  kProgram = 5,  // the program ended
};

enum class ConsumedHow : uint64_t {
  kRead = 0,     // nothing typed is unread
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

enum TreeFlags : uint64_t {
  kTreeListening = 1,  // only processes that are known to listen on a port
};

// Where starting a program can fail; the errno travels beside it.
enum class StartStage : uint32_t {
  kPty = 1,  // no pseudoterminal available
  kFork = 2,
  kTerminal = 3,   // setsid, controlling terminal
  kDirectory = 4,  // chdir to the wanted directory
  kExec = 5,
  kLog = 6,    // the session's log cannot be written
  kThere = 7,  // the machine on which it was to run refused it
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

// Payload of kWelcome: everything a server must know of a session that it
// meets in the middle of its life.
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
};
static_assert(sizeof(HolderInfo) == 64);

inline constexpr size_t kMaxLabel = 31;
// Characters of what an agent may ask a person for.
inline constexpr size_t kMaxAsk = 200;
// An observer that has the keyboard says something at least this often, such as
// a kProbe; one that is silent for three times as long has lost it.
inline constexpr uint64_t kLeaseBeatMs = 500;

// Payload of kLease: who has the keyboard, or had it last.
struct LeaseInfo {
  uint32_t serial = 0;    // rises with each change of hands, so that it is odd
                          // while a person has the keyboard
  int32_t pid = 0;        // of the observer
  uint64_t since_ns = 0;  // CLOCK_MONOTONIC; when it was taken
  // Totals of the session for all people. Secrets count apart, without length.
  uint32_t writes = 0;
  uint32_t bytes = 0;
  uint32_t secrets = 0;
  LeaseEnd how = LeaseEnd::kNone;  // of the last turn that ended
  uint8_t server_attached = 0;     // 0: whoever has the keyboard also answers
                                   // what programs ask their terminal
  uint16_t rows = 0;  // the terminal's size when the keyboard was taken
  uint16_t cols = 0;
  char label[kMaxLabel + 1] = {};  // NUL-terminated
  uint32_t reserved = 0;
};
static_assert(sizeof(LeaseInfo) == 72);

// What the foreground of the terminal waits for, by rising strength of
// evidence. See foreground.h for how it is found out.
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

// Process groups that a ProbeAnswer tells: shells in programs in shells.
inline constexpr size_t kMaxLineage = 8;

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
  // The next two are 0 also where it is not known.
  uint8_t no_job_control = 0;  // it does not ignore SIGTTOU, as shells do that
                               // have a prompt
  uint8_t no_peer = 0;  // kSleepOther: for time, a child, a file or a lock, not
                        // for a socket at whose other end somebody may read
                        // the terminal
  uint8_t raw_output = 0;  // no OPOST: it writes to the terminal as it is
  char name[24] = {};      // of that process (comm), NUL-terminated
  // Its process group and those of its ancestors, nearest first, each once in a
  // row; 0 behind the last. All 0: not known (an older holder, nobody there).
  int32_t lineage[kMaxLineage] = {};
};
static_assert(sizeof(ProbeAnswer) == 88);

// Payload of kConsumed.
struct ReceiptInfo {
  uint64_t log_end = 0;     // end of the log when nothing was found unread
  uint64_t unfinished = 0;  // 1: the kernel keeps a line that has no end yet
};
static_assert(sizeof(ReceiptInfo) == 16);

// Head of the payload of kTreeRow. Behind it: `ports` pairs of {u16 port,
// u16 family (4 or 6)}, then the command line, arguments separated by blanks.
struct TreeRow {
  int32_t pid = 0;
  uint32_t uid = 0;
  uint8_t process_state = 0;  // letter of /proc/PID/stat
  uint8_t ports_known = 0;    // 0: its descriptors may not be read
  uint16_t ports = 0;         // listening TCP sockets that follow
  uint32_t reserved = 0;
};
static_assert(sizeof(TreeRow) == 16);

// The head of a payload: zeros what an older peer did not send.
template <typename T>
T HeadOf(std::string_view payload) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value{};
  payload.copy(reinterpret_cast<char*>(&value), sizeof value);
  return value;
}
// A payload of `value`, which must outlive it.
template <typename T>
std::string_view AsBytes(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// Sends one packet without blocking and without SIGPIPE. False with errno on
// failure; EAGAIN means that the peer's queue is full.
bool SendPacket(int fd, PacketHeader header, std::string_view payload = {});

// One received packet; `payload` points into the caller's buffer.
struct Packet {
  PacketHeader header;
  std::string_view payload;
};
enum class Receive {
  kPacket,
  kNothing,  // EAGAIN
  kClosed,   // the peer is gone, or it does not speak this protocol
};
// `buffer` must hold sizeof(PacketHeader) + kMaxPayload bytes.
Receive ReceivePacket(int fd, char* buffer, size_t size, Packet* packet);

}  // namespace glasstty::wire
