// Runs every golden screen whole, byte by byte and in random parts. `./dev
// conformance xterm --fixtures` checks that xterm shows the same.
// GLASSTTY_UPDATE=1 rewrites the pictures.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "screen_fixture.h"

namespace glasstty::terminal {
namespace {

class Screens : public testing::TestWithParam<std::string> {
 protected:
  Screens() : text_(ReadFixture(GetParam())) {}

  const std::string text_;
  const ScreenFixture fixture_ = ScreenFixture::Parse(text_);
};

TEST_P(Screens, ShowWhatTheFixtureShows) {
  std::string actual = Play(fixture_, WholeSplitter()).Print();
  if (std::getenv("GLASSTTY_UPDATE") != nullptr) {
    std::ofstream(GetParam(), std::ios::binary) << actual;
    return;
  }
  EXPECT_TRUE(actual == text_) << Diff(text_, actual);
}

TEST_P(Screens, DoNotDependOnHowTheBytesAreSplit) {
  std::string whole = Play(fixture_, WholeSplitter()).Print();
  std::string bytes = Play(fixture_, ByteSplitter()).Print();
  EXPECT_TRUE(bytes == whole) << Diff(whole, bytes);
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    std::string parts = Play(fixture_, RandomSplitter(seed)).Print();
    EXPECT_TRUE(parts == whole) << "seed " << seed << "\n"
                                << Diff(whole, parts);
  }
}

std::string FixtureName(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Screens,
                         testing::ValuesIn(FixturePaths("screens", ".screen")),
                         FixtureName);

}  // namespace
}  // namespace glasstty::terminal
