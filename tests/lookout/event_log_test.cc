// Tests that events and what readers have been told survive a server.
#include "lookout/event_log.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "testing/fake_holder.h"

namespace glasstty::lookout {
namespace {

class EventLogTest : public testing::Test {
 protected:
  static Event About(const std::string& text, uint64_t key = 0) {
    return {.at_ms = 1'700'000'000'000,
            .watch = kError,
            .text = text,
            .revision = 7,
            .key = key,
            .line = 3};
  }
  std::string File() const { return holder_.path() + "/noticed"; }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open();
};

TEST_F(EventLogTest, TheNextServerHasTheEventsAndWhoWasTold) {
  {
    EventLog log(session_.get());
    EXPECT_EQ(log.Add(About("one", 5)).number, 1);
    EXPECT_EQ(log.Add(About("two \"quoted\"")).number, 2);
    log.SetTold("=shell", 1);
    log.SetTold("#4", 2);
  }
  EventLog log(session_.get());
  ASSERT_EQ(log.events().size(), 2u);
  EXPECT_EQ(log.events()[1].text, "two \"quoted\"");
  EXPECT_EQ(log.events()[1].revision, 7u);
  EXPECT_EQ(log.events()[1].line, 3);
  EXPECT_EQ(log.last(), 2);
  EXPECT_TRUE(log.Has(kError, 5));
  EXPECT_FALSE(log.Has(kAsks, 5));
  EXPECT_EQ(log.ToldOf("=shell"), 1);
  EXPECT_EQ(log.ToldOf("=other"), std::nullopt);
  // A connection does not outlive its server.
  EXPECT_EQ(log.ToldOf("#4"), std::nullopt);
}

TEST_F(EventLogTest, ALineThatACrashHasTornIsLost) {
  { EventLog(session_.get()).Add(About("whole")); }
  std::ofstream(File(), std::ios::app) << R"({"n":2,"at":17,"wat)";
  {
    EventLog log(session_.get());
    EXPECT_EQ(log.events().size(), 1u);
    EXPECT_EQ(log.Add(About("next")).number, 2);
  }
  EventLog log(session_.get());
  ASSERT_EQ(log.events().size(), 2u);
  EXPECT_EQ(log.events()[1].text, "next");
}

TEST_F(EventLogTest, WhatReadersAreToldNeverGoesBack) {
  EventLog log(session_.get());
  log.SetTold("=shell", 5);
  log.SetTold("=shell", 3);
  EXPECT_EQ(log.ToldOf("=shell"), 5);
}

TEST_F(EventLogTest, ManyEventsAndReadersStayBounded) {
  {
    EventLog log(session_.get());
    for (int i = 0; i < 3000; ++i) log.Add(About(std::string(150, 'x')));
    for (int i = 0; i < 100; ++i) log.SetTold("=" + std::to_string(i), i + 1);
    EXPECT_EQ(log.events().size(), EventLog::kMostEvents);
  }
  std::ifstream file(File(), std::ios::ate);
  EXPECT_LT(file.tellg(), 300'000);
  EventLog log(session_.get());
  EXPECT_EQ(log.last(), 3000);
  EXPECT_EQ(log.ToldOf("=99"), 100);
}

TEST_F(EventLogTest, WhatForgottenReadersWereToldIsKnown) {
  {
    EventLog log(session_.get());
    for (size_t i = 0; i <= EventLog::kMostReaders; ++i) {
      EXPECT_EQ(log.forgotten(), 0);
      log.SetTold("=" + std::to_string(i), static_cast<int64_t>(i) + 10);
    }
    EXPECT_EQ(log.ToldOf("=0"), std::nullopt);
    EXPECT_EQ(log.forgotten(), 10);
    // The file is rewritten meanwhile.
    for (int i = 0; i < 3000; ++i) log.Add(About(std::string(150, 'x')));
  }
  EventLog log(session_.get());
  EXPECT_EQ(log.ToldOf("=0"), std::nullopt);
  EXPECT_EQ(log.forgotten(), 10);
}

TEST_F(EventLogTest, AFileOfNonsenseIsNoEvent) {
  std::ofstream(File()) << "[1]\n{}\n\n{\"n\":\"x\"}\n{\"reader\":7}\nnull\n";
  EventLog log(session_.get());
  EXPECT_TRUE(log.events().empty());
  EXPECT_EQ(log.Add(About("first")).number, 1);
}

}  // namespace
}  // namespace glasstty::lookout
