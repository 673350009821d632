// At a shell, the hints of replies are commands.
#include "cli/shell_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/tool_commands.h"
#include "support/status.h"
#include "wire/shared_server.h"

namespace glasstty {
namespace {

TEST(InShellWords, AToolIsACommandAndItsArgumentsAreFlags) {
  EXPECT_EQ(InShellWords("[it] busy | 3 lines: term_read session=it "
                         "mode=history lines=3; then term_wait"),
            "[it] busy | 3 lines: glasstty read --session it --mode history "
            "--lines 3; then glasstty wait --session it --state "
            "prompt,input,secret,exited");
}

TEST(InShellWords, OtherTextIsUnchanged) {
  for (const char* text : {"exit=0 rev=5", "term_unknown a=b",
                           "answer with it, x=y", "", "a  b\n"}) {
    EXPECT_EQ(InShellWords(text), text);
  }
}

TEST(InShellWords, AnArgumentEndsWithItsPunctuation) {
  EXPECT_EQ(InShellWords("(term_close session=a), rev=2"),
            "(glasstty close --session a), rev=2");
}

TEST(InShellWords, JsonBecomesFlags) {
  EXPECT_EQ(
      InShellWords("wait for its end with term_wait {\"until\": {\"state\": "
                   "\"prompt\"}}, or"),
      "wait for its end with glasstty wait --state prompt, or");
  EXPECT_EQ(
      InShellWords("term_open {\"name\": \"d\", \"argv\": [\"/bin/bash\", "
                   "\"--norc\"]}; or"),
      "glasstty open --name d --argv '[\"/bin/bash\",\"--norc\"]'; or");
  EXPECT_EQ(
      InShellWords("term_send input=[{\"secret_env\": ...}] answers \"x\""),
      "glasstty send --input '[{\"secret_env\":\"...\"}]' answers \"x\"");
}

TEST(InShellWords, ArgumentsWithoutAToolAreFlagsInNotesAlone) {
  EXPECT_EQ(InShellWords("[it] input mode=diff rev=3 | 3 left out: "
                         "max_lines=0 or truncate=tail; mode=snapshot"),
            "[it] input mode=diff rev=3 | 3 left out: --max-lines 0 or "
            "--truncate tail; --mode snapshot");
  EXPECT_EQ(InShellWords("[it] input mode=diff rev=3\n"),
            "[it] input mode=diff rev=3\n");
  EXPECT_EQ(InShellWords("run it elsewhere (session=..., fresh=true)"),
            "run it elsewhere (--session ..., --fresh)");
  EXPECT_EQ(InShellWords("call again with \"confirm\": true"),
            "call again with --confirm");
  EXPECT_EQ(InShellWords("a larger max_bytes, or term_write_file output=new"),
            "a larger --max-bytes, or glasstty call write_file --output new");
}

TEST(InShellWords, ACommandNamesTheSessionOfTheReply) {
  EXPECT_EQ(
      InShellWords("[it] busy | it keeps running; term_wait waits longer"),
      "[it] busy | it keeps running; glasstty wait --session it --state "
      "prompt,input,secret,exited waits longer");
  EXPECT_EQ(InShellWords("look at term_read", "it"),
            "look at glasstty read --session it");
  EXPECT_EQ(InShellWords("[a] input, 2 new lines\n[b] busy | term_read"),
            "[a] input, 2 new lines\n[b] busy | glasstty read --session b");
  EXPECT_EQ(InShellWords("[it] input | it waits for input: term_send"),
            "[it] input | it waits for input: glasstty send --session it "
            "--input ...");
  // These have a session without being told.
  EXPECT_EQ(InShellWords("[it] x | term_run, term_open or term_list"),
            "[it] x | glasstty run, glasstty open or glasstty list");
  EXPECT_EQ(InShellWords("[it] x | term_read session=other"),
            "[it] x | glasstty read --session other");
}

TEST(InShellWords, AnInterruptedCallSaysHowToGoOn) {
  EXPECT_EQ(InShellWords(std::string(wire::kDiedText)).find("term_"),
            std::string::npos);
  EXPECT_EQ(InShellWords(std::string(wire::kStoppedText)).find("term_"),
            std::string::npos);
}

TEST(RefusalInShellWords, NamesArgumentsAsFlags) {
  ToolTables tables;
  const mcp::Tool& wait = *tables.Find("wait");
  const WordRules& rules = FindToolCommand("wait")->rules;
  auto said = [&](const char* text) {
    return RefusalInShellWords(text, wait, rules, "");
  };
  EXPECT_EQ(said("term_wait: 'until.state' must be one of x, got \"y\""),
            "--state must be one of x, got \"y\"");
  EXPECT_EQ(said("term_wait: 'timeout_s' must be a number"),
            "--timeout must be a number");
  EXPECT_EQ(said("give {\"text\": \"ready\"} or {\"state\": \"prompt\"}"),
            "give --text ready or --state prompt");
  EXPECT_EQ(said("no session 'it', it's {gone}"),
            "no session 'it', it's {gone}");
}

TEST(ListInShellWords, LinesOfProgramsAreUnchanged) {
  EXPECT_EQ(ListInShellWords("no sessions; term_open starts one"),
            "no sessions; glasstty open starts one");
  EXPECT_EQ(ListInShellWords("12: term_open mode=raw\n  term_open\n"
                             "[3 matches left out: from_line=7 to_line=9]\n"),
            "12: term_open mode=raw\n  term_open\n"
            "[3 matches left out: --from-line 7 --to-line 9]\n");
}

// Splits a command as a shell does that knows only single quotes.
std::vector<std::string> WordsOf(const std::string& command) {
  std::vector<std::string> words(1);
  bool is_quoted = false;
  for (char c : command) {
    if (c == '\'') {
      is_quoted = !is_quoted;
    } else if (c == ' ' && !is_quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// Each hint of the server is a command with valid arguments.
TEST(InShellWords, EveryHintCanBeRun) {
  const char* const kHints[] = {
      "term_read session=it mode=history from_line=3 lines=20",
      "term_read session=it mode=history stream=err from_line=3 lines=20",
      "term_read mode=raw since=512",
      "term_read mode=snapshot",
      "term_read",
      "term_search",
      "term_list",
      "term_wait",
      "term_wait {\"until\": {\"state\": \"prompt\"}}",
      "term_wait {\"until\": {\"person\": \"gone\"}}",
      "term_run {\"on\": \"ssh:db\"}",
      "term_run {\"on\": \"docker:web\"}",
      "term_open {\"name\": \"d\", \"argv\": [\"/bin/bash\", \"--norc\"]}",
      "term_send session=@db",
      "term_send input=[{\"secret_env\": ...}]",
      "term_send input=[{\"secret_file\": ...}]",
      "term_close survivors=kill",
      "term_write_file output=new",
  };
  ToolTables tables;
  for (const char* hint : kHints) {
    std::vector<std::string> words = WordsOf(InShellWords(hint));
    ASSERT_GE(words.size(), 2u) << hint;
    EXPECT_EQ(words[0], "glasstty");
    bool is_call = words[1] == "call";
    const mcp::Tool* tool = tables.Find(words[is_call ? 2 : 1]);
    ASSERT_NE(tool, nullptr) << hint;
    const ToolCommand* row = FindToolCommand(words[1]);
    words.erase(words.begin(), words.begin() + (is_call ? 3 : 2));
    auto read = ReadArguments(*tool, row == nullptr ? WordRules() : row->rules,
                              {}, words);
    EXPECT_TRUE(read.ok()) << hint << ": " << Message(read.status());
  }
}

}  // namespace
}  // namespace glasstty
