// Tests another user of this machine, and everything on which glasstty listens
// or which it writes: its ports, its sockets, its files.
#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/http_client.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;

// Returns what `look` returns in a process of another user; "" means success.
std::string AsNobody(const std::function<std::string()>& look) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  UniqueFd read_end(ends[0]), write_end(ends[1]);
  pid_t child = fork();
  if (child == 0) {
    bool changed = setgroups(0, nullptr) == 0 &&
                   setresgid(kNobody, kNobody, kNobody) == 0 &&
                   setresuid(kNobody, kNobody, kNobody) == 0;
    WriteAll(write_end.get(), changed ? look() : "the user is the same");
    _exit(0);
  }
  write_end.Reset();
  std::string said;
  char buffer[4096];
  ssize_t n;
  while ((n = ReadSome(read_end.get(), buffer, sizeof buffer)) > 0) {
    said.append(buffer, static_cast<size_t>(n));
  }
  waitpid(child, nullptr, 0);
  return said;
}

// Keeps the first line that a program prints while it continues.
class Running {
 public:
  Running(const std::vector<std::string>& words, const std::string& state_dir) {
    int out[2];
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (const std::string& word : words) {
      argv.push_back(const_cast<char*>(word.data()));
    }
    argv.push_back(nullptr);
    std::string state = "GLASSTTY_STATE_DIR=" + state_dir;
    char* environment[] = {state.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    EXPECT_EQ(posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(),
                          environment),
              0);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    UniqueFd read_end(out[0]);
    char byte;
    while (ReadSome(read_end.get(), &byte, 1) == 1 && byte != '\n') {
      line_ += byte;
    }
  }
  ~Running() {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  const std::string& line() const { return line_; }
  uint16_t port() const {
    unsigned port = 0;
    std::sscanf(line_.c_str(), "http://127.0.0.1:%u/", &port);
    return static_cast<uint16_t>(port);
  }

 private:
  pid_t pid_ = -1;
  std::string line_;
};

class Strangers : public ::testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can be another user, too";
    Open(&client_, "main", {"cat"});
    const std::string glasstty = BuildPath("src/cli/glasstty");
    page_ = std::make_unique<Running>(
        std::vector<std::string>{glasstty, "view"}, client_.state_dir());
    bridge_ = std::make_unique<Running>(
        std::vector<std::string>{glasstty, "serve", "--http=0"},
        client_.state_dir());
  }
  void TearDown() override {
    if (bridge_ == nullptr) return;
    RunCommand({BuildPath("src/cli/glasstty"), "serve", "--stop"},
               {"GLASSTTY_STATE_DIR=" + client_.state_dir()});
  }
  // Returns the paths for which it holds; opens directories to everybody, so
  // that nothing is safe only because of where it is.
  std::vector<std::string> OpenAllDirectoriesAndList(bool sockets) {
    std::vector<std::string> found;
    fs::path state = client_.state_dir();
    chmod(state.c_str(), 0755);
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(state)) {
      if (entry.is_directory()) chmod(entry.path().c_str(), 0755);
      if (entry.is_socket() == sockets && !entry.is_directory()) {
        found.push_back(entry.path());
      }
    }
    return found;
  }

  McpClient client_;
  std::unique_ptr<Running> page_, bridge_;
};

// Returns "" if the answer is that nobody is let in.
std::string Wants(uint16_t port, const std::string& what, int status) {
  std::string host = absl::StrFormat("127.0.0.1:%d", port);
  std::string head = absl::StrFormat(
      "%s HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\n"
      "Content-Type: application/json\r\nContent-Length: 2\r\n"
      "Authorization: Bearer %s\r\n\r\n{}",
      what, host, host, std::string(32, '0'));
  HttpAnswer answer = AskHttp(port, head);
  if (answer.status == status) return "";
  return absl::StrFormat("%s: %d %s\n", what, answer.status, answer.body);
}

TEST_F(Strangers, GetNoAnswerFromAPort) {
  uint16_t page = page_->port(), bridge = bridge_->port();
  ASSERT_NE(page, 0);
  ASSERT_NE(bridge, 0);
  EXPECT_EQ(AsNobody([page, bridge] {
              std::string open;
              for (int i = 0; i < 30; ++i) {
                open += Wants(page, "GET /api/stream", 401);
                open += Wants(page, "POST /api/enter", 403);
              }
              for (const char* what :
                   {"GET /api/picture?page=x", "POST /api/link",
                    "POST /api/watch", "POST /api/take", "POST /api/keys"}) {
                open += Wants(page, what, 401);
              }
              open += Wants(bridge, "POST /mcp", 401);
              open += Wants(bridge, "GET /mcp", 401);
              return open;
            }),
            "");
  EXPECT_EQ(Wants(page, "GET /", 200), "");
}

TEST_F(Strangers, CannotReadAFile) {
  std::vector<std::string> files = OpenAllDirectoriesAndList(false);
  EXPECT_GE(files.size(), 5u);
  EXPECT_EQ(AsNobody([&files] {
              std::string readable;
              for (const std::string& file : files) {
                UniqueFd fd(open(file.c_str(), O_RDONLY | O_NONBLOCK));
                if (fd.valid()) readable += file + "\n";
              }
              return readable;
            }),
            "");
}

TEST_F(Strangers, AreToldNothingBySocketsEvenWithTheWrongModes) {
  std::vector<std::string> sockets = OpenAllDirectoriesAndList(true);
  // These belong to the page, the shared server, and the session's observers.
  EXPECT_GE(sockets.size(), 3u) << sockets.size();
  for (const std::string& path : sockets) chmod(path.c_str(), 0666);
  EXPECT_EQ(
      AsNobody([&sockets] {
        std::string open;
        for (const std::string& path : sockets) {
          UniqueFd fd;
          sockaddr_un address{};
          address.sun_family = AF_UNIX;
          strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
          for (int type : {SOCK_STREAM, SOCK_SEQPACKET}) {
            fd.Reset(socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
            if (connect(fd.get(), reinterpret_cast<sockaddr*>(&address),
                        sizeof address) == 0) {
              break;
            }
            fd.Reset();
          }
          if (!fd.valid()) {
            open += path + " does not listen\n";
            continue;
          }
          timeval limit = {5, 0};
          setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
          char byte;
          ssize_t n = ReadSome(fd.get(), &byte, 1);
          if (n > 0) open += path + " speaks\n";
          if (n < 0) open += path + " does not hang up\n";
        }
        return open;
      }),
      "");
}

}  // namespace
}  // namespace glasstty::testing
