// Lets a handler sleep on the loop's clock, for toy tools. Loop thread only.
#pragma once

#include <coroutine>
#include <utility>

#include "mcp/tool.h"
#include "support/loop.h"

namespace glasstty::testing {

// Suspends a handler until a time or its cancellation; returns true if it was
// cancelled.
class Nap {
 public:
  Nap(Loop* loop, mcp::ToolCall* call, Time until)
      : loop_(loop), call_(call), timer_(loop, [this] { Wake(); }) {
    timer_.Set(until);
  }
  bool await_ready() { return call_->cancellation()->cancelled(); }
  void await_suspend(std::coroutine_handle<> handle) {
    handle_ = handle;
    call_->cancellation()->Listen([this] { Wake(); });
  }
  bool await_resume() { return call_->cancellation()->cancelled(); }

 private:
  void Wake() {
    timer_.Clear();
    call_->cancellation()->Listen(nullptr);
    loop_->Resume(std::exchange(handle_, nullptr));
  }

  Loop* const loop_;
  mcp::ToolCall* const call_;
  Timer timer_;
  std::coroutine_handle<> handle_;
};

}  // namespace glasstty::testing
