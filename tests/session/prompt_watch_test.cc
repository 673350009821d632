#include "session/prompt_watch.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "terminal/terminal.h"

namespace glasstty::session {

using record::ShellPhase;

namespace {

// A watch that is told of everything as a session tells it, by events in words:
//
//   hook       the shell says that it begins a new line
//   prompt     it draws its prompt (A, B)
//   begin      the first half of that
//   command    it runs a command (C)
//   end        the command has ended (D), without a word of a new line
//   type X     X is typed, in the notation of C
//   read       the holder's receipt for all of it
//   read some  that for all but the last write
//   part       the same as read, with an unfinished line in the kernel
//   disturb    a signal or a size
//   share      somebody else gets the keyboard
//   unshare    and gives it back
//   answer     the terminal answers a question
class Script {
 public:
  explicit Script(const std::vector<std::string>& events) {
    for (const std::string& event : events) Take(event);
  }
  const PromptWatch& watch() const { return watch_; }

  void Take(const std::string& event) {
    if (event == "hook") return Print("D;0;line=new");
    if (event == "command") return Print("C");
    if (event == "end") return Print("D;0");
    if (event == "begin") return Print("A");
    if (event == "prompt") {
      Print("A");
      terminal_->Feed("$ ");
      return Print("B");
    }
    if (event == "read") return watch_.Read(serial_, offset_, false);
    if (event == "read some") return watch_.Read(serial_ - 1, offset_, false);
    if (event == "part") return watch_.Read(serial_, offset_, true);
    if (event == "disturb") return watch_.Disturbed();
    if (event == "share") return watch_.SetShared(true);
    if (event == "unshare") return watch_.SetShared(false);
    if (event == "answer") {
      return watch_.Answered(++serial_, "\033[0n", log_.phase());
    }
    ASSERT_TRUE(event.starts_with("type ")) << event;
    watch_.Typed(++serial_, event.substr(5), log_.phase());
  }

 private:
  void Print(const std::string& mark) {
    std::string bytes = absl::StrFormat("\x1b]133;%s;aid=n\a", mark);
    terminal_->Feed(bytes);
    for (const terminal::TerminalEvent& event : terminal_->TakeEvents()) {
      log_.Take(event, *terminal_, std::nullopt);
      watch_.Marked(log_, true, 0);
      offset_ = event.offset;
    }
  }

  std::unique_ptr<terminal::Terminal> terminal_ =
      terminal::Terminal::Create({.size = {10, 40}}).value();
  record::CommandLog log_{"n"};
  PromptWatch watch_;
  uint64_t serial_ = 0;
  uint64_t offset_ = 0;
};

struct PromptRow {
  const char* name;
  std::vector<std::string> events;
  PromptLine line;
  bool fresh = false;
};

constexpr PromptLine kEmpty = PromptLine::kEmpty;
constexpr PromptLine kShown = PromptLine::kShown;
constexpr PromptLine kUnknown = PromptLine::kUnknown;

const PromptRow kRows[] = {
    {"TheFirst", {"hook", "prompt"}, kEmpty, true},
    {"AfterACommand",
     {"hook", "prompt", "type ls\r", "command", "end", "prompt"},
     kEmpty,
     true},
    {"WhoseEndIsNotToldAfterACommand",
     {"hook", "prompt", "type ls\r", "command", "prompt"},
     kUnknown},
    {"WithTextTypedAtIt", {"hook", "prompt", "type ls", "read"}, kUnknown},
    {"DrawnAgainWithText",
     {"hook", "prompt", "type ls\f", "read", "prompt"},
     kUnknown},
    {"DrawnAgainWithoutText",
     {"hook", "prompt", "disturb", "prompt"},
     kEmpty,
     true},
    {"ThatWasDisturbed", {"hook", "prompt", "disturb"}, kEmpty},
    {"AfterALineWithoutACommand",
     {"hook", "prompt", "type x\x03", "read", "hook", "prompt"},
     kEmpty,
     true},
    {"AfterAnswersToAProgram",
     {"hook", "prompt", "type vi\r", "command", "type \x1b:q\r", "read", "end",
      "prompt"},
     kEmpty,
     true},
    // A quick program: its receipt comes when the next prompt is there.
    {"WithTextThatMayHaveBeenTypedAhead",
     {"hook", "prompt", "type a\r", "command", "type b\r", "end", "prompt",
      "read"},
     kShown},
    {"WithWordsThatMayHaveBeenTypedAhead",
     {"hook", "prompt", "type a\r", "command", "type b c\r", "end", "prompt",
      "read"},
     kShown},
    {"WithAKeyThatMayHaveBeenTypedAhead",
     {"hook", "prompt", "type a\r", "command", "type \x18", "end", "prompt",
      "read"},
     kUnknown},
    {"WithALineThatNobodyEnded",
     {"hook", "prompt", "type a\r", "command", "type b\x16", "part", "end",
      "prompt"},
     kUnknown},
    {"WithWhatFollowedTheEnterOfACommand",
     {"hook", "prompt", "type a\rb", "command", "end", "prompt"},
     kShown},
    {"WithAKeyAfterTheEnterOfACommand",
     {"hook", "prompt", "type a\r", "type \x18", "command", "end", "prompt"},
     kUnknown},
    {"WithALastWriteThatWasReadLate",
     {"hook", "prompt", "type a\r", "command", "type b\r", "type c\r",
      "read some", "end", "prompt"},
     kShown},
    {"WithALastKeyThatWasReadLate",
     {"hook", "prompt", "type a\r", "command", "type \x18", "type \x16",
      "read some", "end", "prompt"},
     kUnknown},
    {"OfWhichTheFirstReceiptCounts",
     {"hook", "prompt", "type a\r", "command", "type \x18", "read", "end",
      "begin", "read", "prompt"},
     kEmpty,
     true},
    {"AfterAKeyThatWasReadWhenTheNewLineBegan",
     {"hook", "prompt", "type a\r", "command", "type \x18", "end", "read",
      "prompt"},
     kEmpty,
     true},
    {"AfterTheTypedAheadWasEntered",
     {"hook", "prompt", "type a\r", "command", "type b\r", "end", "prompt",
      "read", "command", "end", "prompt"},
     kEmpty,
     true},
};

class Prompt : public ::testing::TestWithParam<PromptRow> {};

TEST_P(Prompt, IsKnownByWhatTheShellSaysAndWhatWasTyped) {
  const PromptRow& row = GetParam();
  Script events(row.events);
  EXPECT_EQ(events.watch().line(), row.line);
  EXPECT_EQ(events.watch().at_fresh_prompt(), row.fresh);
}

INSTANTIATE_TEST_SUITE_P(All, Prompt, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return row.param.name; });

TEST(PromptWatch, DoesNotKnowWhatAnotherServerTyped) {
  PromptWatch watch;
  EXPECT_FALSE(watch.has_been_ready());
  watch.Replayed();
  EXPECT_EQ(watch.line(), PromptLine::kUnknown);
  EXPECT_FALSE(watch.at_fresh_prompt());
  EXPECT_TRUE(watch.has_been_ready());
  EXPECT_TRUE(watch.is_open());
  EXPECT_TRUE(watch.is_unfinished());
}

TEST(PromptWatch, KnowsOfShellsWithoutMarksWhatWasTypedLast) {
  PromptWatch watch;
  EXPECT_FALSE(watch.is_open());
  watch.Typed(1, "ls", ShellPhase::kNone);
  EXPECT_TRUE(watch.is_open());
  for (const char* end : {"\r", "l\n", "\x03", "\x04", ""}) {
    watch.Typed(2, "x", ShellPhase::kNone);
    watch.Typed(3, end, ShellPhase::kNone);
    EXPECT_FALSE(watch.is_open()) << end;
  }
  watch.Answered(4, "\033[?62;c", ShellPhase::kNone);
  EXPECT_FALSE(watch.is_open()) << "the terminal's answer is no typing";
  watch.Read(4, 10, true);
  EXPECT_TRUE(watch.is_unfinished());
  watch.Read(5, 10, false);
  EXPECT_FALSE(watch.is_unfinished());
}

TEST(PromptWatch, DoesNotKnowWhatSomebodyElseTypes) {
  PromptWatch watch;
  watch.Typed(1, "ls\r", ShellPhase::kNone);
  EXPECT_FALSE(watch.is_open());
  watch.SetShared(true);
  EXPECT_TRUE(watch.is_open());
  EXPECT_EQ(watch.line(), PromptLine::kUnknown);
  for (ShellPhase phase : {ShellPhase::kReady, ShellPhase::kRunning}) {
    watch.TypedByAnother(2, /*entered=*/false, phase);
    watch.SetShared(false);
    EXPECT_TRUE(watch.is_open());
    EXPECT_EQ(watch.line(), PromptLine::kUnknown);
  }
}

TEST(PromptWatch, KnowsTheLineAgainWhenSomebodyElseTypedNothing) {
  for (std::string before : {"read", "type ls"}) {
    Script events({"hook", "prompt", before});
    PromptLine line = events.watch().line();
    events.Take("share");
    EXPECT_EQ(events.watch().line(), PromptLine::kUnknown);
    // It was drawn for their window.
    events.Take("prompt");
    EXPECT_FALSE(events.watch().at_fresh_prompt());
    events.Take("unshare");
    EXPECT_EQ(events.watch().line(), line) << before;
  }
}

TEST(PromptWatch, KnowsThatNothingHiddenIsLeftOfALineThatSomebodyElseEntered) {
  PromptWatch watch;
  watch.TypedByAnother(1, /*entered=*/true, ShellPhase::kReady);
  EXPECT_EQ(watch.line(), PromptLine::kShown);
  EXPECT_FALSE(watch.is_open());
  // It may have been typed ahead of what comes.
  watch.TypedByAnother(2, /*entered=*/true, ShellPhase::kRunning);
  EXPECT_EQ(watch.line(), PromptLine::kUnknown);
}

TEST(PromptWatch, TakesAnswersOfTheTerminalForTypedAheadWhileACommandRuns) {
  for (bool at_prompt : {false, true}) {
    Script events({"hook", "prompt", "type a\r"});
    if (!at_prompt) events.Take("command");
    events.Take("answer");
    if (at_prompt) events.Take("command");
    events.Take("end");
    events.Take("prompt");
    EXPECT_EQ(events.watch().line(),
              at_prompt ? PromptLine::kEmpty : PromptLine::kUnknown);
  }
}

TEST(PromptWatch, KnowsThatALineWithMarksOfItsOwnHasEnded) {
  auto terminal = terminal::Terminal::Create({.size = {10, 40}}).value();
  record::CommandLog log("n");
  log.ExpectRun(1);
  PromptWatch watch;
  auto mark = [&](const char* bytes) {
    terminal->Feed(bytes);
    for (const terminal::TerminalEvent& event : terminal->TakeEvents()) {
      log.Take(event, *terminal, std::nullopt);
      watch.Marked(log, true, 0);
    }
  };
  mark("\x1b]133;C;run=1\a");
  EXPECT_FALSE(watch.run_ended());
  mark("\x1b]133;D;0;run=1\a");
  EXPECT_TRUE(watch.run_ended());
  PromptWatch of_later_server = watch;
  of_later_server.Replayed();
  EXPECT_FALSE(of_later_server.run_ended())
      << "the earlier server may have typed since";
  watch.Disturbed();
  EXPECT_FALSE(watch.run_ended());
  // Nor is the end of a line that carries no number.
  mark("\x1b]133;C;aid=n\a");
  mark("\x1b]133;D;0;aid=n\a");
  EXPECT_FALSE(watch.run_ended());
}

TEST(PromptWatch, KnowsThatNothingButAnswersMayStandAtThePrompt) {
  using Strings = std::vector<std::string>;
  const Strings run = {"hook", "prompt", "type vi\r", "command"};
  auto holds = [&](const Strings& more) {
    Strings events = run;
    events.insert(events.end(), more.begin(), more.end());
    return Script(events).watch().holds_answers();
  };
  EXPECT_TRUE(holds({"read", "answer", "hook", "prompt"}));
  EXPECT_TRUE(holds({"read", "answer", "hook", "prompt", "read"}));
  EXPECT_FALSE(holds({"answer", "read", "hook", "prompt"}));
  EXPECT_FALSE(holds({"read", "hook", "prompt", "answer"}));
  // Somebody typed, too: ahead, or at the prompt.
  EXPECT_FALSE(holds({"type ls", "answer", "hook", "prompt"}));
  EXPECT_FALSE(holds({"read", "answer", "type ls", "hook", "prompt"}));
  EXPECT_FALSE(holds({"read", "answer", "hook", "prompt", "type ls"}));
  // The next line has nothing of it.
  EXPECT_FALSE(holds({"read", "answer", "hook", "prompt", "type \x03", "read",
                      "hook", "prompt"}));
}

TEST(PromptWatch, CountsAsReadyOnceItHasWaited) {
  PromptWatch watch;
  watch.Judged(Activity::kBusy, 5);
  watch.Judged(Activity::kExited, 5);
  EXPECT_FALSE(watch.has_been_ready());
  EXPECT_EQ(watch.addresses_at_prompt(), 0u);
  watch.Judged(Activity::kInput, 5);
  EXPECT_TRUE(watch.has_been_ready());
  EXPECT_EQ(watch.addresses_at_prompt(), 0u);
  watch.Judged(Activity::kPrompt, 7);
  EXPECT_EQ(watch.addresses_at_prompt(), 7u);
}

}  // namespace
}  // namespace glasstty::session
