// Tests how bytes become lines: any split, any line end, bounded memory.
#include "mcp/framing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace glasstty::mcp {
namespace {

using Step = LineSplitter::Step;

// Returns everything that `splitter` has now; a line that is too long is
// "<long>".
std::vector<std::string> TakeAll(LineSplitter* splitter) {
  std::vector<std::string> out;
  std::string line;
  while (true) {
    switch (splitter->Next(&line)) {
      case Step::kMore:
        return out;
      case Step::kLine:
        out.push_back(line);
        break;
      case Step::kTooLong:
        out.push_back("<long>");
        break;
    }
  }
}

void Append(std::vector<std::string>* all, std::vector<std::string> more) {
  all->insert(all->end(), more.begin(), more.end());
}

TEST(Framing, GivesTheSameLinesForEverySplit) {
  const std::string bytes =
      "\xEF\xBB\xBF{\"a\":1}\r\n\n  \n{\"b\":\"\xE2\x82\xAC\"}\n0123456789"
      "0123456789\n\xEF\xBB\xBFx\n\r\nlast";
  const std::vector<std::string> expected = {
      "{\"a\":1}", "{\"b\":\"\xE2\x82\xAC\"}", "<long>", "\xEF\xBB\xBFx"};
  for (size_t i = 0; i <= bytes.size(); ++i) {
    for (size_t j = i; j <= bytes.size(); ++j) {
      LineSplitter splitter(16);
      std::vector<std::string> lines;
      splitter.Add(bytes.substr(0, i));
      Append(&lines, TakeAll(&splitter));
      splitter.Add(bytes.substr(i, j - i));
      Append(&lines, TakeAll(&splitter));
      splitter.Add(bytes.substr(j));
      Append(&lines, TakeAll(&splitter));
      EXPECT_EQ(lines, expected) << i << " " << j;
      EXPECT_EQ(splitter.TakeRest(), "last");
    }
  }
}

// A byte order mark begins a stream, however long the first line is.
TEST(Framing, AByteOrderMarkBehindALineThatIsTooLongIsText) {
  LineSplitter splitter(4);
  splitter.Add("123456\n\xEF\xBB\xBFx\n");
  EXPECT_EQ(TakeAll(&splitter),
            (std::vector<std::string>{"<long>", "\xEF\xBB\xBFx"}));
}

// Clients write the members of a message in any order, and the id may be the
// last.
TEST(Framing, TheIdOfALineThatIsTooLongIsFoundWhereverItStands) {
  const std::string text(40, 'x');
  const struct {
    std::string line;
    std::string id;
  } kRows[] = {
      {R"({"id":"a\"b","method":"m","params":{"id":1,"t":")" + text + "\"}}",
       R"("a\"b")"},
      {R"({"method":"m","params":{"id":1,"t":")" + text + R"("},"id": 12 })",
       "12"},
      {R"({"params":["\"id\":3",{"method":"n"},")" + text +
           R"("],"id":4,"method":"m"})",
       "4"},
      {R"({"id":5,"result":")" + text + "\"}", ""},
      {R"({"method":"m","params":")" + text + "\"}", ""},
      {R"([{"id":6,"method":"m","params":")" + text + "\"}]", ""},
      {R"({"id":")" + std::string(3'000, 'i') + R"(","method":"m"})", ""},
      {text, ""},
  };
  for (const auto& row : kRows) {
    for (size_t piece : {1, 7, 10'000}) {
      LineSplitter splitter(32);
      std::string bytes = row.line + "\r\n{}\n";
      std::vector<std::string> ids;
      std::string line;
      bool is_next = false;
      for (size_t at = 0; at < bytes.size(); at += piece) {
        splitter.Add(std::string_view(bytes).substr(at, piece));
        for (Step step; (step = splitter.Next(&line)) != Step::kMore;) {
          if (step == Step::kTooLong) ids.push_back(line);
          if (step == Step::kLine) is_next = line == "{}";
        }
      }
      EXPECT_EQ(ids, std::vector<std::string>{row.id}) << row.line << piece;
      EXPECT_TRUE(is_next) << row.line << piece;
    }
  }
}

TEST(Framing, TakesAByteAtATime) {
  LineSplitter splitter;
  std::vector<std::string> lines;
  for (char c : std::string("one\ntwo\r\nthree\n")) {
    splitter.Add({&c, 1});
    Append(&lines, TakeAll(&splitter));
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(splitter.size(), 0u);
}

TEST(Framing, ALineAtTheLimitPassesAndOneByteMoreDoesNot) {
  for (bool at_once : {true, false}) {
    LineSplitter splitter(8);
    std::vector<std::string> lines;
    for (const char* part : {"12345678", "\n", "123456789", "\n", "x\n"}) {
      splitter.Add(part);
      if (!at_once) Append(&lines, TakeAll(&splitter));
    }
    Append(&lines, TakeAll(&splitter));
    EXPECT_EQ(lines, (std::vector<std::string>{"12345678", "<long>", "x"}));
  }
}

TEST(Framing, AnEndlessLineIsReportedAtTheLimitAndHoldsNoMemory) {
  LineSplitter splitter;
  const std::string chunk(64 << 10, 'a');
  size_t reports = 0, most = 0, first_report = 0;
  for (size_t fed = 0; fed < size_t{1} << 30; fed += chunk.size()) {
    splitter.Add(chunk);
    std::string line;
    if (splitter.Next(&line) == Step::kTooLong) {
      ++reports;
      first_report = fed;
    }
    most = std::max(most, splitter.size());
  }
  EXPECT_EQ(reports, 1u);
  EXPECT_LE(first_report, LineSplitter::kMaxLine + chunk.size());
  EXPECT_LE(most, LineSplitter::kMaxLine + chunk.size());
  splitter.Add("\nnext\n");
  EXPECT_EQ(TakeAll(&splitter), std::vector<std::string>{"next"});
}

// Returned lines are moved away now and then.
TEST(Framing, GivesEveryLineOfABigBuffer) {
  std::vector<std::string> expected;
  std::string bytes;
  for (int i = 0; i < 1000; ++i) {
    expected.push_back(std::to_string(i) + std::string(1000, 'x'));
    bytes += expected.back() + "\n";
  }
  LineSplitter splitter;
  splitter.Add(bytes);
  EXPECT_EQ(TakeAll(&splitter), expected);
  EXPECT_EQ(splitter.size(), 0u);
}

TEST(Framing, KeepsNulAndOtherBytesForTheParserToJudge) {
  LineSplitter splitter;
  splitter.Add({"a\0b\n", 4});
  EXPECT_EQ(TakeAll(&splitter),
            std::vector<std::string>{std::string("a\0b", 3)});
}

TEST(Framing, HalfATooLongLineLeavesNoRest) {
  LineSplitter splitter(4);
  splitter.Add("123456");
  EXPECT_EQ(TakeAll(&splitter), std::vector<std::string>{"<long>"});
  splitter.Add("789");
  EXPECT_EQ(splitter.TakeRest(), "");
}

}  // namespace
}  // namespace glasstty::mcp
