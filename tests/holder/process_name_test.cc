// Tests the names by which processes are shown.
#include "holder/process_name.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace glasstty::holder {
namespace {

TEST(ProcessName, OfTheFirstThreadSaysNothing) {
  for (const char* name : {"node-MainThread", "MainThread", "electron-MainTh",
                           "main thread", "qwen-main-threa", "Main Thread"}) {
    EXPECT_TRUE(IsNameOfFirstThread(name)) << name;
  }
  for (const char* name :
       {"node", "main", "mainframe", "domain", "tmux: client", "threads", ""}) {
    EXPECT_FALSE(IsNameOfFirstThread(name)) << name;
  }
}

struct Command {
  std::vector<std::string> arguments;
  const char* name;
};

TEST(ProcessName, OfARuntimeIsThatOfItsScript) {
  for (const Command& command : std::vector<Command>{
           {{"node", "/usr/bin/gemini"}, "gemini"},
           {{"node", "--no-warnings=DEP0040", "/usr/bin/gemini", "-p", "x"},
            "gemini"},
           {{"/usr/bin/node", "/app/node_modules/.bin/vite", "dev"}, "vite"},
           {{"node", "/usr/lib/node_modules/npm/bin/npm-cli.js", "run"},
            "npm-cli"},
           {{"node", "-r", "./setup.cjs", "--import", "x", "server.mjs"},
            "server"},
           {{"node", "/usr/lib/node_modules/@qwen-code/qwen-code/cli.js"},
            "qwen-code"},
           {{"node", "/opt/pi/dist/bin/index.js"}, "pi"},
           {{"node", "cli.js"}, "cli"},
           {{"node", "./dist/main.js"}, "main"},
           {{"node", "/"}, ""},
           {{"node", "index"}, "index"},
           {{"node", "-e", "setTimeout(f)", "/x"}, "node"},
           {{"/usr/local/bin/node"}, "node"},
           {{"npm run build /x"}, "npm"},
           {{"node", ""}, "node"},
           {{""}, ""},
           {{}, ""},
       }) {
    EXPECT_EQ(NameOfCommand(command.arguments), command.name);
  }
}

// Gives the thread its name back.
class ThreadName {
 public:
  explicit ThreadName(const char* name) {
    prctl(PR_GET_NAME, before_);
    prctl(PR_SET_NAME, name);
  }
  ~ThreadName() { prctl(PR_SET_NAME, before_); }

 private:
  char before_[16] = {};
};

TEST(ProcessName, IsTheOneThatPeopleKnow) {
  {
    ThreadName name("tmux: server");
    EXPECT_EQ(ReadKnownName(getpid()), "tmux: server");
  }
  ThreadName name("node-MainThread");
  std::string known = ReadKnownName(getpid());
  EXPECT_NE(known, "node-MainThread");
  EXPECT_NE(known, "");
}

TEST(ProcessName, OfAProcessThatHasGoneIsEmpty) {
  constexpr pid_t kNobody = 1 << 30;  // above the kernel's limit
  EXPECT_EQ(ReadKnownName(kNobody), "");
}

}  // namespace
}  // namespace glasstty::holder
