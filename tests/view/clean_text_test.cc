// Tests that whatever a program prints, a reply contains no byte that could act
// on the terminal or the client of its reader.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "base/utf8.h"
#include "base/visible.h"
#include "testing/fake_holder.h"
#include "testing/rounds.h"
#include "view/reader.h"

namespace glasstty::view {
namespace {

#if defined(GLASSTTY_SANITIZES_ADDRESS) || defined(GLASSTTY_SANITIZES_THREAD)
constexpr int kStreams = 100'000;
#else
const int kStreams = Rounds(100'000, 1'000'000);
#endif

// Returns bytes that mean something, mixed with any others.
std::string RandomStream(std::mt19937* random) {
  static const char* const kPieces[] = {
      "\033[",     "\033]0;",      "\033]8;;",     "\033]133;",   "\033P",
      "\033_",     "\033[8m",      "\033[?1049h",  "\033[?1049l", "\033c",
      "\033[2J",   "\033[H",       "\033(0",       "\033[31;41m", "\r\n",
      "\b",        "\t",           "\a",           "\033\\",      "\u009B31m",
      "\u0085",    "\u200B",       "\U000E0041",   "\u202E",      "text ",
      "\033[3;4H", "\033[10@",     "\u65E5\u672C", "e\u0301",     "\x9B\x31",
      "\xFF\xFE",  "\xED\xA0\x80",
  };
  std::string stream;
  for (int i = 0; i < 8; ++i) {
    uint32_t draw = (*random)();
    if (draw % 4 == 0) {
      stream += static_cast<char>(draw >> 8);
    } else {
      stream += kPieces[(draw >> 8) % std::size(kPieces)];
    }
  }
  return stream;
}

// Returns the first code point that is a control character other than a
// newline, a tab or a carriage return that ends a line, or that is not a code
// point at all; 0 if there is none.
char32_t FirstControl(std::string_view text) {
  if (ToValidUtf8(text) != text) return 0xFFFD;
  while (!text.empty()) {
    char32_t c = TakeUtf8(&text);
    size_t next = std::min(text.find_first_not_of('\r'), text.size());
    bool ends_line = next == text.size() || text[next] == '\n';
    if (c == '\n' || c == '\t' || (c == '\r' && ends_line)) continue;
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F)) return c;
  }
  return 0;
}

TEST(CleanText, NoReadModeEverShowsAControlCharacter) {
  constexpr ReadMode kModes[] = {ReadMode::kAuto,     ReadMode::kStream,
                                 ReadMode::kSnapshot, ReadMode::kHistory,
                                 ReadMode::kDiff,     ReadMode::kRaw,
                                 ReadMode::kLinks,    ReadMode::kAll};
  std::mt19937 random(20'231);
  for (int stream = 0; stream < kStreams;) {
    FakeHolder holder;
    session::SessionRef session = holder.Open({5, 30});
    record::ReadMark mark;
    for (int look = 0; look < 100; ++look) {
      std::string bytes;
      for (int i = 0; i < 10; ++i, ++stream) bytes += RandomStream(&random);
      holder.Print(bytes);
      ReadRequest request{.mode = kModes[random() % std::size(kModes)]};
      request.styled = random() % 2 == 0;
      ReadResult result = ReadSession(*session, mark, request);
      mark = result.mark;
      ASSERT_EQ(FirstControl(result.body), 0u)
          << ReadModeName(request.mode) << ":\n"
          << result.body;
      ASSERT_EQ(FirstControl(session->output().terminal().title()), 0u);
      int64_t invisible = 0;
      ShowInvisible(result.body, &invisible);
      ASSERT_EQ(invisible, 0) << ReadModeName(request.mode);
    }
  }
}

}  // namespace
}  // namespace glasstty::view
