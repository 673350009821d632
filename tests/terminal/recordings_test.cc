// Compares the output of real programs with what tmux showed of the same bytes.
// record.py makes them.
#include <gtest/gtest.h>

#include <filesystem>

#include "screen_fixture.h"
#include "support/text.h"

namespace glasstty::terminal {
namespace {

constexpr Size kSize = {24, 80};

class Recordings : public testing::TestWithParam<std::string> {
 protected:
  Recordings() : bytes_(ReadFixture(GetParam())) {}

  const std::string bytes_;
};

// Returns rows without trailing blanks, and without blank rows at the end.
std::string ScreenText(const Terminal& terminal) {
  std::vector<std::string> rows;
  size_t used = 0;
  for (const SnapshotRow& row : terminal.TakeSnapshot().rows) {
    rows.push_back(row.text);
    if (!row.text.empty()) used = rows.size();
  }
  rows.resize(used);
  return Join(rows, "\n");
}

std::unique_ptr<Terminal> Play(std::string_view bytes,
                               const Splitter& splitter) {
  Terminal::Options options;
  options.size = kSize;
  auto terminal = Terminal::Create(options);
  splitter(bytes, [&](std::string_view part) { (*terminal)->Feed(part); });
  return std::move(*terminal);
}

TEST_P(Recordings, LookAsTmuxShowedThem) {
  std::string path = GetParam();
  path.replace(path.rfind('.'), std::string::npos, ".screen");
  std::vector<std::string> rows;
  size_t used = 0;
  for (const std::string& row : Split(ReadFixture(path), '\n')) {
    rows.emplace_back(TrimTrailingBlanks(row));
    if (!rows.back().empty()) used = rows.size();
  }
  rows.resize(used);
  std::string expected = Join(rows, "\n");
  std::string actual = ScreenText(*Play(bytes_, WholeSplitter()));
  EXPECT_TRUE(actual == expected) << Diff(expected, actual);
}

TEST_P(Recordings, DoNotDependOnHowTheBytesAreSplit) {
  auto whole = Play(bytes_, WholeSplitter());
  std::vector<Splitter> splitters = {ByteSplitter()};
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    splitters.push_back(RandomSplitter(seed));
  }
  FixtureBlock events = Picture("events", whole.get());
  FixtureBlock replies = Picture("replies", whole.get());
  for (const Splitter& splitter : splitters) {
    auto parts = Play(bytes_, splitter);
    for (std::string_view name : {"screen", "attrs", "lines", "modes"}) {
      FixtureBlock a = Picture(name, whole.get());
      FixtureBlock b = Picture(name, parts.get());
      EXPECT_EQ(a.arguments, b.arguments);
      EXPECT_EQ(a.body, b.body);
    }
    EXPECT_EQ(events.body, Picture("events", parts.get()).body);
    EXPECT_EQ(replies.body, Picture("replies", parts.get()).body);
  }
}

// A warning that comes with ordinary programs is soon overlooked.
TEST_P(Recordings, ConcealNothing) {
  auto terminal = *Terminal::Create({.size = kSize});
  for (std::string_view rest = bytes_; !rest.empty();) {
    std::string_view piece = rest.substr(0, 512);
    terminal->Feed(piece);
    rest.remove_prefix(piece.size());
    for (const SnapshotRow& row : terminal->TakeSnapshot().rows) {
      EXPECT_FALSE(row.concealed) << row.text;
    }
  }
  for (const Line& line :
       terminal->Lines(terminal->first_line(), terminal->end_line())) {
    EXPECT_FALSE(line.concealed) << line.text;
  }
}

std::string RecordingName(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Programs, Recordings,
                         testing::ValuesIn(FixturePaths("recordings",
                                                        ".bytes")),
                         RecordingName);

}  // namespace
}  // namespace glasstty::terminal
