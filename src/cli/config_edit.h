// Adds a server to the configuration of a client or removes it, and leaves
// every other byte unchanged: comments, order, indentation, line ends. Pure
// functions.
//
// JSON may contain comments, trailing commas, names without quotes and single
// quotes (JSONC, and parts of JSON5). In TOML only tables and keys are parsed,
// and in YAML only lines and their indentation, which is enough for one entry
// (config_toml.cc, config_yaml.cc).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/clients.h"

namespace glasstty {

// The name of our entry.
inline constexpr char kServerName[] = "glasstty";

// Returns `text` with an entry for glasstty, or unchanged if it already has
// that entry. In an existing entry, only our own members are set, and in YAML
// only the program; members for a server at an address are removed, except in
// YAML. Error: the text should be JSON and is not (other formats are not
// checked), or it has the servers or the entry in a form that cannot be edited.
absl::StatusOr<std::string> AddServer(std::string_view text,
                                      const ClientRow& client,
                                      const std::string& program);

// Returns `text` without the entry for glasstty, or unchanged if it has none.
// Errors are those of AddServer.
absl::StatusOr<std::string> RemoveServer(std::string_view text,
                                         const ClientRow& client);

// Returns the program that the entry starts, or "" if it names none that can be
// read; nullopt if there is no entry, or the text has another format.
std::optional<std::string> ServerProgram(std::string_view text,
                                         const ClientRow& client);

// ---- JSON

// Sets the member at the end of `path` in an object, and creates missing
// objects on the way. An equal value is left as it is written.
absl::StatusOr<std::string> SetJsonMember(std::string text,
                                          const std::vector<std::string>& path,
                                          const Json& value);
// Removes that member with its line and its comma.
absl::StatusOr<std::string> RemoveJsonMember(
    std::string text, const std::vector<std::string>& path);

// ---- TOML

// Sets keys of the table [`table`], which is added at the end if it is missing.
// Error: it is written as an inline table or with dotted keys, so that a table
// beside it would make the file invalid.
absl::StatusOr<std::string> SetTomlKeys(std::string text,
                                        const std::string& table,
                                        const Json& values);
// Removes the table, its subtables, and those of its keys that are written
// outside it. Error: it is part of an inline table.
absl::StatusOr<std::string> RemoveTomlTable(std::string text,
                                            const std::string& table);
// Returns the value of a key of the table; nullopt if there is no such table.
// Returns a JSON null if the key is missing or in an inline table, and if its
// value is not valid JSON, too.
std::optional<Json> TomlValue(std::string_view text, const std::string& table,
                              const std::string& key);

// ---- YAML

// Adds the entry `name` with these members (strings, numbers, booleans and
// lists of strings) to the mapping `map` of the top level. In an existing
// entry, only the member `key` is set. Error: the document, the mapping or the
// entry is not written in block style.
absl::StatusOr<std::string> SetYamlEntry(std::string text,
                                         const std::string& map,
                                         const std::string& name,
                                         const Json& members,
                                         const std::string& key);
absl::StatusOr<std::string> RemoveYamlEntry(std::string text,
                                            const std::string& map,
                                            const std::string& name);
// Returns the text of a scalar member, "" if the entry has no such member;
// nullopt if there is no such entry.
std::optional<std::string> YamlMember(std::string_view text,
                                      const std::string& map,
                                      const std::string& name,
                                      const std::string& key);

}  // namespace glasstty
