// The programs of this suite: where they are installed, and one of them on a
// terminal, with a model that only listens.
//
// `./dev test tuis` installs them. Those that are still missing are skipped,
// with the reason. Nothing here knows what is tested.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {

// Returns the path of a file that npm installed; "" if it did not.
std::string FromNpm(const std::string& path);
// Returns the runtime of the programs that npm installed.
std::string Node();
// Returns why `program` (a Debian program's name or a path) cannot run; "" if
// it can.
std::string Missing(const std::string& program);

// Returns how often to try what must never fail: $GLASSTTY_TUIS_ROUNDS, or else
// 5.
int Rounds();

// Returns the command that runs the script tests/tuis/`name` by Node with what
// npm installed.
std::vector<std::string> Script(const std::string& name,
                                const std::vector<std::string>& arguments = {});

// A program as a test starts it, in a folder with the file "lines", which has
// 100 of them, and "table.csv".
struct Program {
  std::string name;
  std::vector<std::string> argv;
  std::string ready;  // on its screen once it takes keys
};
inline void PrintTo(const Program& program, std::ostream* out) {
  *out << program.name;
}
const std::vector<Program>& AgentPrograms();
// Returns an agent's program by its name.
const Program& AgentProgram(const std::string& name);
// Returns why it cannot run; "" if it can.
std::string Missing(const Program& program);
// Skips the test that runs if the program is not installed.
#define SKIP_IF_MISSING(program) \
  if (std::string why = Missing(program); !why.empty()) GTEST_SKIP() << why

// A model on the loopback interface that writes down what it is told. It ends
// with its owner.
class MockModel {
 public:
  MockModel();
  MockModel(const MockModel&) = delete;
  MockModel& operator=(const MockModel&) = delete;
  ~MockModel();

  const std::string& url() const { return url_; }
  // Counts the requests that brought exactly this text as, or among, the texts
  // of the user's last message.
  int TimesHeard(const std::string& text) const;
  std::string EverythingHeard() const;
  // Lets it answer "please wait".
  void GoOn();

 private:
  TempDir folder_;
  std::FILE* process_;
  std::string url_;
};

// Runs one program in session "it" (30x100), in its own home and project, with
// a model. Agents' programs are past their first questions.
class AtWork {
 public:
  explicit AtWork(const Program& program);

  // Returns false if it did not start; the screen says why.
  ::testing::AssertionResult IsReady() { return Sees(program_.ready); }
  // The reply of term_open.
  const Reply& first() const { return first_; }
  // Waits until the screen shows it.
  ::testing::AssertionResult Sees(const std::string& text);
  McpClient* client() { return &client_; }
  MockModel& model() { return model_; }
  // Everything that the program has printed.
  std::string Output() const;
  std::string project() const { return home_.Join("project"); }
  // Calls term_send; `input` is the list of what is typed.
  Reply Send(const std::vector<Json>& input, const Json& more = Json::object());

 private:
  const Program program_;
  MockModel model_;
  TempDir home_;
  McpClient client_;
  Reply first_;
};

}  // namespace glasstty::testing
