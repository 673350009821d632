// The environment of the examples in docs/coming-from.md: a project in a
// repository, and stand-ins for programs that would need a network.
//
// Owns its folders. While it exists, the current directory of the process is
// the project, because sessions begin there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testing/mcp_client.h"

namespace glasstty::testing {

class PeerWorld {
 public:
  PeerWorld();
  PeerWorld(const PeerWorld&) = delete;
  PeerWorld& operator=(const PeerWorld&) = delete;
  ~PeerWorld();

  // Options of a server that finds the stand-ins first.
  ServerOptions Options() const;
  // Replaces the paths and ports of the page by those on this machine.
  std::string Localize(std::string text) const;

 private:
  void WriteProgram(const std::string& name, const std::string& text);

  TempDir home_, programs_, project_, files_;
  std::string before_;  // the former current directory
  // Texts of the page and their replacements; applied in this order.
  std::vector<std::pair<std::string, std::string>> places_;
};

}  // namespace glasstty::testing
