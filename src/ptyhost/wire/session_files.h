// The files of one session's directory: names, formats, and who writes them.
//
// The raw log is the interface between holder and server: the holder appends,
// the server reads the growing log, and sockets announce new bytes and carry
// those that the disk refused. Both link this file, so it uses no third-party
// library.
//
//   out.<16 hex>  a segment of the output, append-only; named after the
//                 absolute offset of its first byte. Pipe sessions also have
//                 err.<16 hex>
//   events        EventRecords, written by the holder, each after the output
//                 that it refers to
//   holes         HoleRecords of the output that was lost between segments,
//                 written by the holder once the disk accepts output again
//   input         InputRecords of typed text that the terminal echoed, written
//                 by the holder if the session records its input
//   exit          ExitRecord, written atomically by the holder (rename(2))
//   meta.json     written by the server; no environment, no secrets
//   mark          MarkRecord, written by the server in place
//   lock          locked by the holder (flock(2)) until it ends: if the lock is
//                 free, the holder is dead
//   ctl           the holder's socket, for a server
//   watch         the holder's socket for observers; older holders have none
//   environment   a script that sets variables for one command (0600), written
//                 by the server; the script begins by deleting this file
//   command       a command that cannot be typed as text; the shell reads it
//   history       the command history of the session's shells, written by them
//   adopting      one byte for each server that began to replay the log;
//                 removed at the end unless too many died
//   elsewhere     HolderInfo (wire/packets.h) and the boot id of its machine,
//                 written by a near relay: the session runs on another machine,
//                 so a free lock does not mean that it has ended. Removed when
//                 the session ends
//   lost          explains why the end of a session elsewhere is unknown
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty::wire {

inline constexpr uint64_t kSegmentBytes = 8u << 20;
inline constexpr char kControlName[] = "ctl";
inline constexpr char kWatchName[] = "watch";
inline constexpr char kEventsName[] = "events";
inline constexpr char kHolesName[] = "holes";
inline constexpr char kInputName[] = "input";
inline constexpr char kExitName[] = "exit";
inline constexpr char kMetaName[] = "meta.json";
inline constexpr char kMarkName[] = "mark";
inline constexpr char kLockName[] = "lock";
inline constexpr char kEnvironmentName[] = "environment";
inline constexpr char kCommandName[] = "command";
// This file is not empty if a program has changed the settings of the terminal
// driver (holder/terminal_note.h).
inline constexpr char kTerminalNoteName[] = "terminal-note";
inline constexpr char kAdoptingName[] = "adopting";
inline constexpr char kElsewhereName[] = "elsewhere";
inline constexpr char kLostName[] = "lost";

enum class EventType : uint16_t {
  kTime = 1,    // output from `offset` to the next kTime was printed at this
                // time or in the next 50 ms; old records are thinned out
  kResize = 2,  // a: rows, b: columns; valid from `offset` on
  kExit = 6,    // a: wait status
  kTurn = 7,    // a: 1, a person has the keyboard from now on; 0, no longer
  kTyped = 8,   // a: 1, a person began to type; 0, the agent. The record does
                // not contain the text or its length; secrets cause no record
  kBreak = 9,   // the connection to the program's machine broke; later records
                // may have earlier times
  // Earlier holders wrote records of other types. Readers skip unknown types.
};

struct EventRecord {
  uint64_t offset = 0;
  uint64_t monotonic_ns = 0;
  EventType type{};
  uint16_t flags = 0;
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t crc = 0;  // CRC-32C of the 28 bytes before
};
static_assert(sizeof(EventRecord) == 32);

// A part of the output that is missing from the segments of "out" or "err".
struct HoleRecord {
  static constexpr uint64_t kUnknownLines = ~uint64_t{0};
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint64_t lines = kUnknownLines;  // newlines in the missing bytes
  uint32_t error = 0;              // errno of the failed write; 0: none failed
  uint16_t is_err = 0;             // 1: a hole in "err"
  uint16_t reserved = 0;
  bool operator==(const HoleRecord&) const = default;
};
static_assert(sizeof(HoleRecord) == 32);

// Precedes the `size` bytes that were typed.
struct InputRecord {
  uint64_t monotonic_ns = 0;
  uint32_t size = 0;
  uint32_t crc = 0;  // CRC-32C of the bytes
};
static_assert(sizeof(InputRecord) == 16);

struct ExitRecord {
  uint64_t offset = 0;
  int32_t status = 0;  // as waitpid(2) gives it
  uint32_t reserved = 0;
};
static_assert(sizeof(ExitRecord) == 16);

// The offsets in both logs up to which all clients that use the session have
// read. A server that takes over the session learns from them which output is
// unread.
struct MarkRecord {
  uint64_t offset = 0;
  // Earlier versions did not write this field.
  uint64_t errors_offset = 0;

  bool operator==(const MarkRecord&) const = default;
};

uint32_t Crc32c(const void* data, size_t size);
// Returns "out.000000000a000000" for "out" and the offset 0xa000000.
std::string SegmentName(const std::string& stem, uint64_t offset);
// Returns the start offsets of all segments of `stem` in the directory,
// ascending; nullopt with errno if the directory cannot be read, which must not
// be mistaken for a directory without segments.
std::optional<std::vector<uint64_t>> ListSegments(int dir_fd,
                                                  const std::string& stem);
// Returns the offset after the last byte on disk of "out" or "err"; 0 without a
// log; nullopt with errno if the directory cannot be read.
std::optional<uint64_t> LogEnd(int dir_fd, const std::string& stem);
// Returns the recorded holes in "out" or "err", in the order in which they were
// written.
std::vector<HoleRecord> ReadHoles(int dir_fd, const std::string& stem);
// Returns false on failure. The file is then unchanged, if possible.
bool AppendHole(int dir_fd, const HoleRecord& hole);
// Returns all complete, valid records; none if the file does not exist; nullopt
// with errno if it cannot be read.
std::optional<std::vector<EventRecord>> ReadEvents(int dir_fd);
struct TypedInput {
  uint64_t monotonic_ns = 0;
  std::string bytes;
};
// Returns the length of the part of `text`, from its start, that consists of
// complete, valid InputRecords and their bytes.
size_t WholeInput(std::string_view text);
// Returns the recorded input, oldest first.
std::vector<TypedInput> ReadTyped(int dir_fd);
// Returns how the program ended; nullopt if it still runs, or if the holder was
// killed before it could write the record.
std::optional<ExitRecord> ReadExit(int dir_fd);
// Returns how far the first client had read; nullopt if there is no valid
// record.
std::optional<MarkRecord> ReadMarkFile(int dir_fd);
// Returns true if the file `elsewhere` exists: the session runs on another
// machine.
bool IsElsewhere(int dir_fd);

}  // namespace glasstty::wire
