#include "typing/line_editor.h"

#include <algorithm>

#include "base/utf8.h"

namespace glasstty::typing {

bool HasLines(std::string_view text) {
  size_t end = text.find('\n');
  return end != std::string_view::npos && end + 1 < text.size();
}

std::vector<std::string> KeysOf(std::string_view text) {
  std::vector<std::string> keys;
  while (!text.empty()) {
    std::string_view rest = text;
    TakeUtf8(&rest);
    keys.emplace_back(text.substr(0, text.size() - rest.size()));
    text = rest;
  }
  return keys;
}

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

namespace {

// Returns the last answer if the program of a terminal, other than a shell at
// its prompt, waited for input then; or null.
const wire::ProbeAnswer* FindReader(const session::Session& session) {
  const wire::ProbeAnswer* answer = session.questions().prober().last();
  bool reads =
      answer != nullptr && answer->waiting >= wire::Waiting::kPollTimeout &&
      !session.origin().program.pipe &&
      session.verdict().LastState().activity != session::Activity::kPrompt;
  return reads ? answer : nullptr;
}

}  // namespace

bool EditsLines(const session::Session& session) {
  const wire::ProbeAnswer* reader = FindReader(session);
  return reader != nullptr && reader->canonical == 0;
}

bool LeavesLinesToShell(const session::Session& session) {
  const wire::ProbeAnswer* reader = FindReader(session);
  return reader != nullptr && reader->canonical != 0 && reader->lineage[1] != 0;
}

bool HasIndentedLines(std::string_view text) {
  return text.find("\n ") != std::string_view::npos ||
         text.find("\n\t") != std::string_view::npos;
}

bool IndentsLines(const session::Session& session) {
  if (!EditsLines(session)) return false;
  const terminal::Modes& modes = session.output().terminal().modes();
  const wire::ProbeAnswer* answer = session.questions().prober().last();
  return modes.bracketed_paste && !modes.alternate_screen &&
         (answer->no_signals != 0 || answer->raw_output != 0);
}

}  // namespace glasstty::typing
