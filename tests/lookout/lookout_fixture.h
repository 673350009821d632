// A session that is looked after, on a scripted holder.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lookout/sentry.h"
#include "support/status.h"
#include "testing/fake_holder.h"

namespace glasstty::lookout {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

class LookoutTest : public testing::Test {
 protected:
  LookoutTest() {
    around_.question = [this](const session::Session&) { return question_; };
    around_.is_known = [this](const session::Session&, const Event&) {
      return is_known_;
    };
    around_.parse = [](const Json& json) -> absl::StatusOr<waits::Until> {
      waits::Until until;
      if (auto* regex = FindMember(json, "regex"))
        until.regex = *AsString(*regex);
      if (auto* text = FindMember(json, "text")) until.text = *AsString(*text);
      if (auto* still = FindMember(json, "still_s")) {
        until.still_s = *AsNumber(*still);
      }
      if (auto* state = FindMember(json, "state")) {
        until.state = {*session::ActivityByName(*AsString(*state))};
      }
      if (FindMember(json, "stop")) until.stop = "x";
      if (FindMember(json, "bell")) until.bell = true;
      if (FindMember(json, "change")) {
        until.change = waits::ChangeIs::kMeaningful;
      }
      return until;
    };
    around_.tell = [this](const session::Session&, const Event* event) {
      told_.push_back(event == nullptr ? "over"
                                       : event->watch + ": " + TextOf(*event));
    };
  }

  // The server starts, or its successor.
  void Begin() {
    sentry_.reset();
    sentry_.emplace(session_, &around_);
    Pass(seconds(1));
  }
  void Pass(Duration time) {
    constexpr Duration kStep = std::chrono::milliseconds(250);
    for (Duration passed{}; passed < time; passed += kStep) {
      holder_.Advance(kStep);
    }
  }
  // Returns what was told since the last call.
  std::vector<std::string> Told() { return std::exchange(told_, {}); }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({6, 40});
  Surroundings around_;
  std::optional<Surroundings::Question> question_;
  bool is_known_ = false;
  std::optional<Sentry> sentry_;
  std::vector<std::string> told_;
};

using Texts = std::vector<std::string>;

}  // namespace glasstty::lookout
