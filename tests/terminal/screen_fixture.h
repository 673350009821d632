// Golden screens show bytes and the picture side by side (fixtures/screens).
//
// A file is prose, then blocks that begin with "-- NAME ...". Some act:
//   -- size RxC       of the terminal, before anything else
//   -- feed           escaped bytes; a line end is nothing, so fold freely
//   -- resize RxC
// The others are pictures of what is there: screen, attrs, lines, events,
// replies, title, modes, drops. Running a file gives its text anew with the
// pictures as they are now; a test passes when nothing differs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/terminal.h"

namespace glasstty::terminal {

struct FixtureBlock {
  std::string name;
  std::string arguments;  // the rest of the "-- " line
  std::vector<std::string> body;
};

struct ScreenFixture {
  std::string prose;  // everything before the first block
  std::vector<FixtureBlock> blocks;

  static ScreenFixture Parse(std::string_view text);
  std::string Print() const;
  Size size() const;
};

// Parses "24x80".
Size ParseSize(std::string_view text);
// Returns the bytes of a feed block.
std::string FeedBytes(const FixtureBlock& block);
bool IsPicture(const FixtureBlock& block);

// Calls `feed` with parts of the bytes of a feed block.
using Splitter = std::function<void(
    std::string_view bytes, const std::function<void(std::string_view)>& feed)>;
Splitter WholeSplitter();
Splitter ByteSplitter();
Splitter RandomSplitter(uint64_t seed);

// Returns the fixture with all pictures as they are now.
ScreenFixture Play(const ScreenFixture& fixture, const Splitter& splitter);

// Returns one picture, for example that of "lines".
FixtureBlock Picture(std::string_view name, Terminal* terminal);

// Returns the lines of `expected` and `actual`, with "-" and "+" where they
// differ.
std::string Diff(std::string_view expected, std::string_view actual);

// Returns the content of a file; the test fails if it cannot be read.
std::string ReadFixture(const std::string& path);
// Returns the files below fixtures/`directory` that end in `suffix`, sorted.
std::vector<std::string> FixturePaths(const std::string& directory,
                                      std::string_view suffix);

}  // namespace glasstty::terminal
