// A wait on a scripted session, looked at by hand.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testing/fake_holder.h"
#include "waits/until.h"

namespace glasstty::waits {

class UntilTest : public testing::Test {
 protected:
  void Begin(Until until, std::vector<std::string> typed = {}) {
    BeginAt(std::move(until), record::MarkNow(session_->terminal()),
            std::move(typed));
  }
  void BeginAt(Until until, record::ReadMark baseline,
               std::vector<std::string> typed = {}) {
    BeginTyping(std::move(until), std::move(baseline), std::move(typed));
    check_->BeginWait(Time::max());
  }
  // Of a call that is still typing: its wait has not begun.
  void BeginTyping(Until until, record::ReadMark baseline,
                   std::vector<std::string> typed = {}) {
    auto check = UntilCheck::Compile(std::move(until));
    ASSERT_TRUE(check.ok()) << check.status();
    check_.emplace(*std::move(check));
    check_->Begin(session_.get(), std::move(baseline), typed);
  }
  // "" while it goes on.
  std::string Look() {
    Time again = Time::max();
    auto reason = check_->Look(&again);
    again_ = again;
    return reason ? std::string(reason->word) : "";
  }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({6, 40});
  std::optional<UntilCheck> check_;
  Time again_;
};

inline Until Text(std::string text) {
  Until until;
  until.text = std::move(text);
  return until;
}

}  // namespace glasstty::waits
