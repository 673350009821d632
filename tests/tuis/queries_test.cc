// Tests what the agents' programs ask the terminal at their start, and that
// each query is answered as it should be. docs/agents-inside.md shows the
// tables below; GLASSTTY_UPDATE=1 writes them there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "re2/re2.h"
#include "terminal/terminal.h"
#include "testing/source_tree.h"
#include "tuis/programs.h"

namespace glasstty::testing {
namespace {

// A query and its answer, in a notation without the ends of strings, in which
// "#" stands for a number of any base.
struct Query {
  std::string_view asked;
  std::string_view about;
  std::string_view answered;  // "": it is not answered
  std::string_view why_not = {};
};
constexpr Query kQueries[] = {
    {"CSI c", "DA1: what the terminal is", "CSI ?62;6;22c"},
    {"CSI >q", "XTVERSION: its name", "DCS >|glasstty"},
    {"CSI >0q", "the same", "DCS >|glasstty"},
    {"CSI ?u", "keyboard protocol of kitty: the flags now", "CSI ?#u"},
    {"CSI >4;?m", "modifyOtherKeys", "",
     "XTQMODKEYS is `CSI ?4m`; no terminal knows this form"},
    {"OSC 7501;?", "program status", "OSC 7501;?"},
    {"CSI 6n", "position of the cursor", "CSI #;#R"},
    {"CSI 14t", "size of the text in pixels", "CSI 4;480;800t"},
    {"CSI 16t", "size of a cell in pixels", "CSI 6;16;8t"},
    {"CSI ?12$p", "mode 12, a blinking cursor", "CSI ?12;2$y"},
    {"CSI ?1004$p", "mode 1004, reports of focus", "CSI ?1004;2$y"},
    {"CSI ?1007$p", "mode 1007, the wheel as arrow keys", "CSI ?1007;0$y"},
    {"CSI ?1016$p", "mode 1016, the mouse in pixels", "CSI ?1016;0$y"},
    {"CSI ?2004$p", "mode 2004, bracketed paste", "CSI ?2004;2$y"},
    {"CSI ?2026$p", "mode 2026, synchronized output", "CSI ?2026;2$y"},
    {"CSI ?2027$p", "mode 2027, widths of clusters", "CSI ?2027;2$y"},
    {"CSI ?2031$p", "mode 2031, reports of dark and light", "CSI ?2031;0$y"},
    {"CSI ?996n", "dark or light", "CSI ?997;1n"},
    {"OSC 10;?", "colour of text", "OSC 10;rgb:e5e5/e5e5/e5e5"},
    {"OSC 11;?", "colour of the background", "OSC 11;rgb:0000/0000/0000"},
    {"OSC 12;?", "colour of the cursor", "OSC 12;rgb:e5e5/e5e5/e5e5"},
    {"OSC 4;#;?", "colours 0 to 15", "OSC 4;#;rgb:#/#/#"},
    {"OSC 13;?", "colour of the pointer", "", "there is none"},
    {"OSC 14;?", "colour behind the pointer", "", "there is none"},
    {"OSC 15;?", "colour of text in Tektronix mode", "", "there is none"},
    {"OSC 16;?", "colour behind it", "", "there is none"},
    {"OSC 17;?", "colour behind a selection", "", "there is none"},
    {"OSC 19;?", "colour of text in a selection", "", "there is none"},
    {"DCS +q4d73", "XTGETTCAP Ms: setting the clipboard", "DCS 0+r"},
    {"APC Gi=#,s=1,v=1,a=q,t=d,f=24;AAAA", "pictures of kitty", "",
     "they are not shown, and the answer to DA1 comes without this one"},
    {"OSC 99;i=opentui-notifications:p=?;", "desktop notifications", "",
     "nobody would see them"},
    {"OSC 1337;Capabilities", "features of iTerm2", "",
     "other queries ask for those that there are"},
    {"OSC 66;w=1; ", "text with a given width", "",
     "the cursor, asked for behind it, has not moved"},
    {"OSC 66;s=2; ", "text of double size", "", "as before"},
};

// Lists what a program asks until it shows its composer, in that order.
struct Asker {
  std::string program;
  std::string_view title;
  std::vector<std::string_view> asks;
};
void PrintTo(const Asker& asker, std::ostream* out) { *out << asker.title; }
const std::vector<Asker>& Askers() {
  static const auto* askers = new std::vector<Asker>{
      {"ClaudeCode",
       "Claude Code",
       {"CSI >0q", "CSI ?u", "OSC 7501;?", "CSI c", "CSI ?2026$p",
        "APC Gi=#,s=1,v=1,a=q,t=d,f=24;AAAA", "CSI 16t", "CSI ?1016$p"}},
      {"Codex", "Codex", {"CSI ?u", "CSI c", "CSI 6n", "OSC 10;?", "OSC 11;?"}},
      {"GeminiCli",
       "Gemini CLI",
       {"CSI ?u", "OSC 11;?", "CSI >q", "CSI >4;?m", "CSI c"}},
      {"opencode",
       "opencode",
       {"OSC 10;?",
        "OSC 11;?",
        "CSI >0q",
        "CSI 6n",
        "DCS +q4d73",
        "CSI ?1016$p",
        "CSI ?2027$p",
        "CSI ?2031$p",
        "CSI ?1004$p",
        "CSI ?2004$p",
        "CSI ?2026$p",
        "CSI ?u",
        "OSC 99;i=opentui-notifications:p=?;",
        "OSC 1337;Capabilities",
        "OSC 66;w=1; ",
        "OSC 66;s=2; ",
        "CSI 14t",
        "OSC 4;#;?",
        "APC Gi=#,s=1,v=1,a=q,t=d,f=24;AAAA",
        "CSI c",
        "OSC 12;?",
        "OSC 13;?",
        "OSC 14;?",
        "OSC 15;?",
        "OSC 16;?",
        "OSC 17;?",
        "OSC 19;?"}},
      {"CopilotCli",
       "Copilot CLI",
       {"CSI ?u", "CSI ?2026$p", "CSI ?12$p", "CSI ?1007$p", "CSI >q",
        "OSC 10;?", "OSC 11;?", "OSC 4;#;?", "CSI ?996n"}},
      {"pi",
       "pi",
       {"CSI ?u", "OSC 7501;?", "CSI c", "OSC 10;?", "OSC 11;?", "OSC 4;#;?"}},
      {"QwenCode", "Qwen Code", {"CSI ?u", "CSI c", "OSC 11;?"}},
  };
  return *askers;
}

bool Matches(const std::string& text, std::string_view pattern) {
  std::string expression = absl::StrReplaceAll(
      RE2::QuoteMeta({pattern.data(), pattern.size()}), {{"\\#", "[0-9a-f]+"}});
  return RE2::FullMatch(text, expression);
}

const Query* Find(const std::string& text) {
  for (const Query& query : kQueries) {
    if (Matches(text, query.asked)) return &query;
  }
  return nullptr;
}

std::string Notation(const std::string& sequence) {
  return absl::StrReplaceAll(sequence, {{"\x1b[", "CSI "},
                                        {"\x1b]", "OSC "},
                                        {"\x1bP", "DCS "},
                                        {"\x1b_", "APC "},
                                        {"\x1b\\", ""},
                                        {"\a", ""}});
}

// Returns true if it has the form of a query, so that one which is neither
// answered nor in the table is noticed.
bool LooksLikeAQuery(const std::string& text) {
  static const RE2* form = new RE2(
      R"(CSI (.*[cn]|.*\$p|>.*q|\?u|1[1-9]t|2[01]t|[>?].*\?.*m|\?\d+[mf]))"
      R"(|(OSC|DCS|APC) .*[;=]\?.*|DCS [+$]q.*|APC .*a=q.*)");
  return RE2::FullMatch(text, *form);
}

struct Exchange {
  std::string asked;
  std::string answered;
};

// Returns the queries in the output of a program, with the terminal's answers.
std::vector<Exchange> Exchanges(const std::string& output) {
  auto terminal =
      terminal::Terminal::Create({.size = {.rows = 30, .cols = 100}});
  EXPECT_TRUE(terminal.ok());
  static const RE2* next = new RE2(
      R"((?s)(.*?)(\x1b\[[0-?]*[ -/]*[@-~]|\x1b[]P_].*?(?:\x07|\x1b\\)))");
  std::vector<Exchange> exchanges;
  re2::StringPiece rest = output;
  std::string before, sequence;
  while (RE2::Consume(&rest, *next, &before, &sequence)) {
    (*terminal)->Feed(before);
    (*terminal)->TakeReplies();
    (*terminal)->Feed(sequence);
    std::string answer = Notation((*terminal)->TakeReplies());
    std::string asked = Notation(sequence);
    if (answer.empty() && Find(asked) == nullptr && !LooksLikeAQuery(asked)) {
      continue;
    }
    exchanges.push_back({asked, answer});
  }
  return exchanges;
}

std::set<std::string> Asked(const std::vector<Exchange>& exchanges) {
  std::set<std::string> asked;
  for (const Exchange& exchange : exchanges) {
    if (const Query* query = Find(exchange.asked)) asked.emplace(query->asked);
  }
  return asked;
}

class Queries : public ::testing::TestWithParam<Asker> {};

TEST_P(Queries, AreThoseOfTheTableAndAnsweredAsItSays) {
  const Asker& asker = GetParam();
  const Program& program = AgentProgram(asker.program);
  SKIP_IF_MISSING(program);
  AtWork agent(program);
  ASSERT_TRUE(agent.IsReady());
  std::set<std::string> expected(asker.asks.begin(), asker.asks.end());
  std::vector<Exchange> exchanges;
  // Some are asked only once others are answered.
  Eventually(Seconds(20), [&] {
    exchanges = Exchanges(agent.Output());
    return Asked(exchanges) == expected;
  });
  EXPECT_EQ(absl::StrJoin(Asked(exchanges), "\n"),
            absl::StrJoin(expected, "\n"));
  for (const Exchange& exchange : exchanges) {
    const Query* query = Find(exchange.asked);
    if (query == nullptr) {
      ADD_FAILURE() << "a query that is not in the table: " << exchange.asked
                    << ", answered: " << exchange.answered;
      continue;
    }
    EXPECT_TRUE(Matches(exchange.answered, query->answered))
        << exchange.asked << ": " << exchange.answered;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Queries, ::testing::ValuesIn(Askers()),
                         [](const ::testing::TestParamInfo<Asker>& row) {
                           return row.param.program;
                         });

std::string Code(std::string_view text) {
  return "`" + absl::StrReplaceAll(std::string(text), {{"|", "\\|"}}) + "`";
}

std::string Table() {
  std::string table =
      "| query | about | asked by | answer |\n|---|---|---|---|\n";
  for (const Query& query : kQueries) {
    std::vector<std::string> titles;
    for (const Asker& asker : Askers()) {
      auto found = std::find(asker.asks.begin(), asker.asks.end(), query.asked);
      if (found != asker.asks.end()) titles.emplace_back(asker.title);
    }
    table += "| " + Code(query.asked) + " | " + std::string(query.about) +
             " | " +
             (titles.size() == Askers().size() ? "all"
                                               : absl::StrJoin(titles, ", ")) +
             " | " +
             (query.answered.empty() ? "none: " + std::string(query.why_not)
                                     : Code(query.answered)) +
             " |\n";
  }
  return table;
}

TEST(QueriesDocument, ShowsTheTables) {
  const std::string begin = "<!-- table: queries -->\n\n";
  const std::string end = "\n<!-- end -->";
  const std::string path = SourcePath("docs/agents-inside.md");
  std::string page = ReadWholeFile(path);
  size_t first = page.find(begin);
  ASSERT_NE(first, std::string::npos);
  first += begin.size();
  size_t last = page.find(end, first);
  ASSERT_NE(last, std::string::npos);
  if (std::getenv("GLASSTTY_UPDATE") != nullptr) {
    page.replace(first, last - first, Table());
    std::ofstream(path) << page;
    return;
  }
  EXPECT_EQ(page.substr(first, last - first), Table())
      << "GLASSTTY_UPDATE=1 makes this test write the table anew";
}

TEST(QueriesDocument, NamesEachProgramOfTheTests) {
  std::set<std::string> asking, tested;
  for (const Asker& asker : Askers()) asking.insert(asker.program);
  for (const Program& program : AgentPrograms()) tested.insert(program.name);
  EXPECT_EQ(asking, tested);
}

}  // namespace
}  // namespace glasstty::testing
