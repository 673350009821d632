// `glasstty mcp`: the server on stdin and stdout, from start to end, or the way
// to the shared server.
//
// Nothing is touched before the first tool call. Every way to end (end of
// input, a signal, a client that is gone) takes one path: sessions are told to
// end, and the process is gone within a second.
#include <unistd.h>

#include <memory>

#include "cli/command.h"
#include "cli/serving.h"
#include "cli/share.h"
#include "mcp/stdio_transport.h"

namespace glasstty {

int RunServer(const Options& options) {
  // Settings are of a server, and the shared one has its own.
  bool may_join = !options.Has("alone") && options.settings.empty();
  // Only returns when there is none to join.
  if (may_join) BecomeRelay(options.Has("shared"));
  auto settings = PrepareToServe(options);
  if (!settings) return 2;
  Serving serving(*settings);
  mcp::StdioTransport transport(
      serving.loop(), serving.server(), STDIN_FILENO, STDOUT_FILENO,
      [&serving](mcp::StdioTransport::End) { serving.End(); });
  serving.SetFront([&transport] { transport.Close(); },
                   [&transport] { return transport.drained(); });
  serving.Run();
  return 0;
}

}  // namespace glasstty
