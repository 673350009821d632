// The place where a session runs: the argument `on` of term_open and term_run
// as it was written, and the client that reaches the place.
//
// Pure functions on values. Connecting, authentication and encryption are left
// to the user's own client with the user's own configuration.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::place {

struct Place {
  std::string text;  // for people: "ssh:db", or the words of a prefix
  std::string name;  // of its connection's session, without the '@': "db"
  // The words of a prefix as they were given, or else empty.
  std::vector<std::string> prefix;
  // The command that runs `sh -c LINE` over there, without that line.
  std::vector<std::string> client;
  // True if the client takes the line as one quoted word for a shell ("exec sh
  // -c '...'") instead of as the last of three words.
  bool takes_shell_text = false;
};

// Parses "ssh:[USER@]HOST[:PORT]", "sudo:USER", "docker:CONTAINER",
// "podman:CONTAINER", "kubectl:[CONTEXT/]NAMESPACE/POD[/CONTAINER]". On
// failure, returns false and lists the forms in `*error`.
bool ParsePlace(std::string_view text, Place* place, std::string* error);
// Makes a place of the words of a client that runs the words after them.
bool PlaceOfPrefix(const std::vector<std::string>& prefix, Place* place,
                   std::string* error);

// Restores a place from its text and prefix.
bool PlaceAgain(const std::string& text, const std::vector<std::string>& prefix,
                Place* place, std::string* error);

// Returns the whole command line of the client. `line` comes from
// BootstrapLine.
std::vector<std::string> ClientCommand(const Place& place,
                                       const std::string& line);

// Returns the forms, for help: "ssh:[USER@]HOST[:PORT], ...".
std::string PlaceForms();

}  // namespace glasstty::place
