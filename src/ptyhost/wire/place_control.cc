#include "wire/place_control.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "wire/fields.h"

namespace glasstty::wire {
namespace {

constexpr char kPlaceMagic[] = "glasstty-place-2";
constexpr const char* kStateNames[] = {"not connected", "connecting",
                                       "connected", "reconnecting", "failed"};
// The maximum size of a message. A status contains the environment of the far
// end.
constexpr size_t kMostBytes = 256 << 10;

}  // namespace

std::string EncodePlace(const PlaceSpec& spec) {
  std::string out;
  AppendField(kPlaceMagic, &out);
  AppendField(spec.text, &out);
  AppendFields(spec.prefix, &out);
  AppendField(spec.token, &out);
  AppendField(spec.near_id, &out);
  AppendFields(spec.programs, &out);
  return out;
}

bool DecodePlace(const std::string& text, PlaceSpec* spec) {
  FieldReader reader(text);
  std::string magic;
  return reader.Take(&magic) && magic == kPlaceMagic &&
         reader.Take(&spec->text) && reader.TakeList(&spec->prefix) &&
         reader.Take(&spec->token) && reader.Take(&spec->near_id) &&
         reader.TakeList(&spec->programs) && reader.done();
}

const char* PlaceStateName(PlaceState state) {
  return kStateNames[static_cast<size_t>(state)];
}

std::string EncodeStatus(const PlaceStatus& status) {
  std::string out;
  for (uint64_t number :
       {static_cast<uint64_t>(status.state), status.since_ns, status.next_ns,
        uint64_t{status.tries}, static_cast<uint64_t>(status.client_status + 1),
        status.round_trip_ns, uint64_t{status.sessions}}) {
    AppendField(number, &out);
  }
  AppendField(status.failure, &out);
  AppendBytes(status.hello, &out);
  return out;
}

bool DecodeStatus(std::string_view text, PlaceStatus* status) {
  FieldReader reader(text);
  int state = 0;
  int64_t client_status = 0;
  bool whole =
      reader.TakeNumber(&state) && reader.TakeNumber(&status->since_ns) &&
      reader.TakeNumber(&status->next_ns) &&
      reader.TakeNumber(&status->tries) && reader.TakeNumber(&client_status) &&
      reader.TakeNumber(&status->round_trip_ns) &&
      reader.TakeNumber(&status->sessions) && reader.Take(&status->failure) &&
      reader.TakeBytes(&status->hello) && reader.done();
  status->state = static_cast<PlaceState>(state);
  status->client_status = static_cast<int32_t>(client_status - 1);
  bool is_known = state >= 0 && state <= static_cast<int>(PlaceState::kFailed);
  return whole && is_known;
}

bool SendPlaceMessage(int fd, PlaceMessage type, std::string_view payload,
                      const std::vector<int>& descriptors) {
  PlaceHeader header{.type = type};
  iovec parts[] = {{&header, sizeof header},
                   {const_cast<char*>(payload.data()), payload.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kStartFds)] = {};
  if (!descriptors.empty()) {
    size_t bytes = sizeof(int) * descriptors.size();
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* first = CMSG_FIRSTHDR(&message);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(first), descriptors.data(), bytes);
  }
  ssize_t n;
  do {
    n = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (n < 0 && errno == EINTR);
  return n >= 0;
}

bool ReceivePlaceMessage(int fd, ReceivedPlaceMessage* received) {
  std::string buffer(kMostBytes, '\0');
  PlaceHeader header;
  iovec parts[] = {{&header, sizeof header}, {buffer.data(), buffer.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kStartFds)] = {};
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t n;
  do {
    n = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  if (n < 0) return false;
  received->descriptors.clear();
  for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr;
       one = CMSG_NXTHDR(&message, one)) {
    if (one->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (one->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int number;
      std::memcpy(&number, CMSG_DATA(one) + i * sizeof number, sizeof number);
      received->descriptors.emplace_back(number);
    }
  }
  auto size = static_cast<size_t>(n);
  errno = 0;
  if (size < sizeof header || header.magic != PlaceHeader().magic) return false;
  received->type = header.type;
  received->payload = buffer.substr(0, size - sizeof header);
  return true;
}

}  // namespace glasstty::wire
