// Tests every situation of the table, as an agent is told of it.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "e2e/ordinary_user.h"
#include "e2e/states_table.h"
#include "e2e/steps.h"
#include "testing/source_tree.h"

namespace glasstty::testing {

void PrintTo(const Situation& row, std::ostream* out) { *out << row.Name(); }

namespace {

constexpr int kLooks = 20;

// Splits "[it] busy(kernel) 12.0s ..." into two words; input and secret from
// the kernel have no bracket.
struct Told {
  std::string state;
  std::string evidence;
  bool operator==(const Told&) const = default;
};

Told WhatIsTold(const Reply& reply) {
  size_t begin = reply.header.find("] ") + 2;
  std::string word =
      reply.header.substr(begin, reply.header.find(' ', begin) - begin);
  size_t bracket = word.find('(');
  if (bracket == std::string::npos) {
    bool shell = word == "prompt" || word == "busy";
    return {word, shell ? "shell" : "kernel"};
  }
  std::string evidence = word.substr(bracket + 1);
  evidence.resize(evidence.find(')'));
  return {word.substr(0, bracket), evidence};
}

void PrintTo(const Told& told, std::ostream* out) {
  *out << told.state << " by " << told.evidence;
}

// The kernel accepts each connection, which never gets an answer.
class SilentServer {
 public:
  SilentServer() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (bind(socket_.get(), generic, size) != 0 ||
        listen(socket_.get(), 8) != 0 ||
        getsockname(socket_.get(), generic, &size) != 0) {
      std::abort();
    }
    port_ = std::to_string(ntohs(address.sin_port));
  }
  const std::string& port() const { return port_; }

 private:
  UniqueFd socket_;
  std::string port_;
};

void Replace(const std::string& what, const std::string& by,
             std::string* text) {
  for (size_t at = 0; (at = text->find(what, at)) != std::string::npos;) {
    text->replace(at, what.size(), by);
    at += by.size();
  }
}

// Creates the files that the programs of the table find where they are started.
void Fill(const TempDir& folder) {
  chmod(folder.path().c_str(), 0755);
  std::string lines = NumberedLines(100);
  folder.Write("file", lines);
  chmod(folder.Join("file").c_str(), 0444);  // rm asks
  folder.Write("page.1",
               ".TH PAGE 1\n.SH NAME\npage \\- one page\n.SH TEXT\n" + lines);
  folder.Write("up", "echo up; exec sleep 100\n");
  folder.Write("starts", "echo started; exec sleep 100\n");
  folder.Write("asks", "stty -echo; printf 'Password: '; read x\n");
  symlink("/usr/bin/python3", folder.Join("ssh").c_str());
}

// Makes one commit, one change that is not staged, and one that is.
void MakeRepository(const TempDir& folder) {
  auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", folder.path(), "-c",
                                 "user.name=A", "-c", "user.email=a@b.c"});
    return RunCommand(words);
  };
  git({"init", "-q"});
  folder.Write("text", "first\n");
  git({"add", "text"});
  git({"commit", "-q", "-m", "The beginning"});
  folder.Write("staged", "new\n");
  git({"add", "staged"});
  folder.Write("text", "first\nsecond\n");
}

class States : public ::testing::TestWithParam<Situation> {
 protected:
  States() {
    Fill(folder_);
    if (std::string(row_.program) == "git") MakeRepository(folder_);
    ServerOptions options;
    if (row_.user == User::kOrdinary) options = user_.emplace().options();
    client_.emplace(options);
  }

  void Start() {
    std::vector<std::string> argv = row_.argv;
    for (std::string& word : argv) {
      Replace("{dir}", folder_.path(), &word);
      Replace("{port}", server_.port(), &word);
    }
    Json env = {{"PS1", "$ "},
                {"GIT_AUTHOR_NAME", "A"},
                {"GIT_AUTHOR_EMAIL", "a@b.c"},
                {"GIT_COMMITTER_NAME", "A"},
                {"GIT_COMMITTER_EMAIL", "a@b.c"}};
    ASSERT_TRUE(
        Good(Open(&*client_, "it", argv,
                  {{"cwd", folder_.path()}, {"env", env}, {"timeout_s", 0}})));
    for (const Situation::Step& step : row_.steps) {
      if (!step.keys.empty()) {
        client_->Call("term_send", {{"session", "it"},
                                    {"input", Json::array({step.keys})},
                                    {"timeout_s", 0}});
      }
      ASSERT_TRUE(SeesOnScreen(&*client_, "it", step.shown));
    }
  }

  // Asks each of the two tools in turn.
  Told Look(int turn) {
    if (turn % 2 == 0) return WhatIsTold(client_->Call("term_list"));
    return WhatIsTold(
        client_->Call("term_read", {{"session", "it"}, {"peek", true}}));
  }

  const Situation row_ = GetParam();
  TempDir folder_;
  SilentServer server_;
  std::optional<OrdinaryUser> user_;
  std::optional<McpClient> client_;
};

TEST_P(States, AreToldAsTheyAre) {
  if (std::string(row_.program) == "sudo" && !user_->IsAskedBySudo()) {
    GTEST_SKIP() << "sudo asks this user for no password";
  }
  ASSERT_NO_FATAL_FAILURE(Start());
  Told expected = {row_.state, row_.evidence};
  // A program shows its prompt before it reads, but a busy one is busy from the
  // moment when its text is there.
  if (expected.state != "busy") {
    Told told;
    Eventually(Seconds(20), [&] { return (told = Look(0)) == expected; });
    ASSERT_EQ(told, expected) << Join(Screen(&*client_, "it"));
  }
  for (int turn = 0; turn < kLooks; ++turn) {
    Told told = Look(turn);
    if (row_.wakes && told.state == "busy") continue;
    ASSERT_EQ(told, expected) << "look " << turn << "\n"
                              << Join(Screen(&*client_, "it"));
  }
}

std::string TestName(const ::testing::TestParamInfo<Situation>& info) {
  std::string name;
  bool boundary = true;
  for (char c : info.param.Name()) {
    bool word = std::isalnum(static_cast<unsigned char>(c));
    if (word) name += boundary ? static_cast<char>(std::toupper(c)) : c;
    boundary = !word;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, States, ::testing::ValuesIn(Situations()),
                         TestName);

// GLASSTTY_UPDATE=1 writes it anew.
TEST(StatesDocument, ListsTheRowsOfTheTable) {
  std::string path = SourcePath("docs/states.md");
  if (std::getenv("GLASSTTY_UPDATE") != nullptr) {
    std::ofstream(path) << StatesDocument();
  }
  EXPECT_EQ(ReadWholeFile(path), StatesDocument());
}

}  // namespace
}  // namespace glasstty::testing
