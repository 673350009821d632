#include "far/frame_stream.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace glasstty::far {
namespace {

constexpr size_t kPiece = 64 << 10;
constexpr int kPiecesPerTurn = 4;

}  // namespace

FrameStream::FrameStream(UniqueFd in, UniqueFd out)
    : in_(std::move(in)), out_(std::move(out)), heard_(MonotonicNow()) {
  SetNonBlocking(in_.get());
  SetNonBlocking(out_.get());
}

void FrameStream::Close() { *this = FrameStream(); }

void FrameStream::Send(FrameHeader header, std::string_view payload) {
  AppendFrame(header, payload, &unsent_);
}

// SIGPIPE is ignored, so writing to a pipe that nobody reads fails with EPIPE.
void FrameStream::Flush() {
  while (sent_ < unsent_.size()) {
    ssize_t n =
        WriteSome(out_.get(), unsent_.data() + sent_, unsent_.size() - sent_);
    if (n < 0) {
      if (errno == EAGAIN) break;
      broken_ = true;
      unsent_.clear();
      sent_ = 0;
      return;
    }
    sent_ += static_cast<size_t>(n);
  }
  if (sent_ == unsent_.size() || sent_ > kPiece) {
    unsent_.erase(0, sent_);
    sent_ = 0;
  }
}

bool FrameStream::Fill() {
  char buffer[kPiece];
  for (int i = 0; i < kPiecesPerTurn; ++i) {
    ssize_t n = ReadSome(in_.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) return false;
    heard_ = MonotonicNow();
    std::string_view bytes(buffer, static_cast<size_t>(n));
    begun_ ? reader_.Append(bytes) : void(raw_.append(bytes));
    if (bytes.size() < sizeof buffer) break;
  }
  return !broken_;
}

void FrameStream::Begin() {
  begun_ = true;
  reader_.Append(std::exchange(raw_, {}));
}

}  // namespace glasstty::far
