// A connection over a pair of descriptors: stdin and stdout.
//
// Borrows the descriptors (pipes, sockets, terminals or files). Makes them
// non-blocking if they can be polled, and restores their flags at the end,
// because the shell that started us may share them. Owns the input buffer and
// the output queue. The loop and the server must outlive it. Loop thread only.
//
// Memory is bounded: from the moment when more than kHighWater bytes wait for
// the client until at most kLowWater bytes do, no request is served and
// notifications are dropped. Input is still read up to kHighWater, to detect
// its end. Requires SIGPIPE to be ignored.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "mcp/framing.h"
#include "mcp/server.h"
#include "mcp/transport.h"
#include "support/loop.h"

namespace glasstty::mcp {

class StdioTransport : public Transport {
 public:
  static constexpr size_t kHighWater = 1 << 20;
  static constexpr size_t kLowWater = 256 << 10;
  // After the input has ended, its unserved requests wait this long for a
  // client that does not read its answers.
  static constexpr Duration kEndGrace = std::chrono::milliseconds(500);

  enum class End {
    kInputEnded,   // every line was passed to the server, or the client does
                   // not read the answers
    kOutputBroken  // EPIPE, ENOSPC: nothing can be sent any more
  };

  // Connects to `server`. `ended` is called at most once, from the loop;
  // running calls continue until the owner ends them by Server::Shutdown or by
  // destroying this object.
  StdioTransport(Loop* loop, Server* server, int in_fd, int out_fd,
                 std::function<void(End)> ended);
  // Disconnects from the server. Unsent lines are lost.
  ~StdioTransport() override;

  bool SendLine(std::string line) override;
  bool congested() const override { return congested_; }
  // Stops reading. Queued lines are still sent.
  void Close() override;

  uint64_t connection() const { return connection_; }
  // Returns true if everything queued has been written, or never will be.
  bool drained() const { return broken_ || sent_ == out_.size(); }
  // Sets a function that is called whenever the queue has become empty.
  void OnDrained(std::function<void()> drained);

 private:
  // A descriptor and the flags to restore.
  struct Descriptor {
    int fd;
    int old_flags;
    bool pollable;  // files cannot be polled, and are always ready
  };
  static Descriptor Prepare(int fd);
  static void Restore(const Descriptor& descriptor);

  void WantInput(bool wanted);
  bool ReadSlice();
  void ServeLines();
  void LookForHangUp();
  void TakeEnd(bool held_back);
  void Finish(End end);
  void ReportEnd();
  bool WriteSlice();
  void UpdateCongestion();

  // Borrowed.
  Loop* const loop_;
  Server* const server_;
  const Descriptor in_;
  const Descriptor out_fd_;
  // Constant.
  const uint64_t connection_;
  std::function<void(End)> ended_;
  // Null if the descriptor cannot be polled.
  std::unique_ptr<FdWatch> readable_;
  std::unique_ptr<FdWatch> writable_;
  Work read_work_;   // reads descriptors that cannot be polled
  Work serve_work_;  // continues with held-back lines
  Work write_work_;  // writes lines queued in this turn
  Timer hang_up_timer_;
  Timer end_timer_;
  // State.
  LineSplitter lines_;
  std::string out_;  // whole lines
  size_t sent_ = 0;  // bytes of out_ already written
  bool congested_ = false;
  bool wants_input_ = false;
  bool closed_ = false;       // takes no more input
  bool input_ended_ = false;  // EOF was read
  bool broken_ = false;       // output failed
  End end_ = End::kInputEnded;
  std::function<void()> on_drained_;
};

}  // namespace glasstty::mcp
