// The checksum detects a disk that has lost a part of the file. Although this
// program wrote the file, its content is validated, too
// (terminal/saved_state.cc).
#include "record/saved_states.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "terminal/state_codec.h"
#include "wire/session_files.h"

namespace glasstty::record {
namespace {

constexpr char kStem[] = "state";
// Must change whenever the format of saved terminals or command logs changes,
// because files of another version are not read.
constexpr uint32_t kVersion = 5;
// The largest screens, with a cluster in each cell, take less.
constexpr size_t kMostBytes = 64 << 20;

void Carry(terminal::StateCodec* codec, SavedState* state) {
  uint32_t version = kVersion;
  codec->Carry(&version, kVersion, kVersion);
  codec->Carry(&state->offset);
  codec->Carry(&state->lost);
  codec->Carry(&state->terminal, kMostBytes);
  codec->Carry(&state->commands, kMostBytes);
}

void RemoveState(int dir_fd, uint64_t offset) {
  unlinkat(dir_fd, wire::SegmentName(kStem, offset).c_str(), 0);
}

}  // namespace

bool WriteSavedState(int dir_fd, const SavedState& state) {
  terminal::StateCodec codec;
  SavedState copy = state;
  Carry(&codec, &copy);
  std::string bytes = codec.Take();
  uint32_t crc = wire::Crc32c(bytes.data(), bytes.size());
  bytes.append(reinterpret_cast<const char*>(&crc), sizeof crc);
  if (!ReplaceFileAt(dir_fd, wire::SegmentName(kStem, state.offset), bytes)) {
    return false;
  }
  auto kept = wire::ListSegments(dir_fd, "out");
  auto states = wire::ListSegments(dir_fd, kStem);
  if (!kept || kept->empty() || !states) return true;
  for (uint64_t old : *states) {
    if (old < kept->front()) RemoveState(dir_fd, old);
  }
  return true;
}

std::optional<SavedState> ReadSavedState(int dir_fd, uint64_t offset) {
  std::string bytes;
  uint32_t crc;
  if (!ReadFileAt(dir_fd, wire::SegmentName(kStem, offset), kMostBytes,
                  &bytes) ||
      bytes.size() < sizeof crc) {
    return std::nullopt;
  }
  std::string_view content(bytes.data(), bytes.size() - sizeof crc);
  std::memcpy(&crc, bytes.data() + content.size(), sizeof crc);
  if (crc != wire::Crc32c(content.data(), content.size())) return std::nullopt;
  terminal::StateCodec codec(content);
  SavedState state;
  Carry(&codec, &state);
  bool is_whole = codec.ok() && codec.at_end() && state.offset == offset;
  return is_whole ? std::optional(std::move(state)) : std::nullopt;
}

bool HasSavedState(int dir_fd, uint64_t offset) {
  std::string name = wire::SegmentName(kStem, offset);
  return faccessat(dir_fd, name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

LogStart FindLogStart(int dir_fd, uint64_t upto) {
  auto segments = wire::ListSegments(dir_fd, "out");
  if (!segments || segments->empty() || segments->front() == 0) return {};
  const uint64_t kept = segments->front();
  LogStart start;
  start.offset = start.lost = std::min(kept, upto);
  const std::vector<uint64_t> states =
      wire::ListSegments(dir_fd, kStem).value_or(std::vector<uint64_t>());
  auto first = std::lower_bound(states.begin(), states.end(), kept);
  for (auto at = first; at != states.end() && *at <= upto; ++at) {
    start.state = ReadSavedState(dir_fd, *at);
    if (!start.state) continue;
    start.offset = *at;
    start.lost = start.state->lost;
    return start;
  }
  // Use an earlier state if there is one, because the program probably still
  // uses the modes from before the hole.
  if (upto < kept) return start;
  while (first != states.begin() && !start.state) {
    start.state = ReadSavedState(dir_fd, *--first);
  }
  if (start.state) start.lost -= start.state->offset - start.state->lost;
  return start;
}

}  // namespace glasstty::record
