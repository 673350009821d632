// Frames over a pair of descriptors: two pipes, or one socket twice.
//
// Owns the descriptors, which it makes non-blocking, and the data that has been
// queued but not sent, or received but not read. Callers must limit the queued
// data (queued()). Relay thread only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
#include "far/frames.h"

namespace glasstty::far {

class FrameStream {
 public:
  FrameStream() = default;
  FrameStream(UniqueFd in, UniqueFd out);

  bool open() const { return in_.valid(); }
  int in_fd() const { return in_.get(); }
  int out_fd() const { return out_.get(); }
  void Close();

  void Send(FrameHeader header, std::string_view payload = {});
  // Queues bytes that are not a frame.
  void SendRaw(std::string_view bytes) { unsent_.append(bytes); }
  // Writes as much as the other side accepts. If writing fails, drops the
  // queued bytes; Fill then returns false.
  void Flush();
  size_t queued() const { return unsent_.size() - sent_; }

  // Reads the bytes that have arrived, at most a quarter of a mebibyte. Returns
  // false at the end of the stream, or if the other side is gone.
  bool Fill();
  FrameReader::Result Next(Frame* frame) { return reader_.Next(frame); }
  const char* fault() const { return reader_.fault(); }
  // The unread bytes that arrived before Begin.
  std::string* raw() { return &raw_; }
  // Starts to parse frames, beginning with the bytes that are left in raw().
  void Begin();
  // The time at which bytes last arrived, or else this object was created.
  Time heard() const { return heard_; }

 private:
  UniqueFd in_;
  UniqueFd out_;
  bool begun_ = false;
  bool broken_ = false;
  std::string raw_;
  FrameReader reader_;
  std::string unsent_;
  size_t sent_ = 0;
  Time heard_;
};

}  // namespace glasstty::far
