// Tells whether and how a client has glasstty: as a plugin, as an entry in its
// configuration, or both.
//
// Only reads files; starts no client. Functions; one thread.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "cli/clients.h"

namespace glasstty {

// Returns the file's content; "" if it does not exist yet. Error: it cannot be
// read, is not a plain file, or is too large.
absl::StatusOr<std::string> ReadConfiguration(const std::string& path);

// Returns whether the client has installed our plugin.
bool HasPlugin(const ClientRow& client);

// Returns whether PATH has a program of that name or, if the name has a slash,
// whether there is a program at that path.
bool FindInPath(const std::string& program);

// Describes in words how the client has glasstty.
struct ClientState {
  std::string how;
  bool works = true;  // false: `how` says what is wrong
};
// Returns nullopt if the client does not have it.
std::optional<ClientState> StateOf(const ClientRow& client);

}  // namespace glasstty
