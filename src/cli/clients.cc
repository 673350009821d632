#include "cli/clients.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cli/config_edit.h"
#include "support/status.h"

namespace glasstty {
namespace {

using Format = ClientRow::Format;

Json Plain(const std::string& program) {
  return {{"command", program}, {"args", {"mcp"}}};
}

Json Typed(const std::string& program) {
  return {{"type", "stdio"}, {"command", program}, {"args", {"mcp"}}};
}

// Returns an entry with one list for the program and its arguments.
Json Listed(const std::string& program) {
  return {{"type", "local"}, {"command", {program, "mcp"}}, {"enabled", true}};
}

// Raises Codex's timeout of calls, which is 60 s by default.
Json Patient(const std::string& program) {
  Json entry = Plain(program);
  entry["tool_timeout_sec"] = 120;
  return entry;
}

// Returns an entry with a timeout in milliseconds.
Json PatientMs(const std::string& program) {
  Json entry = Plain(program);
  entry["timeout"] = 600'000;
  return entry;
}

// Names all tools, because Copilot CLI offers only tools that are named.
Json WithTools(const std::string& program) {
  Json entry = {{"type", "local"}, {"command", program}, {"args", {"mcp"}}};
  entry["tools"] = Json::array({"*"});
  return entry;
}

// Returns an entry as goose writes it; its timeout is in seconds.
Json Extension(const std::string& program) {
  return {{"enabled", true},    {"type", "stdio"},
          {"name", "glasstty"}, {"description", "Real terminals"},
          {"cmd", program},     {"args", {"mcp"}},
          {"timeout", 600}};
}

// The name after the '@' is the marketplace's, which is the project's
// repository or the folder of plugins.
constexpr PluginCommands kClaudePlugin = {
    "claude",
    {{"claude", "plugin", "marketplace", "add", PluginCommands::kSource},
     {"claude", "plugin", "install", "glasstty@glasstty"}},
    {{"claude", "plugin", "uninstall", "glasstty@glasstty"},
     {"claude", "plugin", "marketplace", "remove", "glasstty"}},
    "~/.claude/plugins/installed_plugins.json",
    "glasstty@glasstty",
    "",
    "glasstty/glasstty"};
constexpr PluginCommands kCodexPlugin = {
    "codex",
    {{"codex", "plugin", "marketplace", "add", PluginCommands::kSource},
     {"codex", "plugin", "add", "glasstty@glasstty"}},
    {{"codex", "plugin", "remove", "glasstty@glasstty"},
     {"codex", "plugin", "marketplace", "remove", "glasstty"}},
    "~/.codex/config.toml",
    "glasstty@glasstty",
    "",
    "glasstty/glasstty"};
// Without the variable, --consent would also trust the current directory
// permanently.
constexpr PluginCommands kGeminiPlugin = {
    "gemini",
    {{"env", "GEMINI_CLI_TRUST_WORKSPACE=true", "gemini", "extensions", "link",
      PluginCommands::kSource, "--consent"},
     {}},
    {{"env", "GEMINI_CLI_TRUST_WORKSPACE=true", "gemini", "extensions",
      "uninstall", "glasstty"},
     {}},
    "~/.gemini/extensions/glasstty/.gemini-extension-install.json",
    "source",
    "/glasstty",
    nullptr};

// A folder that a client lets its users move.
struct MovableFolder {
  std::string_view path;  // how paths in the folder begin
  const char* variable;
  const char* moved;  // replaces `path`, after the variable's value
};
constexpr MovableFolder kMovableFolders[] = {
    {"~/.codex/", "CODEX_HOME", "/"},
    {"~/.copilot/", "COPILOT_HOME", "/"},
    {"~/.claude/", "CLAUDE_CONFIG_DIR", "/"},
    {"~/.claude.json", "CLAUDE_CONFIG_DIR", "/.claude.json"},
};

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

const std::vector<ClientRow>& ClientTable() {
  static const auto* rows = new std::vector<ClientRow>{
      {"claude-code", "Claude Code", "~/.claude.json", Format::kJson,
       "mcpServers", Typed, "Start a new session of Claude Code.",
       &kClaudePlugin},
      {"claude-desktop", "Claude Desktop",
       "$XDG_CONFIG_HOME/Claude/claude_desktop_config.json", Format::kJson,
       "mcpServers", Plain, "Restart Claude Desktop."},
      {"cursor", "Cursor", "~/.cursor/mcp.json", Format::kJson, "mcpServers",
       Plain, "Switch it on in Cursor's settings, under MCP."},
      {"vscode", "VS Code", "$XDG_CONFIG_HOME/Code/User/mcp.json",
       Format::kJson, "servers", Typed,
       "Start it from the command \"MCP: List Servers\"."},
      {"windsurf", "Windsurf", "~/.codeium/windsurf/mcp_config.json",
       Format::kJson, "mcpServers", Plain, "Refresh the list of MCP servers."},
      {"codex", "Codex", "~/.codex/config.toml", Format::kToml, "mcp_servers",
       Patient, "Start a new session of Codex.", &kCodexPlugin},
      {"gemini", "Gemini CLI", "~/.gemini/settings.json", Format::kJson,
       "mcpServers", PatientMs, "Start a new session of Gemini CLI.",
       &kGeminiPlugin},
      {"opencode", "opencode", "$XDG_CONFIG_HOME/opencode/opencode.json",
       Format::kJson, "mcp", Listed, "Start a new session of opencode."},
      {"zed", "Zed", "$XDG_CONFIG_HOME/zed/settings.json", Format::kJson,
       "context_servers", Plain, "Zed starts it by itself."},
      {"cline", "Cline",
       "$XDG_CONFIG_HOME/Code/User/globalStorage/saoudrizwan.claude-dev/"
       "settings/cline_mcp_settings.json",
       Format::kJson, "mcpServers", Plain, "Cline reads the file anew."},
      {"antigravity", "Antigravity", "~/.gemini/config/mcp_config.json",
       Format::kJson, "mcpServers", Plain,
       "Refresh the list of MCP servers, or start a new session of agy."},
      {"copilot", "Copilot CLI", "~/.copilot/mcp-config.json", Format::kJson,
       "mcpServers", WithTools, "Start a new session of Copilot CLI."},
      {"kiro", "Kiro", "~/.kiro/settings/mcp.json", Format::kJson, "mcpServers",
       Plain, "Kiro reads the file anew."},
      {"goose", "goose", "$XDG_CONFIG_HOME/goose/config.yaml", Format::kYaml,
       "extensions", Extension, "Start a new session of goose.", nullptr,
       "cmd"},
      {"qwen", "Qwen Code", "~/.qwen/settings.json", Format::kJson,
       "mcpServers", PatientMs, "Start a new session of Qwen Code."},
      {"openclaw", "OpenClaw", "~/.openclaw/openclaw.json", Format::kJson,
       "mcp.servers", Plain, "Restart the gateway of OpenClaw."},
  };
  return *rows;
}

const ClientRow* FindClient(std::string_view name) {
  for (const ClientRow& row : ClientTable()) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

std::vector<std::string> ClientNames() {
  std::vector<std::string> names;
  for (const ClientRow& row : ClientTable()) names.emplace_back(row.name);
  return names;
}

std::string ClientFile(const char* written) {
  std::string path = written;
  for (const MovableFolder& folder : kMovableFolders) {
    std::string base = Variable(folder.variable);
    if (base.starts_with("/") && path.starts_with(folder.path)) {
      return base + folder.moved + path.substr(folder.path.size());
    }
  }
  std::string home = Variable("HOME");
  std::string config = Variable("XDG_CONFIG_HOME");
  // The XDG base directory specification says that relative paths are ignored.
  if (!config.starts_with("/")) config = home.empty() ? "" : home + "/.config";
  constexpr std::string_view kConfig = "$XDG_CONFIG_HOME";
  if (path.starts_with(kConfig)) {
    return config.empty() ? "" : config + path.substr(kConfig.size());
  }
  return home.empty() ? "" : home + path.substr(1);
}

std::string OwnPath() {
  std::error_code error;
  auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "glasstty" : path.string();
}

std::string PluginSource(const PluginCommands& plugin) {
  std::filesystem::path programs =
      std::filesystem::path(OwnPath()).parent_path();
  std::string folders = (programs.parent_path() / "share/glasstty/plugins");
  std::error_code error;
  bool is_here = plugin.folder != nullptr &&
                 std::filesystem::exists(folders + plugin.folder, error);
  if (is_here) return folders + plugin.folder;
  return plugin.online == nullptr ? "" : plugin.online;
}

std::string ClientSnippet(const ClientRow& client, const std::string& program) {
  auto text = AddServer("", client, program);
  return text.ok() ? *text : Message(text.status());
}

}  // namespace glasstty
