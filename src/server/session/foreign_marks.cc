// A whole prefix is listed only if no setting of the user begins with it.
// GEMINI_API_KEY, CLAUDE_CODE_USE_BEDROCK and KITTY_CONFIG_DIRECTORY, for
// example, are the user's.
#include "session/foreign_marks.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "absl/strings/str_format.h"

namespace glasstty::session {
namespace {

struct Marks {
  // The program that sets these variables, with the version if it is known.
  const char* by;
  std::vector<std::string_view> names;
  std::vector<std::string_view> prefixes = {};
};

const std::vector<Marks>& AllMarks() {
  static const std::vector<Marks> all = {
      {"any agent", {"AGENT", "AI_AGENT"}},
      {"Claude Code 2.1.332",
       {"CLAUDECODE", "CLAUDE_CODE", "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT",
        "CLAUDE_PLUGIN_DATA", "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_NOTES_DIR",
        "CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS", "CLAUDE_CODE_MESSAGING_SOCKET",
        "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_SSE_PORT",
        "COREPACK_ENABLE_AUTO_PIN", "NoDefaultCurrentDirectoryInExePath"}},
      {"Gemini CLI 0.61.0",
       {"GEMINI_CLI", "GEMINI_CLI_NO_RELAUNCH"},
       {"GEMINI_CLI_IDE_"}},
      {"Qwen Code 0.24.4",
       {"QWEN_CODE", "QWEN_CODE_NO_RELAUNCH", "QWEN_CODE_SESSION_ID",
        "QWEN_CODE_MESSAGING_SOCKET", "QWEN_CODE_MESSAGING_TOKEN",
        "QWEN_CODE_LAUNCHER_PID", "QWEN_CODE_MODEL"},
       {"QWEN_CODE_IDE_"}},
      {"opencode 1.18.33",
       {"OPENCODE", "OPENCODE_PID", "OPENCODE_RUN_ID", "OPENCODE_PROCESS_ROLE",
        "OPENCODE_CLIENT", "OPENCODE_CALLER"}},
      {"Kilo 7.7.9", {"KILO", "KILO_PID", "KILO_RUN_ID", "KILO_PROCESS_ROLE"}},
      {"Copilot CLI 1.0.102",
       {"COPILOT_AGENT", "COPILOT_CLI", "COPILOT_CLI_BINARY_VERSION",
        "COPILOT_LOADER_PID", "COPILOT_RUN_APP", "COPILOT_SESSION_ID"},
       {"COPILOT_AGENT_"}},
      {"Codex 0.171.0",
       {"CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_CI",
        "CODEX_INTERNAL_ORIGINATOR_OVERRIDE"},
       {"CODEX_SANDBOX", "CODEX_MANAGED_BY_"}},
      {"Cursor", {"CURSOR_AGENT", "CURSOR_CLI", "CURSOR_TRACE_ID"}},
      {"pi 1.6.0", {"PI_CODING_AGENT"}},
      {"others",
       {"AMP_CURRENT_THREAD_ID", "ANTIGRAVITY_AGENT", "AUGMENT_AGENT",
        "CLINE_ACTIVE", "GOOSE_TERMINAL"}},

      {"a terminal of another size", {"LINES", "COLUMNS", "TERMCAP"}},
      {"several terminals",
       {"TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID",
        "TERM_FEATURES", "TERMINAL_EMULATOR", "COLORFGBG", "WINDOWID"}},
      {"iTerm2",
       {"LC_TERMINAL", "LC_TERMINAL_VERSION", "ITERM_PROFILE",
        "ITERM_SESSION_ID"}},
      {"kitty",
       {"KITTY_WINDOW_ID", "KITTY_PID", "KITTY_LISTEN_ON", "KITTY_PUBLIC_KEY",
        "KITTY_INSTALLATION_DIR", "KITTY_SHELL_INTEGRATION"}},
      {"WezTerm, Alacritty, Ghostty, Konsole",
       {},
       {"WEZTERM_", "ALACRITTY_", "GHOSTTY_", "KONSOLE_"}},
      {"Windows Terminal", {"WT_SESSION", "WT_PROFILE_ID"}},
      {"VTE", {"VTE_VERSION"}, {"GNOME_TERMINAL_"}},
      {"Tilix, Terminator, Ptyxis, Zed, xterm",
       {"TILIX_ID", "ZED_TERM", "XTERM_VERSION", "XTERM_SHELL", "XTERM_LOCALE"},
       {"TERMINATOR_", "PTYXIS_"}},
      {"tmux, screen, Zellij",
       {"TMUX", "TMUX_PANE", "STY", "WINDOW", "ZELLIJ", "ZELLIJ_PANE_ID",
        "ZELLIJ_SESSION_NAME"}},
      {"editors' terminals",
       {"NVIM", "VIM_TERMINAL", "INSIDE_EMACS", "VSCODE_INJECTION"}},
  };
  return all;
}

std::string ValueOf(const Variables& variables, const std::string& name) {
  auto it = variables.find(name);
  return it == variables.end() ? "" : it->second;
}

bool HasNameThatStartsWith(const Variables& variables,
                           std::string_view prefix) {
  auto it = variables.lower_bound(std::string(prefix));
  return it != variables.end() && it->first.starts_with(prefix);
}

std::string GitKey(int i) { return absl::StrFormat("GIT_CONFIG_KEY_%d", i); }
std::string GitValue(int i) {
  return absl::StrFormat("GIT_CONFIG_VALUE_%d", i);
}

bool IsSettingOfClient(const Variables& variables, int i) {
  return ValueOf(variables, GitKey(i)) == "safe.bareRepository" &&
         ValueOf(variables, GitValue(i)) == "explicit";
}

// Returns 0 if there is no number, if git would reject it, or if it is greater
// than kMost.
int CountOfGitSettings(const Variables& variables) {
  constexpr int kMost = 1'000;  // far more than anybody sets
  std::string text = ValueOf(variables, "GIT_CONFIG_COUNT");
  int count = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), count);
  bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && count <= kMost ? std::max(count, 0) : 0;
}

}  // namespace

bool IsForeignMark(std::string_view name) {
  for (const Marks& marks : AllMarks()) {
    for (std::string_view mark : marks.names) {
      if (name == mark) return true;
    }
    for (std::string_view prefix : marks.prefixes) {
      if (name.starts_with(prefix)) return true;
    }
  }
  return false;
}

// git requires numbers without gaps, so later settings move down.
void RemoveGitSettingOfClient(Variables* variables) {
  if (!HasNameThatStartsWith(*variables, "COPILOT_")) return;
  const int count = CountOfGitSettings(*variables);
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (IsSettingOfClient(*variables, i)) continue;
    for (auto name : {GitKey, GitValue}) {
      auto moved = variables->extract(name(i));
      if (moved.empty()) continue;
      moved.key() = name(kept);
      variables->erase(name(kept));
      variables->insert(std::move(moved));
    }
    ++kept;
  }
  if (kept == count) return;
  for (int i = kept; i < count; ++i) {
    variables->erase(GitKey(i));
    variables->erase(GitValue(i));
  }
  (*variables)["GIT_CONFIG_COUNT"] = absl::StrFormat("%d", kept);
  if (kept == 0) variables->erase("GIT_CONFIG_COUNT");
}

}  // namespace glasstty::session
