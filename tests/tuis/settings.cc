#include "tuis/settings.h"

#include "testing/source_tree.h"

namespace glasstty::testing {
namespace {

void WriteClaudeCode(const TempDir& home, const std::string& project) {
  home.Write(
      ".claude.json",
      Json({{"hasCompletedOnboarding", true},
            {"theme", "dark"},
            {"projects", {{project, {{"hasTrustDialogAccepted", true}}}}}})
          .dump());
}

void WriteCodex(const TempDir& home, const std::string& project,
                const std::string& url) {
  home.Write(".codex/config.toml",
             "model = \"mock\"\nmodel_provider = \"mock\"\n"
             "check_for_update_on_startup = false\n"
             "[model_providers.mock]\nname = \"mock\"\nbase_url = \"" +
                 url +
                 "/v1\"\nwire_api = \"responses\"\n"
                 "[projects.\"" +
                 project + "\"]\ntrust_level = \"trusted\"\n");
}

void WriteCopilot(const TempDir& home, const std::string& project) {
  home.Write(".copilot/config.json",
             Json({{"trusted_folders", {project}}}).dump());
  home.Write(".copilot/settings.json", Json({{"banner", "never"}}).dump());
}

// Qwen Code began as Gemini CLI and has kept the shape of its settings.
void WriteGeminiAndQwen(const TempDir& home, const std::string& url) {
  Json settings = {
      {"security", {{"folderTrust", {{"enabled", false}}}}},
      {"general",
       {{"enableAutoUpdate", false}, {"enableAutoUpdateNotification", false}}},
      {"privacy", {{"usageStatisticsEnabled", false}}},
      {"ide", {{"enabled", false}}}};
  settings["security"]["auth"]["selectedType"] = "gemini-api-key";
  home.Write(".gemini/settings.json", settings.dump());
  settings["security"]["auth"]["selectedType"] = "openai";
  // The model's suggestion would be part of what is typed next.
  settings["ui"]["enableFollowupSuggestions"] = false;
  home.Write(".qwen/settings.json", settings.dump());
  home.Write(".qwen/.env",
             "OPENAI_API_KEY=x\nOPENAI_MODEL=mock\n"
             "OPENAI_BASE_URL=" +
                 url + "/v1\n");
}

void WriteOpencode(const TempDir& home, const std::string& url) {
  Json provider = {{"npm", "@ai-sdk/openai-compatible"},
                   {"name", "Mock"},
                   {"options", {{"baseURL", url + "/v1"}, {"apiKey", "x"}}},
                   {"models", {{"mock", {{"name", "Mock"}}}}}};
  home.Write(".config/opencode/opencode.json",
             Json({{"provider", {{"mock", provider}}},
                   {"model", "mock/mock"},
                   {"small_model", "mock/mock"},
                   {"autoupdate", false},
                   {"share", "disabled"}})
                 .dump());
}

void WritePi(const TempDir& home, const std::string& url) {
  Json provider = {{"baseUrl", url + "/v1"},
                   {"api", "openai-completions"},
                   {"apiKey", "x"},
                   {"models", Json::array({{{"id", "mock"}}})}};
  home.Write(".pi/agent/models.json",
             Json({{"providers", {{"mock", provider}}}}).dump());
  home.Write(".pi/agent/settings.json",
             Json({{"defaultProvider", "mock"},
                   {"defaultModel", "mock"},
                   {"defaultProjectTrust", "always"},
                   {"enableInstallTelemetry", false}})
                 .dump());
}

}  // namespace

void WriteSettings(const TempDir& home, const std::string& project,
                   const std::string& url) {
  for (const char* folder : {".codex", ".copilot", ".gemini", ".qwen",
                             ".pi/agent", ".config/opencode", ".config/btop"}) {
    RunCommand({"mkdir", "-p", home.Join(folder)});
  }
  WriteClaudeCode(home, project);
  WriteCodex(home, project, url);
  WriteCopilot(home, project);
  WriteGeminiAndQwen(home, url);
  WriteOpencode(home, url);
  WritePi(home, url);
  // It measures only once, and shows no clock, so only keys change its screen.
  home.Write(
      ".config/btop/btop.conf",
      "update_ms = 86400000\nclock_format = \"\"\nproc_sorting = \"pid\"\n");
}

Json SettingsEnvironment(const TempDir& home, const std::string& url) {
  return {{"HOME", home.path()},
          {"XDG_CONFIG_HOME", home.Join(".config")},
          {"XDG_DATA_HOME", home.Join(".local/share")},
          {"XDG_CACHE_HOME", home.Join(".cache")},
          {"XDG_STATE_HOME", home.Join(".local/state")},
          {"ANTHROPIC_BASE_URL", url},
          {"ANTHROPIC_AUTH_TOKEN", "x"},
          {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
          {"DISABLE_AUTOUPDATER", "1"},
          {"COPILOT_OFFLINE", "true"},
          {"COPILOT_PROVIDER_BASE_URL", url + "/v1"},
          {"COPILOT_PROVIDER_API_KEY", "x"},
          {"COPILOT_MODEL", "mock"},
          // It unpacks 235 MB at its first start, which all tests share.
          {"COPILOT_PKG_CACHE_HOME", SourcePath("build-tuis/copilot")},
          {"GEMINI_API_KEY", "x"},
          {"GOOGLE_GEMINI_BASE_URL", url},
          {"GEMINI_CLI_NO_RELAUNCH", "true"},
          {"OPENCODE_DISABLE_MODELS_FETCH", "1"},
          {"OPENCODE_DISABLE_AUTOUPDATE", "1"},
          {"PI_OFFLINE", "1"},
          {"QWEN_CODE_NO_RELAUNCH", "true"}};
}

}  // namespace glasstty::testing
