// A server of a user who has to give passwords, because sudo, su and passwd ask
// root for none.
//
// If the tests run as root, the user is nobody, who need not be created or
// removed; it does not matter to a prompt that no password of his is right.
// Otherwise it is the user who runs them.
#pragma once

#include <string>

#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {

// The user whose session it is. Only ordinary users get password prompts.
enum class User {
  kSame,      // whoever runs the tests
  kOrdinary,  // the same, or nobody if that is root
};

class OrdinaryUser {
 public:
  OrdinaryUser();

  // The options of a server to start; this object must outlive it.
  const ServerOptions& options() const { return options_; }
  // A home that belongs to the user.
  const std::string& home() const { return home_; }
  // Returns false if sudo asks this user for no password.
  bool IsAskedBySudo() const;

 private:
  TempDir folder_;
  std::string home_;
  ServerOptions options_;
};

}  // namespace glasstty::testing
