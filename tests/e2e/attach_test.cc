// Runs `glasstty attach` on a terminal of the test's own, beside an agent.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "e2e/desk.h"
#include "e2e/secret_prompts.h"
#include "e2e/steps.h"
#include "terminal/terminal.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

constexpr Seconds kPatience{20};

class Attach : public ::testing::Test {
 protected:
  void Start(const std::vector<std::string>& argv = {"bash", "--norc"}) {
    Json more = {{"env", {{"PS1", "$ "}, {"HISTFILE", ""}}}};
    ASSERT_TRUE(Good(Open(&client_, "main", argv, more)));
  }
  void Sit(std::vector<std::string> flags = {},
           terminal::Size size = {25, 80}) {
    flags.insert(flags.begin(), "attach");
    flags.push_back("main");
    desk_ = std::make_unique<Desk>(client_.state_dir(), flags, size);
  }
  void Take() {
    ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
    ASSERT_TRUE(desk_->TypeAndSee("\r", "you have the keyboard"));
  }
  // Checks that nobody has the keyboard, at the latest in 2 s.
  ::testing::AssertionResult IsFree() {
    auto began = std::chrono::steady_clock::now();
    Reply reply = client_.Call("term_wait", {{"session", "main"},
                                             {"until", {{"person", "gone"}}},
                                             {"timeout_s", 20}});
    Seconds took = std::chrono::steady_clock::now() - began;
    RecordProperty("free_after_ms", static_cast<int>(took.count() * 1000));
    bool free = reply.header.find("a person has") == std::string::npos;
    if (free && took < Seconds(2) * Slowness()) {
      return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << reply.header << took.count();
  }
  Reply Call(const std::string& tool, Json arguments = Json::object()) {
    arguments["session"] = "main";
    return client_.Call(tool, arguments);
  }
  // Checks that the session continues and obeys.
  ::testing::AssertionResult IsUnharmed() {
    return Shows(Call("term_run", {{"command", "echo un''harmed"}}),
                 "unharmed");
  }

  McpClient client_;
  std::unique_ptr<Desk> desk_;
};

TEST_F(Attach, ShowsWhatTheAgentSees) {
  Start();
  Call("term_run", {{"command", "seq 1 30; printf '\\e[1;31mred\\e[m\\n'"}});
  Sit();
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  ASSERT_TRUE(desk_->Sees("red"));
  Call("term_run", {{"command", "echo and-more"}});
  const std::string wanted = Join(Screen(&client_, "main"));
  std::string seen;
  EXPECT_TRUE(Eventually(Seconds(10),
                         [&] {
                           desk_->Look();
                           std::vector<std::string> rows = desk_->Rows();
                           rows.pop_back();
                           while (!rows.empty() && rows.back().empty())
                             rows.pop_back();
                           seen = Join(rows);
                           return seen == wanted;
                         }))
      << seen << wanted;
}

// Nothing is discarded, so the status of the last command stays.
TEST_F(Attach, AVisitWithoutAKeyLeavesTheNextCommandAlone) {
  Start();
  Call("term_run", {{"command", "(exit 7)"}});
  Sit();
  Take();
  desk_->Type(
      "\x1c"
      "d");
  EXPECT_EQ(desk_->AwaitEnd(), 0);
  Reply reply = Call("term_run", {{"command", "echo status=$?"}});
  EXPECT_TRUE(Shows(reply, "status=7"));
  EXPECT_FALSE(Shows(reply, "discarded")) << reply.text;
}

TEST_F(Attach, TakesOverInTheMiddleOfAPlanAndGivesBack) {
  Start();
  Sit();
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  desk_->Type("x");
  ASSERT_TRUE(
      desk_->Sees("[watching; Enter takes the keyboard, C-\\ d leaves]"));
  int plan =
      client_.SendCall("term_send", {{"session", "main"},
                                     {"input",
                                      {{{"text", "echo be''gun\n"}},
                                       {{"until", {{"text", "never-comes"}}}},
                                       {{"text", "echo planned\n"}}}},
                                     {"timeout_s", 20}});
  ASSERT_TRUE(desk_->Sees("begun"));
  ASSERT_TRUE(desk_->TypeAndSee("\r", "you have the keyboard"));
  ASSERT_TRUE(desk_->TypeAndSee("echo by-a-''person\r", "by-a-person"));
  Reply refused = Call("term_send", {{"input", "echo refused\n"}});
  EXPECT_TRUE(refused.is_error);
  EXPECT_TRUE(Shows(refused, "not typed: a person has the keyboard (attach, "));
  int wait = client_.SendCall(
      "term_wait", {{"session", "main"}, {"until", {{"person", "gone"}}}});
  desk_->Type("\x1ch");
  EXPECT_TRUE(desk_->Sees("handed back"));
  EXPECT_TRUE(Shows(client_.Await(wait), "a person typed 19 keys"));
  client_.Notify("notifications/cancelled", {{"requestId", plan}});
  desk_->Type("\x1c");
  desk_->Type("d");
  EXPECT_EQ(desk_->AwaitEnd(), 0);
  EXPECT_TRUE(desk_->IsRestored());
  EXPECT_TRUE(IsUnharmed());
  Reply all = Call("term_read", {{"mode", "history"}});
  EXPECT_EQ(all.text.find("planned"), std::string::npos) << all.text;
  EXPECT_EQ(all.text.find("refused"), std::string::npos) << all.text;
}

// The program asks for all keys in kitty's protocol, with their releases.
TEST_F(Attach, PassesTheKeyboardProtocolsOfTheProgramOn) {
  Start({"sh", "-c",
         "stty raw -echo; printf '\\033[>11u\\033[>4;2mready'; exec cat -v"});
  Sit();
  ASSERT_TRUE(desk_->Sees("ready"));
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  EXPECT_EQ(desk_->modes().kitty_flags, 0) << "the keys are for glasstty";
  desk_->Type("\r");
  auto has = [&](int flags, int level) {
    return Eventually(kPatience, [&] {
      desk_->Look();
      return desk_->modes().kitty_flags == flags &&
             desk_->modes().modify_other_keys == level;
    });
  };
  ASSERT_TRUE(has(11, 2));
  // Shift+Enter, and the release of a letter.
  desk_->Type("\x1b[13;2u\x1b[97;1:3u");
  EXPECT_TRUE(desk_->Sees("^[[13;2u^[[97;1:3u"));
  // C-\ with its release; what follows is ours, in whatever form.
  desk_->Type("\x1b[92;5u\x1b[92;5:3u");
  ASSERT_TRUE(has(0, 0));
  desk_->Type("\x1b[47;2:1;63u");
  EXPECT_TRUE(desk_->Sees("hand the keyboard back"));
  desk_->Type("x");
  ASSERT_TRUE(has(11, 2));
  desk_->Type("\x1b[27;5;92~\x1b[104u");
  EXPECT_TRUE(desk_->Sees("handed back"));
  ASSERT_TRUE(has(0, 0));
  desk_->Type("\r");
  ASSERT_TRUE(has(11, 2));
  desk_->Type("\x1b[92;5u\x1b[100u");
  EXPECT_EQ(desk_->AwaitEnd(), 0);
  EXPECT_TRUE(desk_->IsRestored());
}

// A burst that is typed too early must not reach a program seconds later.
TEST_F(Attach, DropsWhatIsTypedBeforeTheKeyboardIsGranted) {
  Start();
  Sit();
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  ASSERT_TRUE(desk_->TypeAndSee("\recho too-early\r", "you have the keyboard"));
  ASSERT_TRUE(desk_->TypeAndSee("echo in-''time\r", "in-time"));
  EXPECT_EQ(Join(Screen(&client_, "main")).find("too-early"),
            std::string::npos);
}

TEST_F(Attach, GivesTheKeyboardBackAfterTheTimeThatIsSet) {
  Start();
  setenv("GLASSTTY_LEASE_IDLE_S", "0.3", 1);
  Sit();
  unsetenv("GLASSTTY_LEASE_IDLE_S");
  Take();
  EXPECT_TRUE(IsFree());
  EXPECT_TRUE(desk_->Sees("Enter takes the keyboard"));
}

TEST_F(Attach, ReadOnlyTakesNothing) {
  Start();
  Sit({"-r"});
  ASSERT_TRUE(desk_->Sees("watching (-r)"));
  ASSERT_TRUE(desk_->TypeAndSee("\r", "[watching; C-\\ d leaves]"));
  desk_->Type("\x1ct");
  ASSERT_TRUE(desk_->Sees("attached with -r, which only watches"));
  EXPECT_FALSE(Call("term_send", {{"input", "true\n"}}).is_error);
}

TEST_F(Attach, TakesAtOnceIfAskedAndOverFromAnotherPerson) {
  Start();
  Sit({"--take"});
  ASSERT_TRUE(desk_->Sees("you have the keyboard"));
  Desk other(client_.state_dir(), {"attach", "--detach-key", "C-]", "main"});
  ASSERT_TRUE(other.Sees("attach has the keyboard  C-] t takes it over"));
  other.Type("\x1dt");
  ASSERT_TRUE(other.Sees("you have the keyboard"));
  EXPECT_TRUE(desk_->Sees("another person took the keyboard"));
  other.Type(
      "\x1d"
      "d");
  EXPECT_EQ(other.AwaitEnd(), 0);
  EXPECT_TRUE(IsFree());
}

TEST_F(Attach, ShowsAPartInASmallWindowAndNeverResizesByLooking) {
  Start();
  Sit({}, {10, 90});
  ASSERT_TRUE(desk_->Sees("24x80, yours is 9x90"));
  Call("term_run", {{"command", "clear; seq 1 20; echo at-the-''cursor"}});
  ASSERT_TRUE(desk_->Sees("at-the-cursor"));
  desk_->SetSize({30, 90});
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  ASSERT_TRUE(desk_->Sees("13"));
  EXPECT_TRUE(Shows(Call("term_read", {{"mode", "snapshot"}}), "24x80"));
}

// Editors start their terminals in one size and give them another at once; what
// is painted meanwhile is garbled.
TEST_F(Attach, PaintsOnceMoreWhenTheSizeHasSettled) {
  Start({"bash", "-c", "echo the-only-row; exec cat"});
  Sit({}, {10, 90});
  ASSERT_TRUE(desk_->Sees("the-only-row"));
  const size_t before = desk_->written().size();
  desk_->SetSize({30, 90});
  EXPECT_TRUE(Eventually(kPatience, [&] {
    desk_->Look();
    const std::string painted = desk_->written().substr(before);
    size_t first = painted.find("the-only-row");
    return first != std::string::npos &&
           painted.find("the-only-row", first + 1) != std::string::npos;
  })) << desk_->written().substr(before);
}

// Draws a full screen of 24x80: its row and column numbers in four corners.
constexpr char kCorners[] =
    "printf '\\e[?1049h\\e[2J\\e[HTOP-LEFT\\e[1;71HTOP-RIGHT\\e[24;1HLOW-LEFT"
    "\\e[24;71HLOW-RIGHT'; ";

TEST_F(Attach, ArrowsPanAFullScreenProgramWhileWatching) {
  Start({"bash", "-c", std::string(kCorners) + "cat"});
  Sit({}, {12, 40});
  ASSERT_TRUE(desk_->Sees("LOW-RIGHT"));  // where the cursor is
  for (const char* key : {"\x1b[D", "\x1b[D"}) desk_->Type(key);
  ASSERT_TRUE(desk_->Sees("LOW-LEFT"));
  for (const char* key : {"\x1b[A", "\x1b[A", "\x1bOA"}) desk_->Type(key);
  ASSERT_TRUE(desk_->Sees("TOP-LEFT"));
  for (const char* key : {"\x1b[C", "\x1b[C"}) desk_->Type(key);
  ASSERT_TRUE(desk_->Sees("TOP-RIGHT"));
  desk_->Type("\x1b");
  EXPECT_TRUE(desk_->Sees("LOW-RIGHT"));
}

TEST_F(Attach, WithTheKeyboardOnlyThePrefixPans) {
  Start({"bash", "-c", std::string(kCorners) + "stty raw; cat -v"});
  Sit({}, {12, 40});
  ASSERT_TRUE(desk_->Sees("Enter types"));
  ASSERT_TRUE(desk_->TypeAndSee("\r", "you type"));
  ASSERT_TRUE(desk_->TypeAndSee("\x1c\x1b[D\x1c\x1b[D", "LOW-LEFT"));
  // The program gets the key, and the person sees where.
  ASSERT_TRUE(desk_->TypeAndSee("\x1b[A", "^[[A"));
  EXPECT_EQ(Join(Screen(&client_, "main")).find("^[[D"), std::string::npos);
}

TEST_F(Attach, AHiddenCursorShowsTheTopLeftCorner) {
  Start({"bash", "-c", std::string(kCorners) + "printf '\\e[?25l'; cat"});
  Sit({}, {12, 40});
  ASSERT_TRUE(desk_->Sees("TOP-LEFT"));
  desk_->Type("\x1b[C");
  ASSERT_TRUE(desk_->TypeAndSee("\x1b[C", "TOP-RIGHT"));
}

TEST_F(Attach, AnAnimationAtTheBottomIsFollowedThoughItHidesTheCursor) {
  Start({"bash", "-c", "seq 30; printf '\\e[?25lworking...'; cat"});
  Sit({}, {12, 40});
  ASSERT_TRUE(desk_->Sees("working..."));
}

TEST_F(Attach, TheLineBelowReachesTheLastColumn) {
  Start();
  Sit({}, {25, 80});
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  std::string begin = " main  /";
  desk_->Type("/" + std::string(79 - begin.size(), 'x') + "Z");
  EXPECT_TRUE(desk_->Sees("xZ"));
}

TEST_F(Attach, AQuestionMarkListsTheKeysInAnyWindow) {
  Start();
  for (terminal::Size size : {terminal::Size{24, 80}, terminal::Size{12, 40}}) {
    Sit({}, size);
    ASSERT_TRUE(desk_->Sees("Enter t"));
    desk_->Type("?");
    for (const char* line : {"d       leave", "t       take over",
                             "arrows  move over a larger screen"}) {
      EXPECT_TRUE(desk_->Sees(line)) << size.rows;
    }
    desk_->Type("x");
    EXPECT_TRUE(desk_->SeesNo("arrows  move"));
    ASSERT_TRUE(desk_->TypeAndSee("\r", "you "));
    ASSERT_TRUE(desk_->TypeAndSee("\x1c?", "d       leave"));
    desk_->Type(" ");
    EXPECT_TRUE(desk_->SeesNo("arrows  move"));
    desk_->Type(
        "\x1c"
        "h");
    ASSERT_TRUE(desk_->Sees("handed back"));
  }
}

TEST_F(Attach, GivesTheSessionItsSizeOnlyWhileTheKeyboardIsTheirs) {
  Start();
  Sit({"--resize"}, {31, 100});
  Take();
  ASSERT_TRUE(SeesOnScreen(&client_, "main", "$"));
  EXPECT_TRUE(Eventually(kPatience, [&] {
    return Call("term_read", {{"mode", "snapshot"}}).header.find("30x100") !=
           std::string::npos;
  }));
  desk_->SetSize({21, 70});
  EXPECT_TRUE(Eventually(kPatience, [&] {
    desk_->Look();
    return Call("term_read", {{"mode", "snapshot"}}).header.find("20x70") !=
           std::string::npos;
  })) << desk_->Status();
  desk_->Type("\x1ch");
  EXPECT_TRUE(Eventually(kPatience, [&] {
    desk_->Look();
    return Call("term_read", {{"mode", "snapshot"}}).header.find("24x80") !=
           std::string::npos;
  }));
}

TEST_F(Attach, GivesTheSizeBackWhenItIsKilledOrStopped) {
  Start();
  for (int signal : {SIGKILL, SIGSTOP}) {
    Sit({"--resize"}, {31, 100});
    Take();
    auto has_size = [&](const std::string& size) {
      return Eventually(kPatience, [&] {
        return Call("term_read", {{"mode", "snapshot"}}).header.find(size) !=
               std::string::npos;
      });
    };
    EXPECT_TRUE(has_size("30x100"));
    desk_->Signal(signal);
    EXPECT_TRUE(has_size("24x80"));
  }
}

TEST_F(Attach, ScrollsAndSearchesWhatHasLeftTheScreen) {
  Start();
  Call("term_run",
       {{"command", "seq 1001 1200; echo needle-''here; seq 1 60"}});
  Sit();
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  // The past begins at the end of what has been read so far.
  ASSERT_TRUE(desk_->Sees("|59\n|60"));
  ASSERT_TRUE(desk_->TypeAndSee("\x1b[5~", "line "));
  desk_->Type("/");
  ASSERT_TRUE(desk_->TypeAndSee("nowhere", "/nowhere"));
  ASSERT_TRUE(desk_->TypeAndSee("\r", "not found"));
  desk_->Type("/");
  ASSERT_TRUE(desk_->TypeAndSee("needle-h", "/needle-h"));
  ASSERT_TRUE(desk_->TypeAndSee("\r", "needle-here"));
  EXPECT_EQ(Join(desk_->Rows()).find("not found"), std::string::npos);
  ASSERT_TRUE(desk_->TypeAndSee("g", "1001"));
  ASSERT_TRUE(desk_->TypeAndSee("q", "Enter takes the keyboard"));
  ASSERT_TRUE(desk_->Sees("60"));
}

TEST_F(Attach, AsksBeforeAPasteRunsLines) {
  Start({"sh"});
  Sit();
  Take();
  desk_->Type("\x1b[200~echo pas''ted\necho tw''ice\n\x1b[201~");
  ASSERT_TRUE(desk_->Sees("this paste has 3 lines, which would run"));
  EXPECT_EQ(Join(Screen(&client_, "main")).find("pas''ted"), std::string::npos);
  ASSERT_TRUE(desk_->TypeAndSee("\x1cp", "pasted"));
  ASSERT_TRUE(desk_->Sees("twice"));
}

TEST_F(Attach, FollowsTheModesOfTheProgramOnlyWithTheKeyboard) {
  Start();
  Call("term_send", {{"input", "printf '\\e[?1000h\\e[?1h'; cat\n"}});
  Sit();
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  EXPECT_EQ(desk_->modes().mouse, terminal::MouseTracking::kOff);
  EXPECT_FALSE(desk_->modes().application_cursor);
  EXPECT_TRUE(desk_->modes().bracketed_paste);
  Take();
  EXPECT_EQ(desk_->modes().mouse, terminal::MouseTracking::kClicks);
  EXPECT_TRUE(desk_->modes().application_cursor);
  EXPECT_EQ(desk_->modes().mouse_encoding, terminal::MouseEncoding::kSgr);
}

TEST_F(Attach, LeavesWithTheSession) {
  Start();
  Sit();
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  Call("term_send", {{"input", "exit 3\n"}});
  ASSERT_TRUE(desk_->Sees("exited 3  any key leaves"));
  desk_->Type("x");
  EXPECT_EQ(desk_->AwaitEnd(), 0);
  EXPECT_TRUE(desk_->IsRestored());
}

TEST_F(Attach, IsRefusedInsideASession) {
  Start();
  Reply reply = Call(
      "term_run",
      {{"command", ServerPath() + " attach --take main 2>&1; echo st=$?"}});
  EXPECT_TRUE(Shows(reply, "this terminal is itself a glasstty session"));
  EXPECT_TRUE(Shows(reply, "st=1"));
}

// An older holder has no socket for observers.
TEST_F(Attach, LooksOnOnlyWhereTheHolderIsTooOld) {
  Start();
  std::filesystem::remove(SessionDirectory(client_.state_dir(), "main") +
                          "/watch");
  Sit();
  ASSERT_TRUE(desk_->Sees("this session's holder is too old to take over"));
  Call("term_run", {{"command", "echo still-''shown"}});
  ASSERT_TRUE(desk_->Sees("still-shown"));
  ASSERT_TRUE(desk_->TypeAndSee("\r", "nothing can be typed here"));
}

TEST_F(Attach, IsAskedByTheAgent) {
  Start();
  Sit();
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  int wait = client_.SendCall("term_wait", {{"session", "main"},
                                            {"until", {{"person", "gone"}}},
                                            {"ask", "look at this"}});
  ASSERT_TRUE(desk_->Sees("the agent asks: look at this"));
  EXPECT_NE(desk_->written().find('\a'), std::string::npos);
  ASSERT_TRUE(desk_->TypeAndSee("\r", "you have the keyboard"));
  desk_->Type("\x1ch");
  EXPECT_TRUE(Shows(client_.Await(wait), "a person typed nothing"));
}

// ---- However it ends, the terminal is restored and the keyboard is free ----

class AttachEnds : public Attach, public ::testing::WithParamInterface<int> {};

TEST_P(AttachEnds, BySignalAndGivesAllBack) {
  Start();
  Sit();
  Take();
  desk_->Signal(GetParam());
  EXPECT_TRUE(IsFree());
  EXPECT_EQ(desk_->AwaitEnd(), 0);
  EXPECT_TRUE(desk_->IsRestored());
  EXPECT_TRUE(IsUnharmed());
}

INSTANTIATE_TEST_SUITE_P(All, AttachEnds,
                         ::testing::Values(SIGTERM, SIGHUP, SIGINT, SIGQUIT));

TEST_F(Attach, GivesTheTerminalBackAlsoWhenItCrashes) {
  Start();
  Sit();
  Take();
  desk_->Signal(SIGSEGV);
  EXPECT_TRUE(IsFree());
  auto status = desk_->AwaitEnd();
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFSIGNALED(*status));
  EXPECT_TRUE(desk_->IsRestored());
}

TEST_F(Attach, GivesTheKeyboardBackWhenItIsKilled) {
  Start();
  Sit();
  Take();
  desk_->Signal(SIGKILL);
  EXPECT_TRUE(IsFree());
  EXPECT_TRUE(IsUnharmed());
}

TEST_F(Attach, GivesTheKeyboardBackWhenItIsStoppedAndPaintsAnewAfterwards) {
  Start();
  Sit();
  Take();
  desk_->Signal(SIGSTOP);
  EXPECT_TRUE(IsFree());
  EXPECT_TRUE(IsUnharmed());
  desk_->Signal(SIGCONT);
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  ASSERT_TRUE(desk_->Sees("unharmed"));
  Take();
}

TEST_F(Attach, TakesBackTheKeyboardProtocolsAfterAStopWithoutNotice) {
  Start({"sh", "-c", "printf '\\033[>4;2mready'; exec cat"});
  Sit();
  Take();
  auto has = [&](int level) {
    return Eventually(kPatience, [&] {
      desk_->Look();
      return desk_->modes().modify_other_keys == level;
    });
  };
  ASSERT_TRUE(has(2));
  desk_->Signal(SIGSTOP);
  EXPECT_TRUE(IsFree());
  desk_->Signal(SIGCONT);
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  EXPECT_TRUE(has(0));
}

TEST_F(Attach, GivesTheKeyboardBackWhenTheTerminalVanishes) {
  Start();
  Sit();
  Take();
  desk_->Vanish();
  EXPECT_TRUE(IsFree());
  EXPECT_TRUE(IsUnharmed());
}

// ---- Secrets ----

class AttachSecret : public Attach,
                     public ::testing::WithParamInterface<SecretPrompt> {
 protected:
  void ExpectNowhere() {
    ExpectSecretNowhere(&client_);
    EXPECT_EQ(desk_->written().find(kSecretValue), std::string::npos);
  }
  void StartPrompt() { OpenSecretPrompt(&client_, GetParam(), folder_.path()); }

  TempDir folder_;
};

TEST_P(AttachSecret, IsTypedUnseenIntoTheLineBelow) {
  StartPrompt();
  int wait = client_.SendCall("term_wait", {{"session", "main"},
                                            {"until", {{"person", "gone"}}},
                                            {"ask", "type the password"}});
  Sit();
  ASSERT_TRUE(desk_->Sees("C-\\ k types it unseen"));
  ASSERT_TRUE(desk_->TypeAndSee("\x1ck", "secret, typed unseen:"));
  desk_->Type(kSecretValue);
  ASSERT_TRUE(desk_->Sees(std::string(sizeof kSecretValue - 1, '*')));
  desk_->Type("\r");
  Reply told = client_.Await(wait);
  EXPECT_TRUE(
      Shows(told, "a person typed the secret; it is in no log and no reply"));
  EXPECT_EQ(told.text.find(kSecretValue), std::string::npos);
  ASSERT_TRUE(SeesOnScreen(&client_, "main", GetParam().answer));
  ExpectNowhere();
}

TEST_P(AttachSecret, IsTypedKeyByKeyWithTheKeyboard) {
  StartPrompt();
  Sit();
  Take();
  desk_->Type(std::string(kSecretValue) + "\r");
  ASSERT_TRUE(desk_->Sees(GetParam().answer));
  ASSERT_TRUE(desk_->TypeAndSee("\x1ch", "handed back"));
  Reply told = Call("term_wait", {{"until", {{"person", "gone"}}}});
  // Even its length must not be there.
  EXPECT_TRUE(
      Shows(told, "a person typed the secret; it is in no log and no reply"));
  ExpectNowhere();
}

INSTANTIATE_TEST_SUITE_P(All, AttachSecret,
                         ::testing::ValuesIn(SecretPrompts()),
                         [](const auto& prompt) { return prompt.param.name; });

// ---- lines of both ----

// Each line that the shell gets is wholly the agent's or wholly the person's.
TEST_F(Attach, NeverTypesIntoALineOfTheAgentNorTheReverse) {
  TempDir folder;
  std::string file = folder.Write("lines", "");
  Start();
  Call("term_run", {{"command", "say() { echo \"$*\" >> " + file + "; }"}});
  Sit();
  ASSERT_TRUE(desk_->Sees("Enter takes the keyboard"));
  std::mt19937 random(7);
  const int rounds = Rounds(25, 100);
  for (int round = 0; round < rounds; ++round) {
    std::string number = std::to_string(round);
    int call = SendAgentLines(&client_, number, random() % 200);
    // The person types before, in the middle or after it; every third time not
    // before the agent has begun.
    if (round % 3 == 0) {
      ASSERT_TRUE(Eventually(kPatience, [&] {
        desk_->Look();
        return ReadWholeFile(file).find("a" + number) != std::string::npos;
      })) << round;
    } else if (random() % 2 == 0) {
      desk_->Look(static_cast<int>(random() % 10));
    }
    ASSERT_TRUE(desk_->TypeAndSee("\r", "you have the keyboard"));
    desk_->Type("say p" + number + std::string(random() % 200, 'p') + " end\r");
    auto is_mine = [&number](const std::string& line) {
      return line.starts_with("p" + number + "p") ||
             line.starts_with("p" + number + " ");
    };
    ASSERT_TRUE(Eventually(kPatience,
                           [&] {
                             desk_->Look();
                             return std::ranges::any_of(
                                 Lines(ReadWholeFile(file)), is_mine);
                           }))
        << round << "\n"
        << Join(desk_->Rows());
    ASSERT_TRUE(desk_->TypeAndSee("\x1ch", "handed back"));
    client_.Await(call);
  }
  Call("term_run", {{"command", "true"}});
  ExpectWholeLines(file, rounds);
}

// ---- glasstty ls ----

TEST_F(Attach, LsListsWhoIsThere) {
  std::vector<std::string> state = {"GLASSTTY_STATE_DIR=" +
                                    client_.state_dir()};
  CommandResult none = RunCommand({ServerPath(), "ls"}, state);
  EXPECT_EQ(WEXITSTATUS(none.status), 1);
  EXPECT_EQ(none.output, "no sessions\n");
  Start();
  Sit();
  Take();
  CommandResult table = RunCommand({ServerPath(), "ls"}, state);
  EXPECT_EQ(WEXITSTATUS(table.status), 0);
  std::vector<std::string> lines = Lines(table.output);
  ASSERT_EQ(lines.size(), 2u) << table.output;
  EXPECT_EQ(lines[0].find("NAME  STATE"), 0u);
  for (const char* cell : {"main", "24x80", "yes", "attach pts/", "bash"}) {
    EXPECT_NE(lines[1].find(cell), std::string::npos) << table.output;
  }
  Json list =
      Json::parse(RunCommand({ServerPath(), "ls", "--json"}, state).output);
  EXPECT_EQ(list[0]["name"], "main");
  EXPECT_EQ(list[0]["server"], true);
  EXPECT_EQ(list[0]["person"].get<std::string>().find("attach "), 0u);
}

}  // namespace
}  // namespace glasstty::testing
