// Types, waits and looks in any order, against a program that reads slowly.
//
// Two promises are tested: a session never counts as waiting for input while
// anything typed is unread; and typed text arrives once, complete and in order.
// The program says how much it has read, so both can be seen from outside.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

// In each of the four sessions.
int RoundsOfEach() { return Rounds(25, 250); }

struct Session {
  const char* mode;
  unsigned seed;
};

void PrintTo(const Session& session, std::ostream* out) {
  *out << session.mode << ", seed " << session.seed;
}

// The texts that one term_send types in this order.
using Texts = std::vector<std::string>;

class Interleaving : public ::testing::TestWithParam<Session> {
 protected:
  int Random(int end) { return static_cast<int>(random_() % end); }
  bool Often() { return Random(3) > 0; }

  void Start() {
    const Session& session = GetParam();
    random_.seed(session.seed);
    ASSERT_TRUE(Good(Open(&client_, "it",
                          {BuildPath("tests/e2e/slow_reader"), session.mode,
                           std::to_string(session.seed), file_},
                          {{"until", {{"text", "read 0"}}}})));
  }

  // Returns "17.2:xxxx;". No two are alike, so a lost, doubled or moved one
  // shows.
  std::string NewText(int call, int step) {
    return std::to_string(call) + "." + std::to_string(step) + ":" +
           std::string(Random(Often() ? 8 : 200), 'x') +
           (Often() ? ";\n" : ";");
  }

  Texts NewTexts() {
    Texts texts;
    int count = Often() ? 1 : 2 + Random(4);
    for (int i = 0; i < count; ++i) texts.push_back(NewText(calls_, i));
    ++calls_;
    return texts;
  }

  Json SendArguments(const Texts& texts) {
    Json input = Json::array();
    for (const std::string& text : texts) input.push_back({{"text", text}});
    const double kLimits[] = {0, 0.01, 5};
    return {{"session", "it"},
            {"input", input},
            {"timeout_s", kLimits[Random(3)]},
            {"mode", "snapshot"}};
  }

  void Send() {
    Texts texts = NewTexts();
    Json arguments = SendArguments(texts);
    sent_.push_back(texts);
    Check(client_.Call("term_send", arguments), Typed(sent_));
  }

  // Sends two at once: their texts may mix, each in its own order. All are
  // lines, because nobody knows which of them would end an unfinished line.
  void SendTwo() {
    Texts texts[2];
    int ids[2];
    size_t before = Typed(sent_);
    for (int i = 0; i < 2; ++i) {
      texts[i] = NewTexts();
      for (std::string& text : texts[i]) {
        if (text.back() != '\n') text += '\n';
      }
      ids[i] = client_.SendCall("term_send", SendArguments(texts[i]));
    }
    for (int i = 0; i < 2; ++i) {
      Reply reply = client_.Await(ids[i]);
      // The one that came second waits for the other, but not for ever.
      if (reply.text.find("so nothing was typed") != std::string::npos)
        continue;
      Check(reply, before);
      sent_.push_back(texts[i]);
    }
  }

  void Wait() {
    Json arguments = {{"session", "it"},
                      {"until", {{"state", {"input"}}}},
                      {"timeout_s", Random(3) * 0.01}};
    client_.Call("term_wait", arguments);
  }

  void Look() {
    Json arguments = {{"session", "it"}, {"mode", "snapshot"}, {"peek", true}};
    Check(client_.Call("term_read", arguments), Typed(sent_));
  }

  // Returns what the program can have read of them: only whole lines in line
  // mode.
  size_t Typed(const std::vector<Texts>& calls) {
    std::string all;
    for (const Texts& texts : calls) {
      for (const std::string& text : texts) all += text;
    }
    bool cooked = std::string(GetParam().mode) == "cooked";
    return cooked ? all.rfind('\n') + 1 : all.size();
  }

  // If a reply says that the program waits, it shows that everything has been
  // read.
  void Check(const Reply& reply, size_t typed) {
    ASSERT_TRUE(Good(reply));
    bool waits = reply.header.find("] input") != std::string::npos;
    waits_seen_ += waits;
    size_t read = 0;
    ASSERT_EQ(std::sscanf(reply.body.c_str(), "read %zu", &read), 1)
        << reply.text;
    if (waits) {
      ASSERT_GE(read, typed) << reply.text;
    }
  }

  // Checks that every text of every call arrived completely, and those of one
  // call in their order.
  void CheckWhatArrived() {
    std::string all = ReadWholeFile(file_);
    size_t expected = 0;
    for (const Texts& texts : sent_) {
      size_t from = 0;
      for (std::string text : texts) {
        expected += text.size();
        bool raw = std::string(GetParam().mode) == "raw";
        if (raw && text.back() == '\n') text.back() = '\r';
        size_t at = all.find(text, from);
        ASSERT_NE(at, std::string::npos) << "lost or moved: " << text;
        from = at + text.size();
      }
    }
    EXPECT_EQ(all.size(), expected) << "something came twice";
  }

  TempDir folder_;
  std::string file_ = folder_.Join("read");
  McpClient client_;
  std::mt19937 random_;
  std::vector<Texts> sent_;  // calls that have been answered
  int calls_ = 0;
  int waits_seen_ = 0;
};

TEST_P(Interleaving, NeverWaitsUnreadAndLosesNothing) {
  ASSERT_NO_FATAL_FAILURE(Start());
  const int rounds = RoundsOfEach();
  for (int round = 0; round < rounds && !HasFatalFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    switch (Random(6)) {
      case 0:
      case 1:
      case 2:
        Send();
        break;
      case 3:
        SendTwo();
        break;
      case 4:
        Wait();
        break;
      case 5:
        Look();
        break;
    }
  }
  if (HasFatalFailure()) return;
  // This ends an unfinished line.
  sent_.push_back({"\n"});
  ASSERT_TRUE(
      Good(client_.Call("term_send", {{"session", "it"}, {"input", "\n"}})));
  size_t typed = Typed(sent_);
  EXPECT_TRUE(Eventually(Seconds(20),
                         [&] { return ReadWholeFile(file_).size() >= typed; }))
      << "of " << typed << " bytes arrived " << ReadWholeFile(file_).size();
  CheckWhatArrived();
  // Otherwise nothing was proved.
  EXPECT_GT(waits_seen_, rounds / 10);
}

INSTANTIATE_TEST_SUITE_P(All, Interleaving,
                         ::testing::Values(Session{"raw", 1}, Session{"raw", 2},
                                           Session{"cooked", 3},
                                           Session{"cooked", 4}));

}  // namespace
}  // namespace glasstty::testing
