// Where a session runs: the argument `on` of term_open and term_run as it was
// written, and the client that reaches that place.
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
  // The words of a prefix, as they were given; else empty.
  std::vector<std::string> prefix;
  // What runs `sh -c LINE` over there, but for the line.
  std::vector<std::string> client;
  // The line goes behind as one quoted word for a shell ("exec sh -c '...'"),
  // not as the last of three words.
  bool takes_shell_text = false;
};

// "ssh:[USER@]HOST[:PORT]", "sudo:USER", "docker:CONTAINER",
// "podman:CONTAINER", "kubectl:[CONTEXT/]NAMESPACE/POD[/CONTAINER]". False with
// `*error`, which says what can be written.
bool ParsePlace(std::string_view text, Place* place, std::string* error);
// The words of a client that runs the words behind it.
bool PlaceOfPrefix(const std::vector<std::string>& prefix, Place* place,
                   std::string* error);

// One that was written before: its text and prefix.
bool PlaceAgain(const std::string& text, const std::vector<std::string>& prefix,
                Place* place, std::string* error);

// The whole command line of the client. `line` as of BootstrapLine.
std::vector<std::string> ClientCommand(const Place& place,
                                       const std::string& line);

// The forms, for help: "ssh:[USER@]HOST[:PORT], ...".
std::string PlaceForms();

}  // namespace glasstty::place
