// Keeps the text against which patterns are matched: exactly the output of a
// program since the baseline of a wait.
//
// Lives in an UntilCheck. Records where each line comes from, so that the next
// wait can begin after a match. Loop thread only; the session must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/read_mark.h"
#include "session/session.h"
#include "support/pattern.h"
#include "waits/echo.h"

namespace glasstty::waits {

// The part of the output in which `text`, `regex` and `stop` are looked for.
enum class MatchOn { kAny, kScreen, kOutput };
inline constexpr std::string_view kMatchOnNames[] = {"any", "screen", "output"};

class FreshText {
 public:
  // Text that the reader of `baseline` has seen does not count.
  void Begin(const session::Session* session, record::ReadMark baseline,
             MatchOn on);
  const record::ReadMark& baseline() const { return baseline_; }

  // REQUIRES: Begin. Reads the output since the last call. Find then searches
  // it, with a few lines of context, without the echoes that `echo` recognizes.
  void Refresh(EchoFilter* echo);
  // Finds the first match of `pattern`, if there is one.
  struct Found {
    std::string line;  // the whole line, or lines, around the match
    // The mark of a reader who has been shown everything up to the end of the
    // line in which the match ends.
    record::ReadMark behind;
  };
  std::optional<Found> Find(const Pattern& pattern) const;

  // Returns all lines since the baseline that the terminal still holds, without
  // echoes; on the alternate screen, the rows that have changed.
  std::vector<terminal::Line> AllLines(const EchoFilter& echo) const;

 private:
  // The origin of a line of text_.
  enum class Source { kOutput, kErrors, kScreen };
  struct Origin {
    Source source = Source::kOutput;
    int64_t line = 0;
  };

  // A stream of the session, and how far it has been searched.
  struct Scan {
    const session::Output* output = nullptr;
    Source source = Source::kOutput;
    // Lines before this one have been searched.
    int64_t line = 0;
    uint64_t revision = 0;
    // Lines before this one had left the terminal when the wait began.
    int64_t left = 0;
    // The size of the last line when it was searched; 0: it was not searched.
    size_t last_bytes = 0;
  };

  const record::LineMark& BaselineOf(const Scan& scan) const;
  record::ReadMark MarkBehind(const Origin& origin) const;
  void AppendLines(Scan* scan, EchoFilter* echo);
  // Reduces long lines that were searched to their new part and some context.
  static void CutSearched(Scan* scan, std::vector<terminal::Line>* lines);
  void Append(const std::vector<terminal::Line>& lines, Source source);
  // Returns the lines of the stream from `from` on, including those that have
  // left the terminal since the wait began, without the text that the
  // baseline's reader has seen.
  std::vector<terminal::Line> LinesSince(const Scan& scan,
                                         const record::LineMark& from) const;

  const session::Session* session_ = nullptr;
  MatchOn on_ = MatchOn::kAny;
  record::ReadMark baseline_;
  // The lines, each with a newline. trimmed_text_ is the same without blanks
  // and carriage returns at the ends of lines, or "" if there are none to
  // remove.
  std::string text_;
  std::string trimmed_text_;
  std::vector<Origin> origins_;  // one for each line
  uint64_t revision_ = 0;    // the sum of all revisions when text_ was built
  std::vector<Scan> scans_;  // one for each stream
};

}  // namespace glasstty::waits
