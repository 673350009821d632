// Parses the argument `on` of term_open and term_run, which names the place
// where a session runs. Builds the command line of the client that reaches the
// place.
//
// Pure functions on values. The client is the user's own, with the user's own
// configuration: it connects, authenticates and encrypts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::place {

struct Place {
  std::string text;  // shown to people: "ssh:db", or the words of a prefix
  std::string name;  // the name of the session in which the client runs,
                     // without its '@': "db"
  // The words of the prefix, if the place was given as one.
  std::vector<std::string> prefix;
  // The command that runs `sh -c LINE` at the place, without LINE.
  std::vector<std::string> client;
  // True if the client takes one word of shell text ("exec sh -c 'LINE'")
  // instead of the three words sh, -c and LINE.
  bool takes_shell_text = false;
};

// Parses "ssh:[USER@]HOST[:PORT]", "sudo:USER", "docker:CONTAINER",
// "podman:CONTAINER", "kubectl:[CONTEXT/]NAMESPACE/POD[/CONTAINER]", in which a
// CONTEXT requires a CONTAINER. On failure, returns false and lists the forms
// in `*error`.
bool ParsePlace(std::string_view text, Place* place, std::string* error);
// Makes a place of a prefix: a command that executes the words after it.
// Returns false with `*error` if `prefix`, or its first word, is empty.
bool PlaceOfPrefix(const std::vector<std::string>& prefix, Place* place,
                   std::string* error);

// Restores a place from its text and prefix. Returns false with `*error` if
// they are invalid.
bool PlaceAgain(const std::string& text, const std::vector<std::string>& prefix,
                Place* place, std::string* error);

// Returns the whole command line of the client. `line` comes from BootstrapLine
// or CleaningLine.
std::vector<std::string> ClientCommand(const Place& place,
                                       const std::string& line);

// Returns the forms, for help: "ssh:[USER@]HOST[:PORT], ...".
std::string PlaceForms();

}  // namespace glasstty::place
