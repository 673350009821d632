// What the examples of docs/coming-from.md meet: a project in a repository, and
// stand-ins for programs that would need a network.
//
// Owns its folders. The current directory of the process is the project while
// it lives, for sessions begin there.
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

  // A server that finds the stand-ins first.
  ServerOptions Options() const;
  // The paths and ports of the page, as they are on this machine.
  std::string Localize(std::string text) const;

 private:
  void WriteProgram(const std::string& name, const std::string& text);

  TempDir home_, programs_, project_, files_;
  std::string before_;  // the current directory
  // In the page, here; done in this order.
  std::vector<std::pair<std::string, std::string>> places_;
};

}  // namespace glasstty::testing
