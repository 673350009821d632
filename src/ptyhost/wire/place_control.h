// The messages between a server and a near relay: they start sessions at a
// place (place/place.h), and report the status of the connection to the place.
//
// Each packet of a unix SOCK_SEQPACKET (the socket `ctl` in the place's
// directory) is one PlaceHeader and fields (wire/fields.h). To start a session,
// the server sends the same descriptors that a holder inherits
// (wire/start_fds.h). The near relay sends its status to each new connection,
// and again whenever the state changes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "wire/launch.h"
#include "wire/start_fds.h"

namespace glasstty::wire {

inline constexpr char kPlugName[] = "plug";

// The file in the place's directory that contains its encoded PlaceSpec.
inline constexpr char kPlaceFileName[] = "place";
inline constexpr size_t kMaxPlaceSpec = 64 << 10;

// Tells a new near relay its place, as a LaunchSpec tells a holder its program.
struct PlaceSpec {
  // Names the place (place/place.h).
  std::string text;
  std::vector<std::string> prefix;  // the words of the client, if the place was
                                    // given as words
  std::string token;                // as in place/bootstrap.h
  std::string near_id;              // 32 lower-case hex digits
  // Glasstty's programs for other machines, as pairs of a kind of machine
  // ("x86_64") and a path.
  std::vector<std::string> programs;
};
std::string EncodePlace(const PlaceSpec& spec);
// Returns false if `text` is not an encoded PlaceSpec.
bool DecodePlace(const std::string& text, PlaceSpec* spec);

enum class PlaceMessage : uint16_t {
  // Server to relay.
  kStart = 1,   // with kStartFds descriptors; the spec's file holds an OpenInfo
                // (wire/place_info.h)
  kRetry = 2,   // start the client now, without waiting for the pause to end
  kResume = 3,  // like kStart, but resumes a session of a dead relay in the
                // session's existing directory
  kMeasure = 4,  // measure the round trip; kStatus follows with the result
  kLeave = 5,    // end if there is no session; otherwise kStatus follows
  // Relay to server.
  kStatus = 64,  // payload: PlaceStatus
};

struct PlaceHeader {
  uint32_t magic = 0x31504C47;  // "GLP1"
  PlaceMessage type{};
  uint16_t reserved = 0;
};
static_assert(sizeof(PlaceHeader) == 8);

enum class PlaceState : uint8_t {
  kWaiting = 0,     // no plug (far/plug.h) is connected, so no client runs
  kConnecting = 1,  // the client runs, but the far end does not answer yet
  kUp = 2,
  kPausing = 3,  // the client has ended; another is started after a pause
  kFailed = 4,   // another attempt would fail, too
};

struct PlaceStatus {
  PlaceState state = PlaceState::kWaiting;
  uint64_t since_ns = 0;       // when `state` began (CLOCK_MONOTONIC)
  uint64_t next_ns = 0;        // kPausing: when the client is started again
  uint32_t tries = 0;          // how often the client was started; 1 for the
                               // last connection that worked
  int32_t client_status = -1;  // the status of the last client, as waitpid(2)
                               // returns it; -1 if none has ended
  std::string failure;         // for people; empty without a failure
  uint64_t round_trip_ns = 0;  // 0: not measured
  uint32_t sessions = 0;
  std::string hello;  // the encoded HelloInfo of the last connection
};
// Returns the state in words: "connected", "connecting".
const char* PlaceStateName(PlaceState state);
std::string EncodeStatus(const PlaceStatus& status);
bool DecodeStatus(std::string_view text, PlaceStatus* status);

// Sends one message with at most kStartFds descriptors. Returns false with
// errno on failure.
bool SendPlaceMessage(int fd, PlaceMessage type, std::string_view payload = {},
                      const std::vector<int>& descriptors = {});

struct ReceivedPlaceMessage {
  PlaceMessage type{};
  std::string payload;
  std::vector<UniqueFd> descriptors;
};
// Returns false with errno: EAGAIN if there is no message, 0 at the end of the
// connection or for a message without a valid header.
bool ReceivePlaceMessage(int fd, ReceivedPlaceMessage* message);

}  // namespace glasstty::wire
