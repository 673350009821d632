// The messages between the two ends of the connection to a place: frames in a
// byte stream, one stream in each direction (docs/architecture.md, "Other
// machines").
//
// The near end runs on the server's machine and represents the holders of the
// other machine. The far end runs on the other machine and is connected to
// those holders. Every frame is checked: a reader ends the connection at the
// first invalid frame. Numbers are in native byte order; the near end refuses a
// kHello that reports another byte order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glasstty::far {

inline constexpr uint32_t kFarVersion = 1;
// A kOpen frame may carry long command lines and the files of a shell.
inline constexpr size_t kMaxFramePayload = 4 << 20;
// The maximum number of bytes of the log in one frame. The number is small, so
// that packets do not wait long behind a frame.
inline constexpr size_t kLogPiece = 16 << 10;
inline constexpr uint32_t kMaxFarSessions = 4096;

// Each comment begins with the end that sends the frame. `part` and `number`
// are fields of the header.
enum class FrameType : uint16_t {
  kHello = 1,   // far: the first frame. payload: HelloInfo
  kOpen = 2,    // near: starts a session. payload: OpenInfo
  kAttach = 3,  // near: resumes a session. payload: AttachInfo
  kLog = 4,     // far: output. part: FarStream, number: its offset. Without a
                // payload, missing bytes before the offset are lost
  kPacket = 5,  // both: one whole packet of wire/packets.h. part: the
                // connection, 0 of the server, 1 and up of observers
  kCredit = 6,  // near: permits more output. part: FarStream, number: offset
                // up to which the far end may send
  kHangUp = 7,  // both: the connection `part` is closed. From the near end with
                // part 0: the answer to kGone; the near end has stored all
                // output of the session
  kGone =
      8,  // far: the holder is gone, or could not be started. number: 0 or
          // the errno; payload: what failed, or else an ExitRecord or nothing
  kPing = 9,    // both: requests a kPong with the same number
  kPong = 10,   // both: answers a kPing with the same number; the far end also
                // repeats the part
  kNotes = 11,  // far: records that the holder keeps beside the log. part:
                // FarNotes, number: for kInput, the offset in the file `input`;
                // payload: records
};

enum class FarStream : uint16_t { kOut = 0, kErr = 1 };
inline constexpr int kFarStreams = 2;

enum class FarNotes : uint16_t {
  kEvents = 0,  // EventRecords, only about bytes of the log that were sent
  kInput = 1,   // InputRecords
};

struct FrameHeader {
  uint32_t size = 0;  // bytes of payload that follow
  FrameType type{};
  uint16_t part = 0;
  uint32_t session = 0;  // the near end's number for the session
  uint32_t check = 0;    // CRC-32C of the header (with `check` 0) and payload
  uint64_t number = 0;
};
static_assert(sizeof(FrameHeader) == 24);

struct Frame {
  FrameHeader header;
  std::string_view payload;
};

// Appends a frame to `out`, with the right `size` and `check`.
void AppendFrame(FrameHeader header, std::string_view payload,
                 std::string* out);

// Splits a stream into frames, however its bytes arrive.
class FrameReader {
 public:
  enum class Result {
    kFrame,
    kMore,    // the next frame is not complete yet
    kBroken,  // no frame can follow; see fault()
  };

  void Append(std::string_view bytes);
  // Sets `*frame` to the next frame, whose payload is valid until Append.
  Result Next(Frame* frame);
  // Returns why a result was kBroken, in words for people.
  const char* fault() const { return fault_; }

 private:
  Result Break(const char* why);

  std::string buffer_;
  size_t taken_ = 0;
  const char* fault_ = "";
};

}  // namespace glasstty::far
