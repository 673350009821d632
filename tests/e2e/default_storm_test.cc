// Five clients of the default kind, while their server and they themselves are
// killed: no line of any session is lost, and none is shown twice.
//
// GLASSTTY_STORM_SEED draws other victims than usual.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

constexpr int kClients = 5;

// A client in a directory of its own, by which the server knows it again, with
// a session that numbers the lines that are typed into it.
class Worker {
 public:
  Worker(const std::string& home, const std::string& state, int number)
      : state_(state), folder_(absl::StrCat(home, "/project", number)) {
    Start();
    Reply reply = Open(
        client_.get(), "it",
        {"sh", "-c",
         "i=0; while read -r x; do i=$((i+1)); echo \"line $i of $x\"; done"});
    EXPECT_TRUE(Good(reply));
  }

  // Ends the client as a crash does, and starts it again.
  void Crash() {
    client_->Signal(SIGKILL);
    client_->WaitForExit(Seconds(10));
    // The end of this object would kill all that the client has started.
    crashed_.push_back(std::move(client_));
    Start();
    call_ = 0;
  }

  // Begins to type a line.
  void Begin() {
    word_ = absl::StrCat("word", ++typed_, ";");
    call_ = Send();
  }
  // Types it again until a reply shows that it has arrived, because a call that
  // a death has interrupted has no answer.
  void Finish() {
    for (int attempt = 0; attempt < 20; ++attempt) {
      if (call_ == 0) call_ = Send();
      Reply reply = client_->Await(call_);
      if (!reply.message.is_null() && !reply.message.contains("error")) {
        ASSERT_TRUE(Good(reply));
        shown_ += reply.body + "\n";
        return;
      }
      call_ = 0;
    }
    ADD_FAILURE() << word_ << " was never answered";
  }

  // Checks all that the session has printed, and what the replies showed.
  void ExpectNothingLost() {
    Reply all = client_->Call(
        "term_read", {{"session", "it"}, {"mode", "all"}, {"max_lines", 0}});
    ASSERT_TRUE(Good(all));
    int last = 0;
    int word = 0;
    for (const std::string& line : Lines(all.body)) {
      if (!line.starts_with("line ")) continue;
      std::vector<std::string> parts = absl::StrSplit(line, ' ');
      ASSERT_EQ(parts.size(), 4u) << line;
      int number = 0, now = 0;
      ASSERT_TRUE(absl::SimpleAtoi(parts[1], &number)) << line;
      // A death between a text and its Enter leaves the text in the line,
      // before the same text of the next attempt.
      std::string text = parts[3].substr(parts[3].rfind("word") + 4);
      ASSERT_TRUE(absl::SimpleAtoi(absl::StripSuffix(text, ";"), &now)) << line;
      // Each line follows the one before; each word is there, in its order, and
      // a second time only if nobody was told of the first.
      EXPECT_EQ(number, ++last) << line;
      EXPECT_TRUE(now == word || now == word + 1) << line;
      word = now;
    }
    EXPECT_EQ(word, typed_);
    EXPECT_GE(last, typed_);
    for (int i = 1; i <= last; ++i) {
      std::string line = absl::StrCat("line ", i, " of");
      size_t first = shown_.find(line);
      if (first == std::string::npos) continue;
      EXPECT_EQ(shown_.find(line, first + 1), std::string::npos)
          << line << " was shown twice";
    }
  }

 private:
  int Send() {
    return client_->SendCall("term_send",
                             {{"session", "it"},
                              {"input", {word_ + "<Enter>"}},
                              {"until", {{"regex", "of " + word_}}},
                              {"mode", "stream"}});
  }
  void Start() {
    ServerOptions options;
    options.binary = "/usr/bin/env";
    std::filesystem::create_directories(folder_);
    options.arguments = {"-C", folder_, ServerPath(), "mcp"};
    options.environment = DefaultEnvironment(folder_);
    options.state_dir = state_;
    client_ = std::make_unique<McpClient>(options);
  }

  const std::string state_;
  const std::string folder_;
  std::unique_ptr<McpClient> client_;
  std::vector<std::unique_ptr<McpClient>> crashed_;
  int typed_ = 0;
  std::string word_;  // the last
  int call_ = 0;      // whose answer is awaited; 0: none
  std::string shown_;
};

TEST(DefaultStorm, OfManyKillsLosesNothing) {
  TempDir home;
  std::string state = home.Join("state");
  const char* given = std::getenv("GLASSTTY_STORM_SEED");
  unsigned seed = given == nullptr ? 1 : std::strtoul(given, nullptr, 10);
  const int most = Rounds(8, 30);
  SCOPED_TRACE(absl::StrCat("GLASSTTY_STORM_SEED=", seed));
  std::mt19937 random(seed);
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < kClients; ++i) {
    workers.push_back(std::make_unique<Worker>(home.path(), state, i));
  }
  for (int kills = 0; kills < most && !::testing::Test::HasFailure(); ++kills) {
    Worker& worker = *workers[random() % kClients];
    worker.Begin();
    pid_t server = wire::ServerOwner(state).pid;
    if (random() % 2 == 0 && server > 0) {
      kill(server, SIGKILL);
    } else {
      workers[random() % kClients]->Crash();
    }
    worker.Finish();
  }
  for (auto& worker : workers) worker->ExpectNothingLost();
  workers.clear();
  if (pid_t server = wire::ServerOwner(state).pid; server > 0) {
    kill(server, SIGKILL);
  }
}

}  // namespace
}  // namespace glasstty::testing
