// Tests that a session's output can be played again: to each of its moments, as
// a file for other players, as lines of text.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

// The screen as it was shown: rows, and "24x80 cursor=3:1".
struct Moment {
  std::string offset;
  std::string rows;
  std::string facts;

  bool operator==(const Moment&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Moment& moment) {
  return out << "at " << moment.offset << ": " << moment.facts << "\n"
             << moment.rows;
}

class Recording : public ::testing::Test {
 protected:
  CommandResult Glasstty(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), ServerPath());
    return RunCommand(arguments, {"GLASSTTY_STATE_DIR=" + client_.state_dir()});
  }

  static Moment MomentOf(const Reply& reply, const std::string& offset) {
    size_t end = reply.header.find(" rev=");
    size_t begin = reply.header.rfind(' ', reply.header.rfind(" cursor=") - 1);
    std::string facts = reply.header.substr(begin + 1, end - begin - 1);
    std::vector<std::string> rows = UnfoldRows(reply.body);
    if (rows == std::vector<std::string>{"(blank screen)"}) rows.clear();
    return {offset, Join(rows), facts};
  }
  // The live screen.
  Moment Live(const std::string& name) {
    Reply reply = client_.Call(
        "term_read", {{"session", name}, {"mode", "snapshot"}, {"peek", true}});
    EXPECT_TRUE(Good(reply));
    return MomentOf(reply, reply.meta["glasstty/offset"].dump());
  }
  Moment At(const std::string& name, const std::string& offset) {
    Reply reply =
        client_.Call("term_read", {{"session", name}, {"at", offset}});
    EXPECT_TRUE(Good(reply));
    return MomentOf(reply, offset);
  }
  // Returns what `glasstty replay` prints.
  Moment Replayed(const std::string& source, const std::string& offset) {
    std::vector<std::string> arguments = {"replay", source};
    if (!offset.empty()) arguments.insert(arguments.end(), {"--to", offset});
    CommandResult result = Glasstty(arguments);
    EXPECT_EQ(result.status, 0) << result.output;
    std::vector<std::string> rows = Lines(result.output);
    if (rows.empty()) return {};
    // This is "-- 24x80 cursor=3:1 alternate title=...".
    std::string last = rows.back();
    rows.pop_back();
    std::string facts = last.substr(3, last.find(' ', 9) - 3);
    if (last.find(" hidden") != std::string::npos) facts += "(hidden)";
    for (std::string& row : rows) {
      row.erase(0, 1);
      row.resize(row.find_last_not_of(' ') + 1);
    }
    while (!rows.empty() && rows.back().empty()) rows.pop_back();
    return {offset, Join(rows), facts};
  }

  McpClient client_;
  TempDir folder_;
};

// These are things to do in vim, in any order.
const std::vector<std::string> kVimSteps = {
    "oa line of text<Esc>",
    "Othe first<Esc>",
    "gg",
    "G",
    "i<Tab>tab größe<Esc>",
    "dd",
    "yyp",
    "5j",
    ":set number<Enter>",
    ":set nonumber<Enter>",
    "vjj",
    "<Esc>",
    ":split<Enter>",
    "<C-w>c",
    "u",
    "A 世界<Esc>",
    "<C-d>",
    "/text<Enter>",
};

TEST_F(Recording, OfVimGivesTheLiveScreenAtAnyMoment) {
  ASSERT_TRUE(Good(Open(&client_, "vim", {"vim", "--clean", "notes"},
                        {{"cwd", folder_.path()}})));
  std::mt19937 random(50);
  std::vector<Moment> moments;
  while (moments.size() < static_cast<size_t>(Rounds(12, 50))) {
    Json input = Json::array();
    // Sometimes change the size, with what is drawn for it.
    if (random() % 5 == 0) {
      input.push_back({{"resize", {10 + random() % 20, 40 + random() % 60}}});
    }
    input.push_back(kVimSteps[random() % kVimSteps.size()]);
    ASSERT_TRUE(Good(
        client_.Call("term_send", {{"session", "vim"}, {"input", input}})));
    moments.push_back(Live("vim"));
  }
  // vim waits a second for what may follow an Escape.
  ASSERT_TRUE(Good(client_.Call(
      "term_wait", {{"session", "vim"}, {"until", {{"quiet_s", 2}}}})));
  std::string v2 = folder_.Join("v2.cast"), v3 = folder_.Join("v3.cast");
  ASSERT_EQ(Glasstty({"cast", "vim", "-o", v2}).status, 0);
  ASSERT_EQ(Glasstty({"cast", "vim", "-o", v3, "--format", "v3"}).status, 0);
  for (const Moment& moment : moments) {
    EXPECT_EQ(At("vim", moment.offset), moment);
    EXPECT_EQ(Replayed("vim", moment.offset), moment);
    EXPECT_EQ(Replayed(v2, moment.offset), moment);
    EXPECT_EQ(Replayed(v3, moment.offset), moment);
  }
  Moment end = Live("vim");
  end.offset = "";
  for (const std::string& source : {std::string("vim"), v2, v3}) {
    EXPECT_EQ(Replayed(source, ""), end) << source;
  }
}

TEST_F(Recording, OneVersionIsMadeFromTheOther) {
  ASSERT_TRUE(Good(client_.Call("term_run", {{"command", "echo one"}})));
  ASSERT_TRUE(Good(client_.Call("term_run", {{"command", "(exit 3)"}})));
  ASSERT_TRUE(
      Good(client_.Call("term_send", {{"session", "main"},
                                      {"input", "exit 7"},
                                      {"enter", true},
                                      {"until", {{"state", "exited"}}}})));
  std::string v2 = folder_.Join("v2.cast"), v3 = folder_.Join("v3.cast");
  ASSERT_EQ(Glasstty({"cast", "main", "-o", v2}).status, 0);
  ASSERT_EQ(Glasstty({"cast", "--format=v3", v2}).status, 0);
  ASSERT_EQ(Glasstty({"cast", "main", "-o", v3, "--format", "v3"}).status, 0);
  std::string text = ReadWholeFile(v3);
  EXPECT_NE(text.find("\"m\", \"echo one\"]"), std::string::npos) << text;
  EXPECT_NE(text.find("\"m\", \"(exit 3)\"]"), std::string::npos) << text;
  EXPECT_EQ(text.substr(text.size() - 10), "\"x\", \"7\"]\n") << text;
  EXPECT_EQ(Glasstty({"cast", v3}).output, ReadWholeFile(v2));
}

TEST_F(Recording, AFileMayBeItsOwnSourceAndStaysIfItIsNoRecording) {
  const std::string header = R"({"version":2,"width":20,"height":3})"
                             "\n";
  std::string cut =
      folder_.Write("cut", header + "[0.1,\"o\",\"hi\"]\n[0.2,\"o\",\"th");
  CommandResult result = Glasstty({"cast", cut, "-o", cut});
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("line 3 is skipped"), std::string::npos)
      << result.output;
  EXPECT_EQ(ReadWholeFile(cut), header + "[0.100000, \"o\", \"hi\"]\n");
  std::string other = folder_.Write("other", "{\"version\":9}\n");
  EXPECT_NE(Glasstty({"cast", other, "-o", other}).status, 0);
  EXPECT_EQ(ReadWholeFile(other), "{\"version\":9}\n");
}

TEST_F(Recording, WithoutASizeIsShownAtTheSizeGiven) {
  std::string sizeless = folder_.Write(
      "cast", "{\"version\":2,\"width\":0,\"height\":0}\n[0,\"o\",\"hi\"]\n");
  EXPECT_NE(Glasstty({"replay", sizeless}).output.find("-- 24x80 "),
            std::string::npos);
  EXPECT_NE(
      Glasstty({"replay", sizeless, "--size", "3x10"}).output.find("-- 3x10 "),
      std::string::npos);
}

TEST_F(Recording, SomeSecondsAgoTheScreenWasTheEarlierOne) {
  ASSERT_TRUE(Good(Open(
      &client_, "two", {"sh", "-c", "echo early; read x; clear; echo later"})));
  ASSERT_TRUE(Good(client_.Call(
      "term_wait", {{"session", "two"}, {"until", {{"quiet_s", 1.5}}}})));
  ASSERT_TRUE(
      Good(client_.Call("term_send", {{"session", "two"},
                                      {"input", ""},
                                      {"enter", true},
                                      {"until", {{"state", "exited"}}}})));
  // The time counts from the exit, which comes right after the last line.
  Reply now = client_.Call("term_read", {{"session", "two"}, {"at", "-0s"}});
  EXPECT_TRUE(Shows(now, "later"));
  Reply before = client_.Call("term_read", {{"session", "two"}, {"at", "-1s"}});
  EXPECT_TRUE(Shows(before, "early"));
  EXPECT_EQ(before.text.find("later"), std::string::npos) << before.text;
  CommandResult played = Glasstty({"replay", "two", "--at", "1"});
  EXPECT_NE(played.output.find("|early\n"), std::string::npos) << played.output;
  EXPECT_EQ(played.output.find("later"), std::string::npos) << played.output;
}

TEST_F(Recording, HoldsNoSecret) {
  constexpr char kSecret[] = "Zq7hidden";
  ASSERT_TRUE(Good(Open(&client_, "ask",
                        {"bash", "-c",
                         "read -p 'name? ' n; read -sp 'password: ' p; "
                         "read -sp 'again: ' q; echo got ${#p} ${#q}"},
                        {{"record", true}})));
  ASSERT_TRUE(Good(client_.Call(
      "term_send",
      {{"session", "ask"}, {"input", "visible"}, {"enter", true}})));
  Reply reply = client_.Call(
      "term_send",
      {{"session", "ask"},
       {"input", {{{"secret", kSecret}}, {{"until", {{"text", "again"}}}}}},
       {"enter", true},
       {"until", {{"state", "exited"}}}});
  ASSERT_TRUE(Shows(reply, "got 9"));
  CommandResult cast = Glasstty({"cast", "ask"});
  EXPECT_NE(cast.output.find("\"i\", \"visible"), std::string::npos)
      << cast.output;
  EXPECT_NE(cast.output.find("password: "), std::string::npos);
  EXPECT_EQ(cast.output.find(kSecret), std::string::npos) << cast.output;
  std::string directory = SessionDirectory(client_.state_dir(), "ask");
  EXPECT_NE(RunCommand({"grep", "-r", kSecret, directory}).status, 0);
}

TEST_F(Recording, OfALongLogDelaysNoOtherCall) {
  ASSERT_TRUE(Good(Open(&client_, "other", {"cat"})));
  // This prints 8 MB of short coloured words.
  ASSERT_TRUE(
      Good(Open(&client_, "long",
                {"sh", "-c",
                 "yes \"$(printf '\\033[1mword\\033[m more')\" | head -c "
                 "8000000; echo; echo end"},
                {{"until", {{"state", "exited"}}}, {"timeout_s", 45}})));
  Reply live = client_.Call(
      "term_read", {{"session", "long"}, {"mode", "snapshot"}}, Seconds(60));
  std::string end = live.meta["glasstty/offset"].dump();
  int past = client_.SendCall("term_read", {{"session", "long"}, {"at", end}});
  double longest = 0;
  for (int i = 0; i < 20; ++i) {
    auto began = std::chrono::steady_clock::now();
    client_.Call("term_read", {{"session", "other"}, {"mode", "snapshot"}});
    Seconds took = std::chrono::steady_clock::now() - began;
    longest = std::max(longest, took.count());
  }
  EXPECT_LT(longest, 0.25 * Slowness());
  Reply reply = client_.Await(past);
  EXPECT_EQ(reply.body, live.body);
}

class RecordingTail : public Recording {};

TEST_F(RecordingTail, PrintsTheLastLinesAsAPersonWouldReadThem) {
  ASSERT_TRUE(Good(Open(
      &client_, "bar",
      {"sh", "-c",
       "for i in 1 2 3; do printf '\\r%s of 3' $i; done; echo; "
       "printf '\\033[31mred\\033[m\\033]0;title\\007\\n'; printf 'ask? '; "
       "read x"})));
  EXPECT_EQ(Glasstty({"tail", "bar"}).output, "3 of 3\nred\nask? \n");
  EXPECT_EQ(Glasstty({"tail", "-n", "2", "bar"}).output, "red\nask? \n");
  EXPECT_EQ(Glasstty({"tail", "-n", "+1", "bar"}).output,
            "3 of 3\nred\nask? \n");
}

TEST_F(RecordingTail, SaysWhatIsWrongWithACall) {
  EXPECT_NE(Glasstty({"tail"}).output.find("give one session"),
            std::string::npos);
  EXPECT_NE(
      Glasstty({"tail", "-n", "x", "s"}).output.find("-n 'x': give a number"),
      std::string::npos);
  EXPECT_NE(Glasstty({"tail", "nosuch"}).output.find("no session 'nosuch'"),
            std::string::npos);
  EXPECT_NE(Glasstty({"tail", "-x", "s"}).output.find("no flag -x"),
            std::string::npos);
  EXPECT_NE(Glasstty({"cast", "--format", "v9", "s"}).output.find("v2 or v3"),
            std::string::npos);
  EXPECT_NE(Glasstty({"replay", "--to=-1", "s"}).output.find("--to '-1'"),
            std::string::npos);
  EXPECT_NE(Glasstty({"replay", "--at", "x", "s"}).output.find("--at 'x'"),
            std::string::npos);
  std::string bytes = folder_.Write("plain", "text");
  EXPECT_NE(Glasstty({"replay", "--at", "1", bytes}).output.find("no times"),
            std::string::npos);
  EXPECT_NE(Glasstty({"cast", bytes}).output.find("not an asciicast header"),
            std::string::npos);
}

TEST_F(RecordingTail, KeepsTheStreamsOfAPipeApart) {
  Reply reply = client_.Call(
      "term_run", {{"argv", {"sh", "-c", "echo out; echo err >&2"}}});
  ASSERT_TRUE(Good(reply));
  std::string log = folder_.Join("out");
  std::string command = ServerPath() + " tail run-1 2>/dev/null";
  EXPECT_EQ(RunCommand({"sh", "-c", command},
                       {"GLASSTTY_STATE_DIR=" + client_.state_dir()})
                .output,
            "out\n");
}

// This follows from the beginning to the end of the session, over all segments,
// while the server has it and removes the oldest.
TEST(RecordingFollowed, AcrossSegmentsUntilTheSessionEnds) {
  McpClient client({.extra_environment = {"GLASSTTY_LOG_MIB=8"}});
  TempDir folder;
  // This prints 11 MB: segments are 2 MiB with this cap.
  ASSERT_TRUE(
      Good(Open(&client, "much",
                {"sh", "-c", "echo begin; read x; seq 1 1500000; echo last"})));
  std::string log = folder.Join("lines");
  std::string command = "exec " + ServerPath() + " tail -f -n +1 much > " +
                        log + " 2>" + log + ".err";
  ASSERT_EQ(RunCommand({"sh", "-c", "(" + command + ") & echo started"},
                       {"GLASSTTY_STATE_DIR=" + client.state_dir(),
                        "TAIL_TEST=" + folder.path()})
                .status,
            0);
  ASSERT_TRUE(Eventually(Seconds(20), [&log] {
    return ReadWholeFile(log) == "begin\n";
  })) << ReadWholeFile(log);
  ASSERT_TRUE(Good(client.Call("term_send", {{"session", "much"},
                                             {"input", ""},
                                             {"enter", true},
                                             {"until", {{"state", "exited"}}},
                                             {"timeout_s", 45}})));
  ASSERT_TRUE(Eventually(Seconds(60), [&log] {
    std::string text = ReadWholeFile(log);
    return text.size() > 5 && text.substr(text.size() - 5) == "last\n";
  })) << ReadWholeFile(log + ".err");
  // Every line is whole, and in order; a note tells what the cap removed before
  // it was read.
  std::vector<std::string> lines = Lines(ReadWholeFile(log));
  long previous = 0, gaps = 0;
  for (const std::string& line : lines) {
    char* rest = nullptr;
    long number = std::strtol(line.c_str(), &rest, 10);
    if (*rest != '\0' || line.empty()) continue;
    gaps += number != previous + 1;
    previous = std::max(previous, number);
  }
  EXPECT_EQ(previous, 1'500'000);
  std::string told = ReadWholeFile(log + ".err");
  EXPECT_EQ(gaps > 0, told.find("no longer in the log") != std::string::npos)
      << gaps << " " << told;
  EXPECT_TRUE(Eventually(Seconds(20), [&folder] {
    return ProcessesWith("TAIL_TEST=" + folder.path()).empty();
  })) << "it goes on after the end";
}

}  // namespace
}  // namespace glasstty::testing
