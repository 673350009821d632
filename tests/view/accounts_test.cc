// Tests that a reader learns of every line that was printed: each is shown, or
// counted as left out. The output and the moments of the reads are random, from
// fixed seeds.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "support/text.h"
#include "testing/fake_holder.h"
#include "testing/rounds.h"
#include "view/reader.h"

namespace glasstty::view {
namespace {

// Returns N of "[... N lines left out]" and "(the same line N more times)".
std::optional<size_t> LinesInPlaceOf(const std::string& line) {
  static const std::regex* notes = new std::regex(
      R"(\[\.\.\. (\d+) lines? left out\]|\(the same .*line (\d+) more times\))");
  std::smatch match;
  if (!std::regex_match(line, match, *notes)) return {};
  return std::stoul(match[1].matched ? match[1] : match[2]);
}

class Accounts : public testing::TestWithParam<int> {
 protected:
  size_t Random(size_t below) { return random_() % below; }
  bool OneIn(size_t n) { return Random(n) == 0; }

  // Returns a text that was not printed before, of at most so many characters.
  std::string NewText(size_t most) {
    std::string text = absl::StrFormat("L%06d", ++texts_);
    return text + std::string(Random(most - text.size() + 1), '.');
  }
  size_t Many() {
    constexpr size_t kMost[] = {1, 1, 1, 3, 3, 30, 30, 300};
    size_t most = OneIn(40) ? 3000 : kMost[Random(std::size(kMost))];
    return Random(most) + 1;
  }
  Limits SomeLimits() {
    constexpr int kLines[] = {0, 1, 2, 7, 100, 100};
    constexpr Truncate kKinds[] = {Truncate::kBoth, Truncate::kBoth,
                                   Truncate::kHead, Truncate::kTail,
                                   Truncate::kNone};
    return {.max_lines = kLines[Random(std::size(kLines))],
            .truncate = kKinds[Random(std::size(kKinds))]};
  }
  void Feed() {
    holder_.Ring();
    while (session_->output().HasUnfed()) holder_.loop()->RunReady();
  }
  ReadResult Read(Limits limits) {
    ReadResult result = ReadSession(*session_, mark_, {.limits = limits});
    mark_ = result.mark;
    return result;
  }

  std::mt19937 random_{static_cast<uint32_t>(GetParam())};
  int texts_ = 0;
  FakeHolder holder_;
  session::SessionRef session_;
  ReaderMark mark_;
};

// The lines of one stream that were printed since the last read. The first may
// be the rest of a line, and the last the beginning of one.
class Unread {
 public:
  void Add(std::string_view bytes) {
    for (char c : bytes) {
      if (c == '\r') continue;
      if (c != '\n') {
        if (!is_open_) lines_.emplace_back();
        is_open_ = true;
        lines_.back() += c;
        continue;
      }
      bool is_blank = !is_open_ && !is_continued_;
      if (is_blank) lines_.emplace_back();
      is_open_ = is_continued_ = false;
    }
  }
  // Returns them, oldest first. The line at the cursor counts as seen, even if
  // it is empty.
  std::vector<std::string> Take() {
    is_continued_ = true;
    is_open_ = false;
    return std::exchange(lines_, {});
  }

 private:
  std::vector<std::string> lines_;
  bool is_open_ = false;       // the last one may go on
  bool is_continued_ = false;  // what comes next is the rest of a line
};

// Compares shown lines with printed ones. Removes from `shown` those of this
// stream, which begin with `sign`.
void ExpectAccounted(const std::vector<std::string>& printed,
                     std::string_view sign, std::vector<std::string>* shown) {
  size_t next = 0, used = 0;
  for (; used < shown->size() && next < printed.size(); ++used) {
    const std::string& line = (*shown)[used];
    if (auto count = LinesInPlaceOf(line)) {
      next += *count;
      continue;
    }
    ASSERT_EQ(line, std::string(sign) + printed[next]);
    ++next;
  }
  ASSERT_EQ(next, printed.size()) << "not shown, and not counted";
  shown->erase(shown->begin(), shown->begin() + static_cast<ptrdiff_t>(used));
}

// Lines, wrapped lines and pieces of lines, in a terminal or on two streams.
class AccountsOfLines : public Accounts {
 protected:
  std::string SomeOutput() {
    std::string bytes;
    std::string end = is_pipe_ ? "\n" : "\r\n";
    for (size_t count = Many(); count > 0; --count) {
      // Rows have twenty columns.
      if (!OneIn(9)) bytes += NewText(OneIn(3) ? 70 : 20);
      if (bytes.empty() || !OneIn(9)) bytes += end;
    }
    return bytes;
  }
  void Print() {
    bool is_error = is_pipe_ && OneIn(3);
    std::string bytes = SomeOutput();
    if (is_error) {
      holder_.PrintErrorSilently(bytes);
      errors_.Add(bytes);
    } else {
      holder_.PrintSilently(bytes);
      output_.Add(bytes);
    }
  }
  void ReadAndCompare() {
    Feed();
    Limits limits = SomeLimits();
    ReadResult result = Read(limits);
    std::vector<std::string> shown;
    bool is_empty = result.body.empty() && !result.facts.starts_with("line");
    if (!is_empty) shown = Split(result.body, '\n');
    SCOPED_TRACE(absl::StrFormat("max_lines=%d truncate=%d\n%s\n%s",
                                 limits.max_lines, limits.truncate,
                                 result.facts, result.body.substr(0, 2000)));
    ExpectAccounted(output_.Take(), "", &shown);
    ExpectAccounted(errors_.Take(), "err| ", &shown);
    EXPECT_TRUE(shown.empty()) << shown[0];
  }

  bool is_pipe_ = false;
  Unread output_, errors_;
};

TEST_P(AccountsOfLines, OfATerminalAreComplete) {
  session_ = holder_.Open({4, 20}, /*scrollback_rows=*/50);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    Print();
    if (OneIn(2)) ReadAndCompare();
  }
}

TEST_P(AccountsOfLines, OfBothStreamsAreComplete) {
  is_pipe_ = true;
  holder_.UsePipes();
  session_ = holder_.Open({4, 20}, /*scrollback_rows=*/50);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    Print();
    if (OneIn(2)) ReadAndCompare();
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, AccountsOfLines,
                         testing::Range(0, Rounds(20, 1000)));

// A program prints lines of a log above something that it draws again and
// again: a bar in one line, or a block of several. Each line of the log must be
// shown or counted; the last state of the block is enough.
class AccountsOfBlocks : public Accounts {
 protected:
  // Goes back to the block's first row, and removes it.
  std::string Remove() const {
    if (rows_ == 0) return "";
    std::string back = rows_ == 1 ? "" : absl::StrFormat("\033[%dA", rows_ - 1);
    return "\r" + back + "\033[J";
  }
  std::string Draw() {
    std::vector<std::string> rows;
    for (int row = 0; row < rows_; ++row) {
      rows.push_back(absl::StrFormat("bar %d: %d%%", row, Random(100)));
    }
    return Join(rows, "\r\n");
  }
  void Print() {
    std::string bytes = Remove();
    if (!OneIn(3)) {
      for (size_t count = Many(); count > 0; --count) {
        std::string text = NewText(30);
        logged_.insert(text);
        bytes += text + "\r\n";
      }
    }
    if (OneIn(5)) rows_ = static_cast<int>(Random(6));
    holder_.PrintSilently(bytes + Draw());
  }
  void ReadAndCount(Limits limits) {
    Feed();
    ReadResult result = Read(limits);
    for (const std::string& line : Split(result.body, '\n')) {
      // A row of a screen that has changed begins with its number.
      size_t row = line.find("| ");
      logged_.erase(row < 3 ? line.substr(row + 2) : line);
    }
    EXPECT_LE(std::ssize(logged_), result.left_out)
        << *logged_.begin() << " was not shown, and not counted\n"
        << result.facts << "\n"
        << result.body.substr(0, 2000);
    logged_.clear();
  }

  int rows_ = 2;
  std::set<std::string> logged_;  // since the last read
};

// Only lines in memory can be compared with what the reader has seen.
TEST_P(AccountsOfBlocks, AreComplete) {
  session_ = holder_.Open({8, 40});
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    Print();
    if (OneIn(2)) ReadAndCount(SomeLimits());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, AccountsOfBlocks,
                         testing::Range(0, Rounds(20, 1000)));

}  // namespace
}  // namespace glasstty::view
