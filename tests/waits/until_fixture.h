// A wait on a scripted session, which tests check by hand.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testing/fake_holder.h"
#include "waits/waiting.h"

namespace glasstty::waits {

class UntilTest : public testing::Test {
 protected:
  // Begins and starts the wait.
  void Begin(Until until, std::vector<std::string> typed = {}) {
    BeginAt(std::move(until), record::MarkNow(session_->output().terminal()),
            std::move(typed));
  }
  void BeginAt(Until until, record::ReadMark baseline,
               std::vector<std::string> typed = {}) {
    BeginTyping(std::move(until), {std::move(baseline), std::move(typed)});
    Start();
  }
  // Begins the wait of a call that is still typing.
  void BeginTyping(Until until, From from) {
    auto waiting = Waiting::Compile(std::move(until));
    ASSERT_TRUE(waiting.ok()) << waiting.status();
    waiting_.emplace(*std::move(waiting));
    waiting_->Begin(session_, std::move(from));
  }
  void Start(Time deadline = Time::max()) { look_ = waiting_->Start(deadline); }
  // Returns the reason's word, or "" while the wait continues.
  std::string Look() {
    last_ = look_();
    return last_.met() ? std::string(last_.reason->word) : "";
  }
  std::string LookAfter(std::string_view printed) {
    holder_.Print(printed);
    return Look();
  }
  const std::string& Detail() const { return last_.reason->detail; }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({6, 40});
  std::optional<Waiting> waiting_;
  Predicate look_;
  glasstty::Look last_ = false;
};

inline Until Text(std::string text) {
  Until until;
  until.text = std::move(text);
  return until;
}

}  // namespace glasstty::waits
