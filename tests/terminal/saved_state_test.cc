// Tests that a terminal which takes over the state of another one continues as
// that one does: each test feeds a stream to one terminal, lets another take
// over somewhere, and feeds the rest to both.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "base/escape.h"
#include "screen_fixture.h"
#include "stream_generator.h"
#include "support/text.h"

namespace glasstty::terminal {
namespace {

std::unique_ptr<Terminal> Make(Size size) {
  return *Terminal::Create({.size = size, .nonce = "N"});
}

// The new terminal had another size, and output of its own.
std::unique_ptr<Terminal> TakeOver(const Terminal& from) {
  auto terminal = Make({5, 7});
  terminal->Feed("before\x1b[?1h\x1b[?1049h\x1b[3;4r");
  absl::Status restored = terminal->RestoreState(from.SaveState());
  EXPECT_TRUE(restored.ok()) << restored;
  return terminal;
}

std::string InWords(const TerminalEvent& event) {
  return Join({std::to_string(static_cast<int>(event.type)), event.text,
               std::to_string(event.flag), std::to_string(event.offset),
               std::to_string(event.line), std::to_string(event.col)},
              "|");
}

void ExpectSame(Terminal* a, Terminal* b) {
  for (std::string_view picture :
       {"screen", "attrs", "title", "modes", "replies"}) {
    FixtureBlock one = Picture(picture, a), other = Picture(picture, b);
    EXPECT_EQ(one.arguments, other.arguments);
    EXPECT_EQ(one.body, other.body);
  }
  EXPECT_EQ(a->modes(), b->modes());
  EXPECT_EQ(a->cursor(), b->cursor());
  EXPECT_EQ(a->offset(), b->offset());
  EXPECT_EQ(a->row_addresses(), b->row_addresses());
  EXPECT_EQ(a->cursor_line(), b->cursor_line());
  EXPECT_EQ(a->end_line(), b->end_line());
  std::vector<std::string> events, others;
  for (auto& event : a->TakeEvents()) events.push_back(InWords(event));
  for (auto& event : b->TakeEvents()) others.push_back(InWords(event));
  EXPECT_EQ(events, others);
  // This includes what no picture shows.
  EXPECT_TRUE(a->SaveState() == b->SaveState()) << "the states differ";
}

class SavedRecordings : public testing::TestWithParam<std::string> {};

TEST_P(SavedRecordings, GoOnWhereverTheyAreTakenOver) {
  std::string bytes = ReadFixture(GetParam());
  // A terminal can take over at each byte of a recording; some positions are
  // enough.
  size_t step = std::max<size_t>(bytes.size() / 40, 1) | 1;
  auto first = Make({24, 80});
  for (size_t split = 0; split < bytes.size(); split += step) {
    first->TakeReplies();
    first->TakeEvents();
    auto next = TakeOver(*first);
    auto copy = TakeOver(*first);
    ExpectSame(first.get(), next.get());
    std::string_view rest = std::string_view(bytes).substr(split);
    copy->Feed(rest);
    next->Feed(rest.substr(0, step));
    next->Feed(rest.substr(std::min(step, rest.size())));
    ExpectSame(copy.get(), next.get());
    if (HasFailure()) FAIL() << "taken over at byte " << split;
    first->Feed(rest.substr(0, step));
  }
}

std::string RecordingName(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Programs, SavedRecordings,
                         testing::ValuesIn(FixturePaths("recordings",
                                                        ".bytes")),
                         RecordingName);

TEST(SavedState, GeneratedStreamsGoOnWhereverTheyAreTakenOver) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    StreamGenerator generator(seed, StreamGenerator::Kind::kAll);
    std::string stream = generator.Stream(60);
    std::mt19937_64 random(seed);
    auto whole = Make({8, 20});
    std::string_view rest = stream;
    for (int i = 0; i < 4; ++i) {
      size_t size = random() % (rest.size() + 1);
      whole->Feed(rest.substr(0, size));
      rest.remove_prefix(size);
      whole->TakeReplies();
      whole->TakeEvents();
      auto next = TakeOver(*whole);
      whole->Feed(rest);
      next->Feed(rest);
      ExpectSame(whole.get(), next.get());
      if (testing::Test::HasFailure()) {
        FAIL() << "seed " << seed << " taken over at "
               << stream.size() - rest.size() << ": " << EscapeBytes(stream);
      }
      // From here on, the stream continues with the state of `next`.
      whole = std::move(next);
      rest = stream;
    }
  }
}

// Tests every mode that a program can query, whatever modes there are.
TEST(SavedState, EveryModeIsTakenOver) {
  for (std::string_view leader : {"", "?"}) {
    for (int number = 0; number <= 2100; ++number) {
      std::string mode =
          Join({leader == "?" ? "?" : "", std::to_string(number)}, "");
      for (const char* final : {"h", "l"}) {
        auto terminal = Make({6, 20});
        std::string set = "\x1b[" + mode + final;
        terminal->Feed("\x1b[?5;12;25;69;1003;1006;2004h" + set);
        std::string request = "\x1b[";
        request.append(mode).append("$p");
        terminal->Feed(request);
        std::string answer = terminal->TakeReplies();
        terminal->TakeEvents();
        auto next = TakeOver(*terminal);
        EXPECT_EQ(next->modes(), terminal->modes()) << mode << final;
        next->Feed("\x1b[" + mode + "$p");
        EXPECT_EQ(next->TakeReplies(), answer) << mode << final;
      }
    }
  }
}

TEST(SavedState, KeepsWhatNoModeSays) {
  for (std::string_view made : {
           "\x1b[2;4r\x1b[?69h\x1b[3;9s\x1b[?6h\x1b[2;2Hx",  // margins
           "\x1b[3g\x1b[1;5H\033H\x1b[1;1H\tx",              // tab stops
           "\x1b(0\x0e\x1b)0qqq",                            // character sets
           "0123456789abcdefghij",                           // a pending wrap
           "\x1b[5;5H\x1b[1;31m\x1b"
           "7\x1b[m\x1b[H",  // a saved cursor
           "\x1b[?1049h\x1b[3;3H\x1b"
           "7\x1b[?1049l\x1b[2;2Hy",
           "shell\x1b[?1049hfull screen\x1b[4;4H",
           "\x1b[38;2;1;2;3;48;5;200;4:3;9mx\x1b[K",
           "e\u0301\u0302 \u6f22\u5b57 \u6f22",  // clusters, wide
           "a\tb\t\tc \x1b[1;20H\t\t",           // tabs in lines
           "x\r\r\ny",                           // carriage returns
           "\x1b[1\"qkept\x1b[0\"q\x1b[?2J",     // protected
           "\x1b]2;a title\a",
           "\x1b]2;one\a\x1b[22t\x1b[22;1t\x1b]2;two\a\x1b[22t",
           "\x1b]133;C;aid=N\a\x1b[2;4r\x1b[?7l\x1b[3g\x1b(0half \x1b]0;cut",
           "\x1b]133;C;run=7;aid=N\a\x1b[?25l\x1b[?1h",
           "\x1b[>5u\x1b[>3u\x1b[>4;2m\x1b[>4;1f\x1b[4 q",
           "\x1b[>5u\x1b[?1049h\x1b[>3u\x1b[>9u",
           "half a \x1b[3",
           "a string \x1b]2;half",
           "a glyph \xe6\xbc",
           "\x1b"
           "=\x1b[?1h\x1b[?2026h",
           "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11",  // line numbers
           "before a tab stop that is no more\x1b[?7l\x1b[1;1H",
       }) {
    auto terminal = Make({6, 20});
    terminal->Feed(made);
    terminal->TakeEvents();
    terminal->TakeReplies();
    auto next = TakeOver(*terminal);
    ExpectSame(terminal.get(), next.get());
    for (std::string_view then :
         {"x", "\x1b[b", "4h\tz", "\x1b\\title\a", "\xa2",
          "\x1b[?u\x1b[<u\x1b[?u", "\0338p", "\x1b[23;0;0t", "\x1b[23t",
          "\x1b[23t", "\x1b[?1049l!", "\r\nnext\r\n", "\u0301",
          "\x1b]133;D;1;run=7\a", "\x1b]133;D;1;aid=N\a\x1b]133;A;aid=N\a",
          "\x1b[?J\x1b[6n\x1bP$qm\x1b\\\x1bP$qr\x1b\\"}) {
      terminal->Feed(then);
      next->Feed(then);
      ExpectSame(terminal.get(), next.get());
    }
    if (testing::Test::HasFailure()) FAIL() << EscapeBytes(made);
  }
}

TEST(SavedState, OfAnotherSizeIsTakenOverWithIt) {
  auto terminal = Make({6, 20});
  terminal->Feed("a wide line of text\r\nand another one\x1b[2;3r");
  ASSERT_TRUE(terminal->Resize({4, 9}).ok());
  auto next = TakeOver(*terminal);
  ExpectSame(terminal.get(), next.get());
  // The part that the narrow screen hides comes back.
  ASSERT_TRUE(terminal->Resize({4, 20}).ok());
  ASSERT_TRUE(next->Resize({4, 20}).ok());
  ExpectSame(terminal.get(), next.get());
  EXPECT_EQ(next->TakeSnapshot().rows[0].text, "a wide line of text");
}

// The first tabs were printed at the edge of a narrower screen, behind the same
// glyph.
TEST(SavedState, IsTakenOverHoweverManyTabsCameBackFromTheScrollback) {
  auto terminal = Make({2, 12});
  terminal->Feed("123456789012" + std::string(600, '\t'));
  ASSERT_TRUE(terminal->Resize({2, 13}).ok());
  terminal->Feed("\x1b[1;13H" + std::string(1000, '\t') + "\r\n\n");
  ASSERT_TRUE(terminal->Resize({3, 13}).ok());
  EXPECT_TRUE(terminal->Lines(0, 1).at(0).text.starts_with("123456789012\t\t"));
  auto next = TakeOver(*terminal);
  ExpectSame(terminal.get(), next.get());
}

TEST(SavedState, ReadersSeeTheScreenThatIsTakenOverAsNew) {
  auto other = Make({6, 20});
  other->Feed("other");
  auto terminal = Make({6, 20});
  terminal->Feed("one\r\ntwo");
  Snapshot before = terminal->TakeSnapshot();
  uint64_t lines = terminal->lines_revision();
  ASSERT_TRUE(terminal->RestoreState(other->SaveState()).ok());
  EXPECT_GT(terminal->revision(), before.revision);
  EXPECT_GT(terminal->lines_revision(), lines);
  for (const SnapshotRow& row : terminal->TakeSnapshot(before.revision).rows) {
    EXPECT_TRUE(row.changed);
  }
}

TEST(SavedState, AMutedTerminalStaysMuted) {
  auto terminal = Make({6, 20});
  terminal->MuteReplies(true);
  ASSERT_TRUE(terminal->RestoreState(Make({6, 20})->SaveState()).ok());
  terminal->Feed("\x1b[6n");
  EXPECT_EQ(terminal->TakeReplies(), "");
}

// If a state is accepted at all, the result must still be a valid terminal.
void ExpectSoundOrRefused(std::string_view state) {
  auto terminal = Make({6, 20});
  terminal->Feed("unchanged\x1b[?1h");
  if (!terminal->RestoreState(state).ok()) {
    EXPECT_EQ(terminal->TakeSnapshot().rows[0].text, "unchanged");
    EXPECT_TRUE(terminal->modes().application_cursor);
    return;
  }
  terminal->Feed(
      "a\u6f22e\u0301\t\x1b[3b\x1b[2;5r\x1b[L\x1b[P\x1b[@\n\n\x1b\\x");
  (void)terminal->Resize({3, 9});
  (void)terminal->Resize({30, 90});
  terminal->Feed(
      "\x1b"
      "8\x1b[?1049l\x1b"
      "8\x1b[?6h\x1b[3S\x1b[1$z\x1b"
      "c");
  Snapshot snapshot = terminal->TakeSnapshot();
  EXPECT_EQ(snapshot.rows.size(), 30u);
  terminal->Lines(0, terminal->end_line());
}

TEST(SavedState, DamagedBytesAreRefusedOrHarmless) {
  auto terminal = Make({6, 20});
  terminal->Feed(
      "\x1b[31me\u0301 \u6f22\x1b[?1049h\x1b[2;4rfull\tscreen\x1b[4;20H\u6f22"
      "\x1b]2;title\a\x1b]8;half");
  const std::string state = terminal->SaveState();
  ASSERT_TRUE(Make({6, 20})->RestoreState(state).ok());
  for (size_t i = 0; i < state.size(); ++i) {
    ExpectSoundOrRefused(state.substr(0, i));
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = state;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      ExpectSoundOrRefused(damaged);
    }
    for (char byte : {'\x00', '\x7f', '\xff'}) {
      std::string damaged = state;
      damaged[i] = byte;
      ExpectSoundOrRefused(damaged);
    }
  }
  ExpectSoundOrRefused("");
  ExpectSoundOrRefused(state + "x");
  EXPECT_FALSE(Make({6, 20})->RestoreState(state + "x").ok());
}

TEST(SavedState, TextInTheRightHalfOfAGlyphIsRefused) {
  auto terminal = Make({6, 20});
  terminal->Feed("\u6f22\u6f22");
  std::string state = terminal->SaveState();
  const std::string glyph = "\xa2\xde\x01";  // U+6F22 as a saved number
  size_t first = state.find(glyph);
  ASSERT_NE(first, std::string::npos);
  size_t second = state.find(glyph, first + glyph.size());
  ASSERT_NE(second, std::string::npos);
  // The empty text of the right half is as far behind the first glyph as it is
  // before the second one.
  size_t half = (first + second + 2) / 2;
  ASSERT_EQ(state[half], '\0');
  state.replace(half, 1, glyph);
  EXPECT_FALSE(Make({6, 20})->RestoreState(state).ok());
}

TEST(SavedState, NoColonJoinsMoreValuesThanThereAre) {
  auto terminal = Make({6, 20});
  terminal->Feed("\x1b[38:5:1");
  std::string state = terminal->SaveState();
  // The bytes are the number of values, no surplus, the colons and the values.
  const std::string values("\x03\x00\x03\x26\x05\x01", 6);
  size_t at = state.find(values);
  ASSERT_NE(at, std::string::npos);
  state.replace(at + 2, 1, "\xff\xff\xff\xff\x0f");
  auto next = Make({6, 20});
  ASSERT_TRUE(next->RestoreState(state).ok());
  terminal->Feed("mx");
  next->Feed("mx");
  ExpectSame(terminal.get(), next.get());
}

}  // namespace
}  // namespace glasstty::terminal
