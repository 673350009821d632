// Tests that a large text typed in one call arrives whole, whatever reads it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>

#include "e2e/steps.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

// Returns the bytes of a text: a megabyte in a long run. Programs that read a
// byte at a time take seconds for that.
size_t TextSize() { return Rounds(1 << 17, 1 << 20); }

// Returns numbered lines of random length, so that a lost, doubled or moved
// piece shows, and nothing that is special in a Python string or on a command
// line.
std::string Text(size_t longest_line) {
  std::mt19937 random(7);
  std::string text;
  for (int line = 1; text.size() < TextSize(); ++line) {
    text += std::to_string(line) + " ";
    size_t length = random() % longest_line;
    for (size_t i = 0; i < length; ++i) text += "abcdefghij"[random() % 10];
    text += "\n";
  }
  return text;
}

// Shows where the two begin to differ, so that the message is readable.
::testing::AssertionResult Same(const std::string& got,
                                const std::string& expected) {
  if (got == expected) return ::testing::AssertionSuccess();
  auto [a, b] =
      std::mismatch(got.begin(), got.end(), expected.begin(), expected.end());
  size_t at = a - got.begin();
  return ::testing::AssertionFailure()
         << got.size() << " of " << expected.size() << " bytes, different at "
         << at << ": '" << got.substr(at, 60) << "' for '"
         << expected.substr(at, 60) << "'";
}

class Paste : public ::testing::Test {
 protected:
  // Sends it in one call, and shows the time: most of it is the program's,
  // which may read a byte at a time (python, bash) or wrap and draw as it goes
  // (vim).
  void Send(const Json& step) {
    auto start = std::chrono::steady_clock::now();
    Json arguments = {{"session", "it"}, {"input", Json::array({step})}};
    Reply reply = client_.Call("term_send", arguments, Seconds(300));
    Seconds taken = std::chrono::steady_clock::now() - start;
    std::printf("%.2f s\n", taken.count());
    ASSERT_TRUE(Good(reply));
    EXPECT_EQ(reply.header.find("typed "), std::string::npos) << reply.header;
  }

  void Start(const std::vector<std::string>& argv, const std::string& shown) {
    ASSERT_TRUE(Good(Open(&client_, "it", argv, {{"cwd", folder_.path()}})));
    ASSERT_TRUE(SeesOnScreen(&client_, "it", shown));
  }

  ::testing::AssertionResult FileBecomes(const std::string& expected) {
    std::string path = folder_.Join("file");
    Eventually(Seconds(60),
               [&] { return ReadWholeFile(path).size() >= expected.size(); });
    return Same(ReadWholeFile(path), expected);
  }

  TempDir folder_;
  McpClient client_;
};

TEST_F(Paste, ArrivesInLineMode) {
  std::string text = Text(4000);
  Start({"sh", "-c", "echo up; exec cat > file"}, "up");
  Send({{"paste", text}});
  EXPECT_TRUE(FileBecomes(text));
}

TEST_F(Paste, ArrivesInRawMode) {
  std::string text = Text(20'000);
  Start({"sh", "-c", "stty raw -echo; echo up; exec cat > file"}, "up");
  Send({{"paste", text}});
  std::replace(text.begin(), text.end(), '\n', '\r');
  EXPECT_TRUE(FileBecomes(text));
}

// The echo is as large.
TEST_F(Paste, ArrivesInRawModeWithEcho) {
  std::string text = Text(20'000);
  Start({"sh", "-c", "stty raw -echo; echo up; exec tee file"}, "up");
  Send({{"text", text}});
  std::replace(text.begin(), text.end(), '\n', '\r');
  EXPECT_TRUE(FileBecomes(text));
}

TEST_F(Paste, ArrivesInVim) {
  std::string text = Text(200);
  Start({"vim", "--clean", "-n", "file"}, "[New]");
  Keys(&client_, "it", "i");
  ASSERT_TRUE(SeesOnScreen(&client_, "it", "INSERT"));
  Send({{"paste", text}});
  Keys(&client_, "it", "<Esc>:wq<Enter>");
  // vim's own, empty line was after the last newline.
  EXPECT_TRUE(FileBecomes(text + "\n"));
}

TEST_F(Paste, ArrivesAtPythonsPrompt) {
  std::string text = Text(Rounds(50, 200));
  Start({"/usr/bin/python3", "-q"}, ">>>");
  Send({{"text", "text = '''" + text + "'''\n"}});
  Keys(&client_, "it",
       "_ = open('file', 'w').write(text); print('writ' + 'ten')<Enter>");
  ASSERT_TRUE(SeesOnScreen(&client_, "it", "written"));
  EXPECT_TRUE(FileBecomes(text));
}

TEST_F(Paste, ArrivesAtBashsPrompt) {
  std::string text = Text(200);
  Start({"bash", "--norc", "-i"}, "bash-");
  Send({{"paste", "printf %s '" + text + "' > file"}});
  Keys(&client_, "it", "<Enter>");
  EXPECT_TRUE(FileBecomes(text));
}

}  // namespace
}  // namespace glasstty::testing
