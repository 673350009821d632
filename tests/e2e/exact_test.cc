// Tests that a reply and a file get exactly what a command printed: text files
// come back byte for byte. docs/exact.md lists the exceptions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "e2e/steps.h"
#include "support/text.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

// Replies hold 48,000 characters, and half of that of one line.
constexpr size_t kMostBytes = 40'000;
constexpr size_t kMostLineBytes = 20'000;

// Returns how many files of the machine to try; more with GLASSTTY_EXACT_FILES.
size_t FilesToTry() {
  const char* count = std::getenv("GLASSTTY_EXACT_FILES");
  return static_cast<size_t>(count == nullptr ? Rounds(12, 24)
                                              : std::atoi(count));
}

// Returns true for text that means nothing else to terminals: no controls but
// tabs and line ends, nothing invisible.
bool IsPlainText(const std::string& text) {
  if (text.empty() || text.size() > kMostBytes || !IsValidUtf8(text)) {
    return false;
  }
  size_t line = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    line = c == '\n' ? 0 : line + 1;
    if (line > kMostLineBytes || c == 0x7F) return false;
    if (c < ' ' && c != '\n' && c != '\t' && c != '\r') return false;
    if (c == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) {
      return false;
    }
  }
  // Replies show zero-width and bidirectional characters as <U+200B>.
  for (const char* hidden :
       {"\u200B", "\u200C", "\u200D", "\u200E", "\u200F", "\u2060", "\uFEFF",
        "\u00AD", "\u202A", "\u202C", "\u202D", "\u202E", "\uFE0F"}) {
    if (text.find(hidden) != std::string::npos) return false;
  }
  return true;
}

// Returns files that every Debian machine has, spread over their kinds.
std::vector<std::string> FilesOfThisMachine(size_t count) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (const char* root :
       {"/etc", "/usr/share/common-licenses", "/usr/share/perl",
        "/usr/share/perl5", "/usr/include", "/usr/lib/python3",
        "/usr/share/bash-completion", "/usr/share/misc", "/usr/share/doc",
        "/usr/lib/git-core", "/usr/share/unicode",
        "/usr/lib/x86_64-linux-gnu/perl-base", "/usr/share/autoconf",
        "/usr/share/zsh"}) {
    std::error_code error;
    auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(root, options, error), end;
         it != end; it.increment(error)) {
      if (error) break;
      bool fits = it->is_regular_file(error) && !it->is_symlink(error) &&
                  it->file_size(error) <= kMostBytes;
      if (fits) paths.push_back(it->path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::mt19937 random(18);
  std::shuffle(paths.begin(), paths.end(), random);
  std::vector<std::string> chosen;
  for (const std::string& path : paths) {
    if (chosen.size() == count) break;
    if (IsPlainText(ReadWholeFile(path))) chosen.push_back(path);
  }
  return chosen;
}

// Returns text whose blanks, tabs and wide characters meet the edges of a
// terminal.
std::string RandomText(uint32_t seed) {
  std::mt19937 random(seed);
  static const char* const kPieces[] = {"a",
                                        "word",
                                        " ",
                                        "  ",
                                        "\t",
                                        "\t\t",
                                        "é",
                                        "漢",
                                        "漢字",
                                        "e\u0301",
                                        "0123456789",
                                        "                    ",
                                        "-----------------------------"};
  static const char* const kEnds[] = {"\n", "\n", "\r\n", " \n", "\t\n"};
  std::string text;
  for (uint32_t line = 0; line < 40; ++line) {
    uint32_t pieces = random() % 60;
    for (uint32_t i = 0; i < pieces; ++i) {
      text += kPieces[random() % std::size(kPieces)];
    }
    text += kEnds[random() % (seed % 2 == 0 ? 2 : std::size(kEnds))];
  }
  if (seed % 3 != 0) return text;
  text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

std::vector<std::string> GeneratedTexts() {
  std::vector<std::string> texts = {
      "",
      "\n",
      "\n\nx\n\n",
      "no newline at the end",
      "all: a.o\n\tcc -o all a.o\n\n\t@echo \\\t done \n",
      "a\tb\tc\n1\t\t3\n\t\t\n",
      "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-\told \n+\tnew\n \n",
      "dos\r\n\r\nends \r\nand\ttabs\t\r\n",
      std::string(120, 'x') + "\n" + std::string(119, 'x') + "\ty\n" +
          std::string(120, 'x') + "\ty\n" + std::string(118, 'x') + "漢\tz\n",
      std::string(119, ' ') + "\n" + std::string(250, ' ') + "x\n",
      std::string(40, '\t') + "x\n" + std::string(40, '\t') + "\n",
  };
  const auto seeds = static_cast<uint32_t>(Rounds(4, 60));
  for (uint32_t seed = 0; seed < seeds; ++seed)
    texts.push_back(RandomText(seed));
  return texts;
}

// Removes the newline that ends a text, as replies do.
std::string Shown(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

class Exact : public ::testing::Test {
 protected:
  // Shows the differing lines and fails if there are any.
  static void ExpectText(const std::string& path, const char* way,
                         const std::string& got, const std::string& want) {
    if (got == want) return;
    size_t at = 0;
    while (at < got.size() && at < want.size() && got[at] == want[at]) ++at;
    size_t begin = at < 40 ? 0 : at - 40;
    ADD_FAILURE() << way << " of " << path << " differs at byte " << at
                  << " of " << want.size() << ":\n  got  "
                  << ::testing::PrintToString(got.substr(begin, 100))
                  << "\n  want "
                  << ::testing::PrintToString(want.substr(begin, 100));
  }

  void Try(const std::string& path) {
    const std::string text = ReadWholeFile(path);
    const std::string command = "cat '" + path + "'";
    const Json whole = {{"truncate", "none"}};
    Json run = whole;
    run["command"] = command;
    Reply reply = client_.Call("term_run", run);
    ExpectText(path, "term_run", reply.body, Shown(text));
    Json read = whole;
    read.update({{"session", "main"}, {"mode", "command"}});
    reply = client_.Call("term_read", read);
    ExpectText(path, "mode=command", reply.body, Shown(text));
    run["fresh"] = true;
    TryFile(path, text, "fresh", run);
    run = whole;
    run["argv"] = {"cat", path};
    TryFile(path, text, "argv", run);
  }

  // Opens a separate session, whose whole output is the file.
  void TryFile(const std::string& path, const std::string& text,
               const char* way, const Json& run) {
    Reply reply = client_.Call("term_run", run);
    ExpectText(path, way, reply.body, Shown(text));
    std::string session = reply.header.substr(
        1, std::min(reply.header.find(']'), reply.header.size()) - 1);
    std::string copy = folder_.Join("copy");
    client_.Call("term_write_file",
                 {{"session", session}, {"path", copy}, {"output", "all"}});
    ExpectText(path, (std::string(way) + ", written,").c_str(),
               ReadWholeFile(copy), text);
    client_.Call("term_close", {{"session", session}});
  }

  McpClient client_;
  TempDir folder_;
};

TEST_F(Exact, FilesOfThisMachineComeBackByteForByte) {
  std::vector<std::string> paths = FilesOfThisMachine(FilesToTry());
  ASSERT_GE(paths.size(), FilesToTry());
  for (const std::string& path : paths) Try(path);
}

TEST_F(Exact, WithoutATerminalNothingIsObeyedButProgressBars) {
  const std::string printed =
      "\033[31mred\033[0m\a \f\n\xff\n10%\r\033[K20%\nend";
  const std::string path = folder_.Write("bytes", printed);
  Reply reply = client_.Call("term_run", {{"argv", {"cat", path}}});
  EXPECT_EQ(reply.body, "\\e[31mred\\e[0m\\a \\x0c\n\\xff\n20%\nend");
  Reply found =
      client_.Call("term_search", {{"session", "run-1"}, {"regex", "red"}});
  EXPECT_EQ(found.body, "1: \\e[31mred\\e[0m\\a \\x0c");
  std::string copy = folder_.Join("copy");
  client_.Call("term_write_file",
               {{"session", "run-1"}, {"path", copy}, {"output", "all"}});
  EXPECT_EQ(ReadWholeFile(copy), "\033[31mred\033[0m\a \f\n\\xff\n20%\nend");
  client_.Call(
      "term_write_file",
      {{"session", "run-1"}, {"path", copy}, {"output", "all"}, {"raw", true}});
  EXPECT_EQ(ReadWholeFile(copy), printed);
}

TEST_F(Exact, TextsThatMeetTheEdgesComeBackByteForByte) {
  std::string path = folder_.Join("text");
  for (const std::string& text : GeneratedTexts()) {
    folder_.Write("text", text);
    Try(path);
  }
}

}  // namespace
}  // namespace glasstty::testing
