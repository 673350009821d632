// Types steps into a program on a scripted holder, with a manual clock.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testing/fake_holder.h"
#include "typing/input.h"

namespace glasstty::typing {

inline Step Text(std::string text) {
  Step step;
  step.text = std::move(text);
  return step;
}

inline Step Pressed(const char* key) {
  Step step;
  step.kind = Step::Kind::kKey;
  step.key = *terminal::ParseKey(key);
  return step;
}

class InputTest : public ::testing::Test {
 protected:
  InputTest() { holder_.Answer(wire::Waiting::kRead); }
  // A frame that is never resumed is a leak.
  ~InputTest() override {
    session_->Abandon();
    holder_.loop()->RunReady();
  }

  void Type(std::vector<Step> steps, bool enter = false,
            Cancellation* cancellation = nullptr) {
    Start(TypeSteps(session_, std::move(steps), enter, cancellation),
          [this](Typed typed) { typed_ = std::move(typed); });
    holder_.loop()->RunReady();
  }

  // Cancels the call of Type, which then ends.
  void Cancel(Cancellation* cancellation) {
    cancellation->Cancel();
    holder_.loop()->RunReady();
    ASSERT_TRUE(typed_);
    EXPECT_TRUE(typed_->cancelled);
  }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open();
  std::optional<Typed> typed_;
};

}  // namespace glasstty::typing
