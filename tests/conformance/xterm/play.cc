// Makes and plays the streams that judge.py gives to xterm.
//
//   play generate KIND SEED COUNT   one stream a line, its items apart by tabs,
//                                   each as EscapeBytes spells it
//   play glasstty ROWSxCOLS         such lines in, a screen a line out, as JSON
//   play libvterm ROWSxCOLS         the same from libvterm's own screen, alone
//
// A screen is {"rows": [text ...], "cursor": "ROW;COL" as a program is told it,
// "styles": [[[col, cols, foreground, background, attributes] ...] ...]}.
//
// A difference to xterm is intended (docs/known_edges.md): sequences that erase
// from the cursor to the right leave a glyph alone that has a pending wrap
// after it. When a stream contains this, "erased" is the screen as it would be
// otherwise: the wrap is ended before each such sequence, by a motion to the
// cursor's position, which makes our behaviour xterm's and changes nothing
// else.
#include <sys/wait.h>
#include <unistd.h>
#include <vterm.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/escape.h"
#include "base/utf8.h"
#include "support/json.h"
#include "support/text.h"
#include "terminal/stream_generator.h"
#include "terminal/terminal.h"

namespace glasstty {

using terminal::Size;
using terminal::Terminal;

namespace {

// Ends a sequence that the stream left open, and asks for the cursor.
constexpr std::string_view kQuestion = "\x18\x1b[6n";

std::string Unescaped(std::string_view line) {
  std::string bytes;
  for (std::string_view item : Split(line, '\t')) bytes += UnescapeBytes(item);
  return bytes;
}

// Returns "ROW;COL" of the last CSI ROW;COL R.
std::string CursorOf(std::string_view replies) {
  size_t end = replies.rfind('R');
  size_t begin = replies.rfind("\x1b[", end);
  if (end == replies.npos || begin == replies.npos) return "";
  return std::string(replies.substr(begin + 2, end - begin - 2));
}

// Returns where the first ED, EL or ECH that erases from the cursor on begins.
size_t FindErasing(std::string_view bytes) {
  for (size_t at = bytes.find("\x1b["); at != bytes.npos;
       at = bytes.find("\x1b[", at + 2)) {
    size_t i = at + 2;
    if (i < bytes.size() && bytes[i] == '?') ++i;
    size_t digits = bytes.find_first_not_of("0123456789", i);
    if (digits == bytes.npos) break;
    char final = bytes[digits];
    bool is_zero = bytes.substr(i, digits - i).find_first_not_of('0') ==
                   std::string_view::npos;
    if (final == 'X' || (is_zero && (final == 'J' || final == 'K'))) return at;
  }
  return bytes.npos;
}

// `ends_wrap`: erase as xterm does. Returns whether that made a difference.
bool Feed(std::string_view bytes, bool ends_wrap, Terminal* terminal) {
  bool differs = false;
  while (!bytes.empty()) {
    size_t erasing = FindErasing(bytes.substr(1));
    size_t length = erasing == bytes.npos ? bytes.size() : erasing + 1;
    if (FindErasing(bytes) == 0 && terminal->cursor().pending_wrap) {
      differs = true;
      if (ends_wrap) terminal->Feed("\x1b[C");
    }
    terminal->Feed(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return differs;
}

Json ScreenOf(Terminal* terminal) {
  terminal->Feed(kQuestion);
  Json screen;
  screen["cursor"] = CursorOf(terminal->TakeReplies());
  Json rows = Json::array();
  Json styles = Json::array();
  for (const terminal::SnapshotRow& row : terminal->TakeSnapshot().rows) {
    rows.push_back(row.text);
    Json runs = Json::array();
    for (const terminal::StyleRun& run : row.styles) {
      const terminal::Style& style = run.style;
      runs.push_back({run.col, run.cols, style.foreground, style.background,
                      style.attributes});
    }
    styles.push_back(std::move(runs));
  }
  screen["rows"] = std::move(rows);
  screen["styles"] = std::move(styles);
  return screen;
}

Json PlayGlasstty(std::string_view bytes, Size size) {
  auto terminal = *Terminal::Create({.size = size});
  bool is_decided = Feed(bytes, false, terminal.get());
  Json screen = ScreenOf(terminal.get());
  if (is_decided) {
    auto other = *Terminal::Create({.size = size});
    Feed(bytes, true, other.get());
    screen["erased"] = ScreenOf(other.get());
  }
  return screen;
}

Json PlayLibvterm(std::string_view bytes, Size size) {
  VTerm* vterm = vterm_new(size.rows, size.cols);
  vterm_set_utf8(vterm, 1);
  VTermScreen* screen = vterm_obtain_screen(vterm);
  vterm_screen_enable_altscreen(screen, 1);
  vterm_screen_reset(screen, 1);
  vterm_input_write(vterm, bytes.data(), bytes.size());
  char taken[64];
  while (vterm_output_read(vterm, taken, sizeof taken) > 0) continue;
  vterm_input_write(vterm, kQuestion.data(), kQuestion.size());
  size_t length = vterm_output_read(vterm, taken, sizeof taken);
  Json result;
  result["cursor"] = CursorOf({taken, length});
  Json rows = Json::array();
  for (int row = 0; row < size.rows; ++row) {
    std::string text;
    for (int col = 0; col < size.cols; ++col) {
      VTermScreenCell cell;
      vterm_screen_get_cell(screen, {row, col}, &cell);
      for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; ++i) {
        if (cell.chars[i] != ~uint32_t{0}) AppendUtf8(cell.chars[i], &text);
      }
      if (cell.chars[0] == 0) text += ' ';
    }
    text.resize(TrimTrailingBlanks(text).size());
    rows.push_back(text);
  }
  result["rows"] = std::move(rows);
  vterm_free(vterm);
  return result;
}

// Uses a separate process for each stream: libvterm crashes on some of them,
// and repeats for ever on others.
void PlayApart(std::string_view bytes, Size size) {
  std::cout.flush();
  pid_t child = fork();
  if (child == 0) {
    alarm(2);
    std::cout << DumpJson(PlayLibvterm(bytes, size)) << std::endl;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) std::cout << "{\"rows\":[],\"cursor\":\"crashed\"}\n";
}

// Later streams are longer.
void Generate(terminal::StreamGenerator::Kind kind, uint64_t seed, int count,
              Size size) {
  constexpr int kShortest = 2, kLongest = 18;
  for (int i = 0; i < count; ++i) {
    terminal::StreamGenerator generator(
        seed * 1'000'000 + static_cast<uint64_t>(i), kind, size);
    std::string line;
    // Half of them begin on a full screen.
    for (int row = 0; i % 2 == 0 && row < size.rows - 1; ++row) {
      if (!line.empty()) line += '\t';
      line.append(static_cast<size_t>(size.cols),
                  static_cast<char>('A' + row % 26));
    }
    int items = kShortest + (kLongest - kShortest) * i / count;
    for (const std::string& item : generator.Items(items)) {
      if (!line.empty()) line += '\t';
      line += EscapeBytes(item);
    }
    std::cout << line << '\n';
  }
}

int Run(const std::vector<std::string>& args) {
  const std::string command = args.empty() ? "" : args[0];
  constexpr Size kSmall = {10, 20};
  if (command == "generate" && args.size() == 4) {
    auto kind = terminal::StreamGenerator::KindNamed(args[1]);
    if (!kind.has_value()) return 2;
    Generate(*kind, std::strtoull(args[2].c_str(), nullptr, 10),
             std::atoi(args[3].c_str()), kSmall);
    return 0;
  }
  Size size;
  if (args.size() != 2 ||
      std::sscanf(args[1].c_str(), "%dx%d", &size.rows, &size.cols) != 2) {
    return 2;
  }
  for (std::string line; std::getline(std::cin, line);) {
    std::string bytes = Unescaped(line);
    if (command == "libvterm") {
      PlayApart(bytes, size);
    } else {
      std::cout << DumpJson(PlayGlasstty(bytes, size)) << '\n' << std::flush;
    }
  }
  return 0;
}

}  // namespace
}  // namespace glasstty

int main(int argc, char** argv) {
  int status = glasstty::Run({argv + 1, argv + argc});
  if (status == 2) {
    std::fputs(
        "usage: play generate KIND SEED COUNT | glasstty ROWSxCOLS | "
        "libvterm ROWSxCOLS\n",
        stderr);
  }
  return status;
}
