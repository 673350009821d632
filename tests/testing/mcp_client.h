// A client of the real server: starts the binary and speaks MCP over its stdio.
//
// Owns the server process (killed at the end if it still lives) and, unless
// one is named, a state directory and a HOME of its own. Blocking, with a
// deadline on everything; several requests may be open at once. Single thread.
//
//   McpClient client;
//   Reply reply = client.Call("term_open", {{"argv", {"bash", "--norc"}}});
//   EXPECT_EQ(reply.header, "...") << reply.text;
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "support/json.h"
#include "testing/system.h"

namespace glasstty::testing {

// The answer of a tool, as an agent gets it.
struct Reply {
  std::string text;    // all text blocks
  std::string header;  // its first line: "[main] input 40x120 rev=13 ..."
  std::string body;    // the lines after it
  bool is_error = false;
  Json meta;     // of the result; facts for machines
  Json message;  // the whole JSON-RPC answer; null if none came
};

struct ServerOptions {
  std::string binary = {};  // empty: that of this build
  // A server of its own, whatever runs in the state directory.
  std::vector<std::string> arguments = {"mcp", "--alone"};
  // The complete environment, "NAME=value". Empty: a small one, see
  // DefaultEnvironment. The test's mark and the state directory are added.
  std::vector<std::string> environment = {};
  std::vector<std::string> extra_environment = {};  // after the others
  std::string state_dir = {};                       // empty: a separate one
  bool handshake = true;                            // send `initialize` first
  bool ignore_sigint = false;     // start it as nohup or a script's `&` would
  bool bare_environment = false;  // nothing is added to `environment`
};

// Returns PATH, HOME (an empty folder), SHELL, USER, LANG, and a short grace
// time, so that nothing outlives a test that failed.
std::vector<std::string> DefaultEnvironment(const std::string& home);

class McpClient {
 public:
  explicit McpClient(ServerOptions options = {});
  McpClient(const McpClient&) = delete;
  McpClient& operator=(const McpClient&) = delete;
  ~McpClient();

  // Calls a tool and waits for its answer. Without an answer the reply is an
  // error that says why, with the server's stderr.
  Reply Call(const std::string& tool, const Json& arguments = Json::object(),
             Seconds limit = Seconds(60));

  // These are the two halves of Call, for several calls at once.
  int SendCall(const std::string& tool, const Json& arguments);
  Reply Await(int id, Seconds limit = Seconds(60));

  // Sends any request; returns the whole answer, null if none came.
  Json Request(const std::string& method, const Json& params = Json::object(),
               Seconds limit = Seconds(20));
  void Notify(const std::string& method, const Json& params);

  // Sends the bytes unchanged.
  bool SendRaw(const std::string& bytes);
  // Returns the next message that no Await or Request has taken, in order of
  // arrival.
  std::optional<Json> NextMessage(Seconds limit);

  void CloseStdin() { stdin_.Reset(); }
  void Signal(int signal_number);
  // Returns the status as waitpid(2) gives it; nullopt if the server still runs
  // at the end.
  std::optional<int> WaitForExit(Seconds limit);

  pid_t pid() const { return pid_; }
  const std::string& state_dir() const { return state_dir_; }
  const std::string& home() const { return home_.path(); }
  // A mark in the environment of everything that this server starts.
  const std::string& mark() const { return mark_; }
  const std::string& stderr_text() const { return stderr_text_; }
  // Lines on stdout that were not JSON, which is always a bug.
  const std::vector<std::string>& garbage() const { return garbage_; }

 private:
  void Spawn(const ServerOptions& options);
  // Reads what is there, waiting up to `limit` for more; returns false at the
  // end.
  bool Pump(Seconds limit);
  void TakeLines();
  std::optional<Json> WaitForId(int id, Seconds limit);

  TempDir home_;
  TempDir own_state_;
  std::string state_dir_;
  std::string mark_;
  pid_t pid_ = -1;
  std::optional<int> exit_status_;
  UniqueFd stdin_, stdout_, stderr_;
  std::string pending_;  // an unfinished line
  std::string stderr_text_;
  std::vector<Json> inbox_;  // arrived, not taken
  std::vector<std::string> garbage_;
  int next_id_ = 1;
};

// Splits at newlines, without an empty last line.
std::vector<std::string> Lines(const std::string& text);

}  // namespace glasstty::testing
