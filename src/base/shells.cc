#include "base/shells.h"

#include <algorithm>
#include <iterator>

namespace glasstty {
namespace {

// bash takes "(" as well with `shopt -s extglob` only.
constexpr std::string_view kBashBang = " \t\r\n=";
constexpr std::string_view kZshBang = " \t\r\n=(";

constexpr std::string_view kEval = "eval \"$(printf %)\"";

constexpr Shell kShells[] = {
    // name, edits lines, sh, status, source, pastes tabs, eval, "!" is plain in
    // front of
    {"bash", true, true, "$?", ".", true, kEval, kBashBang},
    {"zsh", true, true, "$?", ".", true, kEval, kZshBang},
    {"fish", true, false, "$status", "source", false,
     "eval (printf % | string collect)", ""},
    {"sh", false, true, "$?", ".", true, kEval, ""},
    {"dash", false, true, "$?", ".", true, kEval, ""},
    {"ash", false, true, "$?", ".", true, kEval, ""},
    {"busybox", true, true, "$?", ".", true, kEval, ""},
    {"ksh", true, true, "$?", ".", true, kEval, ""},
    {"mksh", true, true, "$?", ".", true, kEval, ""},
    {"yash", true, true, "$?", ".", true, kEval, ""},
    {"rbash", true, true, "$?", ".", true, kEval, kBashBang},
    {"csh", true, false, "$status", "source", true, "", kZshBang},
    {"tcsh", true, false, "$status", "source", true, "", kZshBang},
};

// True if it is simple which quotes of `text` belong together.
bool HasPlainQuotes(std::string_view text) {
  for (std::string_view nesting : {"\n", "`", "$(", "${", "$'"}) {
    if (text.find(nesting) != std::string_view::npos) return false;
  }
  return true;
}

bool BeginsWithCaret(std::string_view text) {
  size_t line = 0;
  while (line != std::string_view::npos) {
    size_t first = text.find_first_not_of(" \t", line);
    if (first != std::string_view::npos && text[first] == '^') return true;
    line = text.find('\n', line);
    if (line != std::string_view::npos) ++line;
  }
  return false;
}

}  // namespace

const Shell* FindShell(std::string_view program) {
  program = program.substr(program.rfind('/') + 1);
  if (program.starts_with('-')) program.remove_prefix(1);
  const Shell* row = std::find_if(
      std::begin(kShells), std::end(kShells),
      [program](const Shell& shell) { return shell.name == program; });
  return row == std::end(kShells) ? nullptr : row;
}

const Shell& ShellOrSh(std::string_view program) {
  const Shell* row = FindShell(program);
  return row != nullptr ? *row : *FindShell("sh");
}

bool RecallsHistory(const Shell& shell, std::string_view text) {
  if (shell.plain_after_bang.empty()) return false;
  if (BeginsWithCaret(text)) return true;
  bool plain_quotes = HasPlainQuotes(text);
  bool in_double = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '!') {
      bool is_last = i + 1 == text.size();
      if (is_last) return false;
      if (shell.plain_after_bang.find(text[i + 1]) == std::string_view::npos) {
        return true;
      }
    }
    if (!plain_quotes) continue;
    if (c == '\\') ++i;
    if (c == '"') in_double = !in_double;
    if (c == '\'' && !in_double) {
      size_t end = text.find('\'', i + 1);
      if (end == std::string_view::npos) return false;
      i = end;
    }
  }
  return false;
}

}  // namespace glasstty
