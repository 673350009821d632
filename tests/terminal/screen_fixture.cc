#include "screen_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "absl/strings/str_format.h"
#include "base/escape.h"
#include "support/text.h"
#include "terminal/pen.h"
#include "testing/source_tree.h"

namespace glasstty::terminal {
namespace {

constexpr std::string_view kBlockStart = "-- ";

// --- pictures ---

FixtureBlock ScreenPicture(Terminal* terminal) {
  Snapshot snapshot = terminal->TakeSnapshot();
  FixtureBlock block;
  block.name = "screen";
  block.arguments =
      absl::StrFormat("cursor=%d,%d", snapshot.cursor.row, snapshot.cursor.col);
  if (snapshot.cursor.pending_wrap) block.arguments += " wrap=pending";
  if (!snapshot.cursor.visible) block.arguments += " hidden";
  if (snapshot.alternate) block.arguments += " alternate";
  size_t rows = static_cast<size_t>(snapshot.cursor.row) + 1;
  for (size_t i = 0; i < snapshot.rows.size(); ++i) {
    if (!snapshot.rows[i].text.empty()) rows = std::max(rows, i + 1);
  }
  for (size_t i = 0; i < rows; ++i) {
    // Rows that continue the one above begin with ':'.
    block.body.push_back((snapshot.rows[i].wrapped ? ":" : "|") +
                         snapshot.rows[i].text);
  }
  return block;
}

// Shows a letter for each style in order of appearance, '.' for the default.
FixtureBlock AttrsPicture(Terminal* terminal) {
  Snapshot snapshot = terminal->TakeSnapshot();
  FixtureBlock block;
  block.name = "attrs";
  std::vector<Style> legend;
  std::vector<std::string> rows;
  size_t used = 0;
  for (const SnapshotRow& row : snapshot.rows) {
    std::string letters;
    for (const StyleRun& run : row.styles) {
      auto at = std::find(legend.begin(), legend.end(), run.style);
      char letter = static_cast<char>('a' + (at - legend.begin()));
      if (at == legend.end()) legend.push_back(run.style);
      letters.resize(static_cast<size_t>(run.col), '.');
      letters.append(static_cast<size_t>(run.cols), letter);
    }
    rows.push_back("|" + letters);
    if (!letters.empty()) used = rows.size();
  }
  block.body.assign(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(used));
  for (size_t i = 0; i < legend.size(); ++i) {
    block.body.push_back(absl::StrFormat("%c %s", static_cast<char>('a' + i),
                                         SgrParameters(legend[i])));
  }
  return block;
}

// Tabs, carriage returns and a blank at the end are made visible.
std::string VisibleLine(std::string text) {
  bool ends_blank = text.ends_with(' ');
  if (ends_blank) text.pop_back();
  for (auto [from, to] : {std::pair{"\t", "\\t"}, {"\r", "\\r"}}) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
      text.replace(at, 1, to);
    }
  }
  return ends_blank ? text + "\\x20" : text;
}

FixtureBlock LinesPicture(Terminal* terminal) {
  FixtureBlock block;
  block.name = "lines";
  block.arguments = absl::StrFormat("cursor=%d", terminal->cursor_line());
  for (const Line& line :
       terminal->Lines(terminal->first_line(), terminal->end_line())) {
    block.body.push_back(
        absl::StrFormat("%d|%s", line.number, VisibleLine(line.text)));
  }
  return block;
}

std::string EventName(const TerminalEvent& event) {
  using Type = TerminalEvent::Type;
  static const std::map<Type, std::string> names = {
      {Type::kTitle, "title"},
      {Type::kBell, "bell"},
      {Type::kCwd, "cwd"},
      {Type::kMark, "mark"},
      {Type::kClipboard, "clipboard"},
      {Type::kProgress, "progress"},
      {Type::kGraphics, "graphics"},
      {Type::kAlternate, "alternate"},
      {Type::kSync, "sync"},
      {Type::kScrollbackCleared, "ed3"},
      {Type::kLink, "link"},
      {Type::kStatus, "status"}};
  return names.at(event.type);
}

FixtureBlock EventsPicture(Terminal* terminal) {
  FixtureBlock block;
  block.name = "events";
  for (const TerminalEvent& event : terminal->TakeEvents()) {
    // The replies have a block of their own.
    if (event.type == TerminalEvent::Type::kAsked) continue;
    std::string text = event.text.empty() ? "" : " \"" + event.text + "\"";
    bool is_switch = event.type == TerminalEvent::Type::kAlternate ||
                     event.type == TerminalEvent::Type::kSync;
    if (is_switch) text += event.flag ? " on" : " off";
    if (event.type == TerminalEvent::Type::kMark) {
      text += absl::StrFormat(" bytes=%d", event.line_bytes);
    }
    block.body.push_back(absl::StrFormat("%s%s offset=%d line=%d col=%d",
                                         EventName(event), text, event.offset,
                                         event.line, event.col));
  }
  return block;
}

FixtureBlock RepliesPicture(Terminal* terminal) {
  FixtureBlock block;
  block.name = "replies";
  std::string replies = EscapeBytes(terminal->TakeReplies());
  if (!replies.empty()) block.body.push_back(replies);
  return block;
}

FixtureBlock TitlePicture(Terminal* terminal) {
  return {"title", "", {terminal->title()}};
}

// Shows the modes that differ from those after a reset.
FixtureBlock ModesPicture(Terminal* terminal) {
  const Modes& modes = terminal->modes();
  const Modes fresh;
  FixtureBlock block;
  block.name = "modes";
  struct Flag {
    std::string_view name;
    bool Modes::*flag;
  };
  for (const Flag& flag : std::initializer_list<Flag>{
           {"alternate_screen", &Modes::alternate_screen},
           {"application_cursor", &Modes::application_cursor},
           {"application_keypad", &Modes::application_keypad},
           {"autowrap", &Modes::autowrap},
           {"origin", &Modes::origin},
           {"reverse_screen", &Modes::reverse_screen},
           {"cursor_visible", &Modes::cursor_visible},
           {"cursor_blink", &Modes::cursor_blink},
           {"insert", &Modes::insert},
           {"newline", &Modes::newline},
           {"side_margins", &Modes::side_margins},
           {"bracketed_paste", &Modes::bracketed_paste},
           {"focus_reports", &Modes::focus_reports},
           {"synchronized", &Modes::synchronized}}) {
    if (modes.*flag.flag == fresh.*flag.flag) continue;
    block.body.push_back(
        absl::StrFormat("%s %s", flag.name, modes.*flag.flag ? "on" : "off"));
  }
  auto add = [&block](std::string_view name, int value) {
    if (value != 0) block.body.push_back(absl::StrFormat("%s %d", name, value));
  };
  add("mouse", static_cast<int>(modes.mouse));
  add("mouse_encoding", static_cast<int>(modes.mouse_encoding));
  add("cursor_style", modes.cursor_style);
  add("modify_other_keys", modes.modify_other_keys);
  add("format_other_keys", modes.format_other_keys);
  add("kitty_flags", modes.kitty_flags);
  return block;
}

FixtureBlock DropsPicture(Terminal* terminal) {
  const DropCounts& drops = terminal->drops();
  return {"drops",
          absl::StrFormat("sequences=%d strings=%d replies=%d", drops.sequences,
                          drops.strings, drops.replies),
          {}};
}

using Painter = FixtureBlock (*)(Terminal* terminal);
const std::map<std::string, Painter, std::less<>>& Painters() {
  static const std::map<std::string, Painter, std::less<>> painters = {
      {"screen", &ScreenPicture},   {"attrs", &AttrsPicture},
      {"lines", &LinesPicture},     {"events", &EventsPicture},
      {"replies", &RepliesPicture}, {"title", &TitlePicture},
      {"modes", &ModesPicture},     {"drops", &DropsPicture}};
  return painters;
}

}  // namespace

FixtureBlock Picture(std::string_view name, Terminal* terminal) {
  return Painters().find(name)->second(terminal);
}

bool IsPicture(const FixtureBlock& block) {
  return Painters().contains(block.name);
}

ScreenFixture ScreenFixture::Parse(std::string_view text) {
  ScreenFixture fixture;
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const std::string& line : Split(text, '\n')) {
    if (line.starts_with(kBlockStart)) {
      std::string head = line.substr(kBlockStart.size());
      size_t end = std::min(head.find(' '), head.size());
      FixtureBlock block;
      block.name = head.substr(0, end);
      if (end < head.size()) block.arguments = head.substr(end + 1);
      fixture.blocks.push_back(block);
    } else if (fixture.blocks.empty()) {
      fixture.prose += line + "\n";
    } else {
      fixture.blocks.back().body.push_back(line);
    }
  }
  return fixture;
}

std::string ScreenFixture::Print() const {
  std::string out = prose;
  for (const FixtureBlock& block : blocks) {
    out += "-- " + block.name;
    if (!block.arguments.empty()) out += " " + block.arguments;
    out += "\n";
    for (const std::string& line : block.body) out += line + "\n";
  }
  return out;
}

Size ParseSize(std::string_view text) {
  std::vector<std::string> parts = Split(text, 'x');
  return {std::stoi(parts.at(0)), std::stoi(parts.at(1))};
}

Size ScreenFixture::size() const {
  for (const FixtureBlock& block : blocks) {
    if (block.name == "size") return ParseSize(block.arguments);
  }
  return {4, 20};
}

std::string FeedBytes(const FixtureBlock& block) {
  std::string bytes;
  for (const std::string& line : block.body) bytes += UnescapeBytes(line);
  return bytes;
}

Splitter WholeSplitter() {
  return [](std::string_view bytes, const auto& feed) { feed(bytes); };
}

Splitter ByteSplitter() {
  return [](std::string_view bytes, const auto& feed) {
    for (size_t i = 0; i < bytes.size(); ++i) feed(bytes.substr(i, 1));
  };
}

Splitter RandomSplitter(uint64_t seed) {
  return [random = std::mt19937_64(seed)](std::string_view bytes,
                                          const auto& feed) mutable {
    while (!bytes.empty()) {
      size_t part = random() % 40;
      feed(bytes.substr(0, part));
      bytes.remove_prefix(std::min(part, bytes.size()));
    }
  };
}

ScreenFixture Play(const ScreenFixture& fixture, const Splitter& splitter) {
  Terminal::Options options;
  options.size = fixture.size();
  auto terminal = Terminal::Create(options);
  EXPECT_TRUE(terminal.ok());
  ScreenFixture out = fixture;
  for (FixtureBlock& block : out.blocks) {
    if (block.name == "feed") {
      splitter(FeedBytes(block),
               [&terminal](std::string_view part) { (*terminal)->Feed(part); });
    } else if (block.name == "resize") {
      EXPECT_TRUE((*terminal)->Resize(ParseSize(block.arguments)).ok());
    } else if (IsPicture(block)) {
      block = Picture(block.name, terminal->get());
    } else {
      EXPECT_EQ(block.name, "size") << "unknown block: " << block.name;
    }
  }
  return out;
}

std::string Diff(std::string_view expected, std::string_view actual) {
  std::vector<std::string> a = Split(expected, '\n'), b = Split(actual, '\n');
  // Finds the longest common subsequence; fixtures are short.
  std::vector<std::vector<size_t>> length(a.size() + 1,
                                          std::vector<size_t>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      length[i][j] = a[i] == b[j]
                         ? length[i + 1][j + 1] + 1
                         : std::max(length[i + 1][j], length[i][j + 1]);
    }
  }
  std::string out;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      out += " " + a[i++] + "\n";
      ++j;
    } else if (j == b.size() ||
               (i < a.size() && length[i + 1][j] >= length[i][j + 1])) {
      out += "-" + a[i++] + "\n";
    } else {
      out += "+" + b[j++] + "\n";
    }
  }
  return out;
}

std::string ReadFixture(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> FixturePaths(const std::string& directory,
                                      std::string_view suffix) {
  std::vector<std::string> paths;
  std::filesystem::path root = SourcePath("fixtures");
  for (const auto& entry :
       std::filesystem::directory_iterator(root / directory)) {
    std::string path = entry.path().string();
    if (path.ends_with(suffix)) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace glasstty::terminal
