// Generated streams: the grid shows the cells, the cursor and the history that
// libvterm's own screen shows. stream_generator.h leaves out what is known to
// differ.
#include <gtest/gtest.h>

#include "base/escape.h"
#include "oracle.h"
#include "stream_generator.h"

namespace glasstty {
namespace {

void ExpectEqual(const std::string& stream, Size size, bool with_history) {
  OraclePair pair(size);
  pair.guard.Feed(stream);
  ASSERT_EQ(pair.GridRows(), pair.oracle.Rows()) << EscapeBytes(stream);
  Place place = pair.guard.flow()->cursor();
  ASSERT_EQ(place, pair.oracle.cursor()) << EscapeBytes(stream);
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
    StreamGenerator generator(seed, StreamGenerator::Kind::kLibvterm);
    ASSERT_NO_FATAL_FAILURE(
        ExpectEqual(generator.Stream(60), {8, 20}, /*with_history=*/false))
        << "seed " << seed;
  }
}

TEST(Differential, WideGlyphsGiveTheCellsAndTheHistoryOfLibvterm) {
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    StreamGenerator generator(seed, StreamGenerator::Kind::kLines);
    ASSERT_NO_FATAL_FAILURE(
        ExpectEqual(generator.Stream(60), {6, 17}, /*with_history=*/true))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace glasstty
