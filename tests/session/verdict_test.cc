// Tests the conclusions that a session draws from what it has been told.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "session/session.h"
#include "testing/fake_holder.h"

namespace glasstty::session {
namespace {

std::string StateOf(const SessionRef& session) {
  auto state = session->verdict().settled_state();
  return state ? StateText(*state) : "none";
}

// A program that puts its cursor further up shows a screen.
TEST(SessionVerdict, ALineIsEditedWithLittleTextBelowIt) {
  struct Row {
    const char* text;
    bool edits;
  };
  for (Row row :
       {Row{"1\r\n2\r\n3\r\n4", true}, Row{"1\r\n2\r\n3\r\n4\r\n5", false}}) {
    FakeHolder holder;
    SessionRef session = holder.Open();
    holder.Print(row.text);
    holder.Print("\033[1;1H");
    EXPECT_EQ(session->verdict().AddressesRows(), !row.edits) << row.text;
  }
}

TEST(SessionVerdict, TheLastStateIsBusyOnceItIsOfBefore) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Answer(wire::Waiting::kRead);
  auto interest = session->questions().Keep(Interest::kState);
  holder.loop()->RunReady();
  ASSERT_EQ(StateOf(session), "input");
  interest.reset();
  // Nobody asks any more, and nothing has happened.
  holder.Advance(std::chrono::seconds(10));
  EXPECT_EQ(StateText(session->verdict().LastState()), "input");
  holder.Print("more");
  EXPECT_EQ(StateText(session->verdict().LastState()), "busy(kernel)");
}

TEST(SessionVerdict, AShellThatReadsForACommandIsNotAtItsPrompt) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Answer(wire::Waiting::kPoll, false, false, "bash");
  auto interest = session->questions().Keep(Interest::kState);
  auto run = [&](const std::string& command) {
    holder.Print("\x1b]133;A;aid=n0nce\a$ \x1b]133;B;aid=n0nce\a" + command +
                 "\r\n\x1b]133;C;aid=n0nce\a> ");
    holder.Advance(Prober::kQuickestPace);
    return StateOf(session);
  };
  EXPECT_EQ(run("read -e x"), "input");
  holder.Print("\x1b]133;D;0;aid=n0nce;line=new\a");
  // A command that reads no lines has left a prompt without marks behind.
  EXPECT_EQ(run("exec bash"), "prompt(kernel)");
}

}  // namespace
}  // namespace glasstty::session
