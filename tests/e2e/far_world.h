// Another home on this machine stands for another machine, reached by a client
// that only starts what it is told.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {

class FarWorld : public ::testing::Test {
 protected:
  void SetUp() override { Start(); }

  virtual std::vector<std::string> Environment() const {
    return {"GLASSTTY_GRACE_S=60"};
  }

  void Start() {
    ServerOptions options;
    options.state_dir = state_.path();
    options.extra_environment = Environment();
    // Everything that the previous client has started ends with it.
    before_ = std::move(client_);
    client_ = std::make_unique<McpClient>(options);
  }

  // Returns a client that waits while the file `blocked` exists.
  std::vector<std::string> Client() const {
    return {"env",
            "HOME=" + there_.path(),
            "sh",
            "-c",
            "while [ -e " + there_.Join("blocked") +
                " ]; do sleep 0.02; done; exec \"$@\"",
            "client"};
  }
  Reply OpenThere(const std::string& name, const std::vector<std::string>& argv,
                  Json more = Json::object()) {
    more["on"] = Client();
    return Open(client_.get(), name, argv, more);
  }
  Reply OpenShell(const std::string& name) {
    return OpenThere(name, {"bash", "--norc"}, {{"env", {{"PS1", "$ "}}}});
  }
  Reply Run(const std::string& name, const std::string& command,
            Json more = Json::object()) {
    more["session"] = name;
    more["command"] = command;
    return client_->Call("term_run", more);
  }

  // Returns the processes at the other end of connections.
  std::vector<ProcessRow> FarEnds() const {
    std::vector<ProcessRow> found = ProcessesWith(there_.path());
    std::erase_if(found, [this](const ProcessRow& row) {
      return !row.command.starts_with(there_.path() + "/") ||
             row.command.find(" --far ") == std::string::npos;
    });
    return found;
  }
  // Returns the process that keeps the connection on this side; nullopt if
  // there is none.
  std::optional<pid_t> NearRelay() const {
    for (const ProcessRow& row : ProcessesWith(state_.path())) {
      if (row.command.find("glasstty-holder ") == std::string::npos) continue;
      std::string fds = "/proc/" + std::to_string(row.pid) + "/fd";
      CommandResult held =
          RunCommand({"find", fds, "-lname", state_.path() + "/places/*/lock"});
      if (held.output.empty()) continue;
      return row.pid;
    }
    return std::nullopt;
  }
  // The following wait until there is what they kill: it may just have been
  // started again. They return false if nothing comes.
  bool KillNearRelay() {
    return Eventually(Seconds(20), [this] {
      std::optional<pid_t> pid = NearRelay();
      return pid && kill(*pid, SIGKILL) == 0;
    });
  }
  // Kills the session in which the client runs, with all its processes.
  bool KillClientSession() {
    return Eventually(Seconds(20), [this] {
      for (const ProcessRow& row : ProcessesWith(state_.path())) {
        if (row.command.find(" --plug ") == std::string::npos) continue;
        KillHolder(row.parent);
        return kill(row.pid, SIGKILL) == 0;
      }
      return false;
    });
  }
  // Does so where no server starts another, and waits for its end: without a
  // relay it may also end by itself.
  bool EndClientSession() {
    return Eventually(Seconds(20), [this] {
      bool is_left = false;
      for (const ProcessRow& row : ProcessesWith(state_.path())) {
        if (row.command.find(" --plug ") == std::string::npos) continue;
        is_left = true;
        KillHolder(row.parent);
        kill(row.pid, SIGKILL);
      }
      return !is_left;
    });
  }
  // Cuts the connection.
  bool Cut() {
    return Eventually(Seconds(20), [this] {
      std::vector<ProcessRow> ends = FarEnds();
      for (const ProcessRow& end : ends) kill(end.pid, SIGKILL);
      return !ends.empty();
    });
  }

  // The parent of a process whose holder is dead may be this test.
  static void KillHolder(pid_t parent) {
    if (parent > 1 && parent != getpid()) kill(parent, SIGKILL);
  }

  TempDir state_;
  TempDir there_;
  std::unique_ptr<McpClient> before_;
  std::unique_ptr<McpClient> client_;
};

}  // namespace glasstty::testing
