// `glasstty mcp`: the relay to the user's shared server, which is started if
// there is none; or a private server on stdin and stdout, from start to end.
//
// A private server touches nothing before the first tool call. All ways to end
// (end of input, a signal, a client that is gone) are the same: sessions except
// kept ones are ended, and the process ends within a second.
#include <stdlib.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "absl/strings/str_format.h"
#include "cli/command.h"
#include "cli/project_directory.h"
#include "cli/serving.h"
#include "cli/share.h"
#include "mcp/stdio_transport.h"
#include "support/log.h"
#include "support/status.h"
#include "wire/own_socket.h"

namespace glasstty {
namespace {

// The note must fit into the instructions of a server, of which clients show 2
// KB.
constexpr size_t kMostReason = 200;

// Puts the settings of the command line into the environment, which is handed
// over to the shared server. Error: one of them cannot be a client's own.
absl::Status ExportSettings(const Options& options) {
  for (const std::string& flag : options.settings) {
    std::string name = flag.substr(2, flag.find('=') - 2);
    if (name == "state-dir") continue;  // LoadSettings has exported it
    if (!BelongsToClient(name)) {
      return InvalidArgument(
          "--%s is a setting of the server that all your clients share: write "
          "`%s = %s` into %s, then run `glasstty serve --restart`; or add "
          "--alone, for a server that only this client uses",
          name, name, flag.substr(flag.find('=') + 1), SettingsPath());
    }
    auto [variable, value] = VariableOfFlag(flag);
    setenv(variable.c_str(), value.c_str(), 1);
  }
  return absl::OkStatus();
}

// Tells the model why nobody else sees its sessions.
std::string AloneNote(const absl::Status& why) {
  return absl::StrFormat(
      "The shared glasstty server cannot be used (%s), so this one is private: "
      "other agents and `glasstty run` in a shell do not see its sessions.\n\n",
      Message(why).substr(0, kMostReason));
}

// A holder that nobody can connect to ends with its server.
constexpr char kSandboxNote[] =
    "This sandbox refuses unix sockets, so every session ends with this "
    "server, also one opened with keep, and no person can watch or take "
    "over.\n\n";

}  // namespace

int RunServer(const Options& options) {
  EnterProjectDirectory();
  auto settings = CheckSettings(options);
  if (!settings) return 2;
  bool joins =
      !options.Has("alone") && (settings->shared || options.Has("shared"));
  std::string note;
  if (joins) {
    if (absl::Status status = ExportSettings(options); !status.ok()) {
      Warn("%s", Message(status));
      return 2;
    }
    absl::Status why = BecomeRelay();
    Warn("no shared server: %s", Message(why));
    note = AloneNote(why);
  }
  if (wire::SocketsAreRefused()) note += kSandboxNote;
  PrepareToServe();
  Serving serving(*settings, note);
  mcp::StdioTransport transport(
      serving.loop(), serving.server(), STDIN_FILENO, STDOUT_FILENO,
      [&serving](mcp::StdioTransport::End) { serving.End(); });
  serving.SetFront([&transport] { transport.Close(); },
                   [&transport] { return transport.drained(); });
  serving.Run();
  return 0;
}

}  // namespace glasstty
