// Adds a server to the configuration of a client, and leaves every other byte
// unchanged: comments, order, indentation, line ends. Pure functions.
//
// JSON may contain comments and trailing commas (JSONC). In TOML only tables
// and keys are parsed, which is enough to add a table.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cli/clients.h"

namespace glasstty {

// The name of our entry.
inline constexpr char kServerName[] = "glasstty";

// `text` with an entry for glasstty; the same text when it has that entry
// already. In an entry that is there only the members that we know are set.
// Error: the text is not of the client's format, with the line.
absl::StatusOr<std::string> AddServer(std::string_view text,
                                      const ClientRow& client,
                                      const std::string& program);

// Sets the member at the end of `path` in a JSON object; missing objects on the
// way are created. An equal value is left as it is written.
absl::StatusOr<std::string> SetJsonMember(std::string text,
                                          const std::vector<std::string>& path,
                                          const Json& value);

// Sets keys of the table [`table`], which is added at the end if it is missing.
absl::StatusOr<std::string> SetTomlKeys(std::string text,
                                        const std::string& table,
                                        const Json& values);

}  // namespace glasstty
