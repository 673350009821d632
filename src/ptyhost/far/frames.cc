#include "far/frames.h"

#include <cstring>

#include "wire/session_files.h"

namespace glasstty::far {
namespace {

constexpr size_t kHead = sizeof(FrameHeader);

bool IsKnown(FrameType type) {
  return type >= FrameType::kHello && type <= FrameType::kNotes;
}

// Returns the checksum of `frame`, which consists of a header with `check` 0
// and the payload.
uint32_t CheckOf(std::string_view frame) {
  return wire::Crc32c(frame.data(), frame.size());
}

}  // namespace

void AppendFrame(FrameHeader header, std::string_view payload,
                 std::string* out) {
  size_t start = out->size();
  header.size = static_cast<uint32_t>(payload.size());
  header.check = 0;
  out->append(reinterpret_cast<const char*>(&header), kHead);
  out->append(payload);
  header.check = CheckOf(std::string_view(*out).substr(start));
  std::memcpy(out->data() + start, &header, kHead);
}

FrameReader::Result FrameReader::Break(const char* why) {
  fault_ = why;
  return Result::kBroken;
}

void FrameReader::Append(std::string_view bytes) {
  buffer_.erase(0, taken_);
  taken_ = 0;
  buffer_.append(bytes);
}

FrameReader::Result FrameReader::Next(Frame* frame) {
  if (*fault_ != '\0') return Result::kBroken;
  size_t left = buffer_.size() - taken_;
  if (left < kHead) return Result::kMore;
  char* start = buffer_.data() + taken_;
  FrameHeader header;
  std::memcpy(&header, start, kHead);
  if (header.size > kMaxFramePayload) return Break("a frame is too long");
  if (!IsKnown(header.type)) return Break("a frame has an unknown type");
  if (header.session >= kMaxFarSessions) {
    return Break("a frame names an impossible session");
  }
  if (left < kHead + header.size) return Result::kMore;
  FrameHeader unchecked = header;
  unchecked.check = 0;
  std::memcpy(start, &unchecked, kHead);
  std::string_view whole(start, kHead + header.size);
  if (CheckOf(whole) != header.check) return Break("a frame is damaged");
  *frame = {header, whole.substr(kHead)};
  taken_ += whole.size();
  return Result::kFrame;
}

}  // namespace glasstty::far
