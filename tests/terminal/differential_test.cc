// Tests generated streams of sequences that libvterm handles as xterm does: the
// grid must show the cells, the cursor and the history of libvterm's own
// screen.
#include <gtest/gtest.h>

#include "base/escape.h"
#include "oracle.h"
#include "stream_generator.h"

namespace glasstty::terminal {
namespace {

void ExpectEqual(StreamGenerator::Kind kind, uint64_t seed, Size size,
                 bool with_history) {
  OraclePair pair(size);
  std::string stream;
  for (const std::string& item : StreamGenerator(seed, kind).Items(60)) {
    pair.Feed(item);
    stream += item;
  }
  ASSERT_EQ(pair.GridRows(), pair.oracle.Rows()) << EscapeBytes(stream);
  Cursor cursor = pair.interpreter.cursor();
  ASSERT_EQ((Place{cursor.row, cursor.col}), pair.oracle.cursor())
      << EscapeBytes(stream);
  if (!with_history) return;
  const Scrollback& scrollback = pair.grid.scrollback();
  ASSERT_EQ(scrollback.rows(), pair.oracle.pushed.size());
  for (size_t i = 0; i < scrollback.rows(); ++i) {
    std::string text(scrollback.row(i).text);
    while (text.ends_with(' ')) text.pop_back();
    ASSERT_EQ(text, pair.oracle.pushed[i]) << EscapeBytes(stream);
  }
}

TEST(Differential, AllSequencesGiveTheCellsOfLibvterm) {
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    ASSERT_NO_FATAL_FAILURE(ExpectEqual(StreamGenerator::Kind::kLibvterm, seed,
                                        {8, 20}, /*with_history=*/false))
        << "seed " << seed;
  }
}

TEST(Differential, WideGlyphsGiveTheCellsAndTheHistoryOfLibvterm) {
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    ASSERT_NO_FATAL_FAILURE(ExpectEqual(StreamGenerator::Kind::kLines, seed,
                                        {6, 17}, /*with_history=*/true))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace glasstty::terminal
