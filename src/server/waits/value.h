// Follows a number that a program prints, until it passes the caller's limit.
//
// The first group of a pattern matches the number, in each line of stdout and
// stderr after the baseline, or in the rows of a program that draws screens.
// The last match in a line counts. An incomplete line counts once it rests,
// because more digits may come. Keeps the values as a series, to estimate when
// the limit will be reached. Lives in an UntilCheck. Loop thread only; the
// session must outlive it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "motion/progress.h"
#include "record/read_mark.h"
#include "session/session.h"
#include "support/pattern.h"
#include "waits/echo.h"
#include "waits/line_scan.h"

namespace glasstty::waits {

// The wait ends when one of the limits is passed.
struct ValueIs {
  std::string regex;
  std::optional<double> below;
  std::optional<double> above;
  // A change, up or down, from the last value before the wait or, if there was
  // none, from the first value. On a screen: from the first value in the row.
  std::optional<double> changes_by;
};

class Value {
 public:
  // A line without a newline rests after this time without output.
  static constexpr Duration kRest = std::chrono::milliseconds(100);

  // Error: the pattern does not compile or has no group, or no limit is given.
  static absl::StatusOr<Value> Compile(ValueIs wanted);

  void Begin(const session::Session* session, const record::ReadMark& baseline);
  // REQUIRES: Begin. Processes the output since the last call, without the
  // echoes that `echo` recognizes. Returns when to call next, output or not.
  Time Refresh(EchoFilter* echo);
  // The first line or row whose value passes a limit.
  const std::optional<std::string>& found() const { return found_; }
  // The mark of a reader who has been shown this line or row.
  const record::ReadMark& behind() const { return behind_; }
  // Returns a text such as "value: 0.31 (-0.02/s, 0.1 in 10 s)" or "no value
  // was printed".
  std::string Text() const;

 private:
  Value(ValueIs wanted, Pattern pattern)
      : wanted_(std::move(wanted)), pattern_(std::move(pattern)) {}

  struct Stream {
    const session::Output* output;
    LineScan scan = {};
    bool is_open_taken = false;
    // Lines up to this revision were there when the wait began.
    uint64_t began_revision = 0;
  };
  // Finds the last value on the screen that the reader has seen.
  void Learn(const Stream& stream, const record::LineMark& seen);
  Time RefreshScreen(const EchoFilter& echo);
  Time RefreshLines(Stream* stream, EchoFilter* echo);
  void TakeLines(std::vector<terminal::Line> lines, const Stream& stream,
                 EchoFilter* echo);
  // Removes the echo of typed text from lines of stdout.
  void StripEcho(const terminal::Terminal& terminal, EchoFilter* echo,
                 std::vector<terminal::Line>* lines) const;
  // Returns true for the first text with a value that passes a limit.
  // `was_there`: the text was there when the wait began; the last value in such
  // texts is the base for changes_by.
  bool TakeText(std::string_view text, bool was_there);
  // Likewise for a value in the text; `base` is the base for changes_by.
  bool Take(double value, double base, std::string_view text);
  // Returns the base for a value in this row of a screen. REQUIRES: some row
  // has a value.
  double BaseOf(int64_t row, double value) const;
  std::optional<double> NumberIn(std::string_view line) const;
  bool Passes(double value, double base) const;
  // Negates the value if the limit is `below`, so that the series rises towards
  // the limit.
  double Towards(double value) const { return wanted_.below ? -value : value; }

  ValueIs wanted_;
  Pattern pattern_;
  const session::Session* session_ = nullptr;
  record::ReadMark baseline_;
  motion::Series series_;
  std::optional<double> began_with_, last_;
  // The first value of each row of a screen, by the row's number.
  std::map<int64_t, double> began_in_rows_;
  uint64_t screen_revision_ = 0;
  std::vector<Stream> streams_;
  std::optional<std::string> found_;
  record::ReadMark behind_;
};

}  // namespace glasstty::waits
