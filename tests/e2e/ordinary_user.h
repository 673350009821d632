// A server of a user who has to give passwords: sudo, su and passwd ask root
// for none.
//
// When the tests run as root it is nobody's, who needs not be made or removed;
// that no password of his is right is no matter to a prompt. Else it is that of
// the user who runs them.
#pragma once

#include <string>

#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {

// Whose session it is. Password prompts are for ordinary users only.
enum class User {
  kSame,      // whoever runs the tests
  kOrdinary,  // the same, or nobody when that is root
};

class OrdinaryUser {
 public:
  OrdinaryUser();

  // Of a server to start; `this` must outlive it.
  const ServerOptions& options() const { return options_; }
  // Belongs to the user.
  const std::string& home() const { return home_; }
  // False where sudo asks this user for no password.
  bool IsAskedBySudo() const;

 private:
  TempDir folder_;
  std::string home_;
  ServerOptions options_;
};

}  // namespace glasstty::testing
