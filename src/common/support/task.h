// Tool handlers as coroutines: Task<T> and how to start one.
//
// A Task is lazy and owns its frame. The compiler checks none of these rules
// (tests/checks/layering.py checks the first):
//   1. The parameters of a coroutine are values or pointers; a reference or
//      view would dangle after the first co_await, because the frame outlives
//      the call expression.
//   2. The only awaitables are another Task, a Wait (support/wait.h), and the
//      questions to a client (mcp/ask.cc).
//   3. A suspended frame is never destroyed. Instead, the coroutine is woken
//      with an outcome such as kClosed or kCancelled, and returns when the loop
//      resumes it.
//   4. A coroutine that waits is resumed only by Loop::Resume, except that the
//      end of a Task resumes the coroutine that awaits it.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace glasstty {

template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type {
    std::optional<T> value;
    std::coroutine_handle<> awaiter;  // resumed at the end; may be null

    // Hands control to the awaiter without growing the stack.
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(
          std::coroutine_handle<promise_type> h) noexcept {
        if (h.promise().awaiter) return h.promise().awaiter;
        return std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };

    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    Final final_suspend() noexcept { return {}; }
    template <class U>
    void return_value(U&& v) {
      value.emplace(std::forward<U>(v));
    }
    void unhandled_exception() noexcept { std::terminate(); }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(
      std::coroutine_handle<> awaiter) noexcept {
    handle_.promise().awaiter = awaiter;
    return handle_;
  }
  T await_resume() { return std::move(*handle_.promise().value); }

 private:
  explicit Task(std::coroutine_handle<promise_type> h) : handle_(h) {}

  std::coroutine_handle<promise_type> handle_;
};

// A coroutine that is not awaited; it frees its own frame when it ends.
struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

// Runs `task` up to its first suspension; calls `done(result)` when it ends.
template <class T, class Done>
Detached Start(Task<T> task, Done done) {
  done(co_await task);
}

}  // namespace glasstty
