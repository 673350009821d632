// The facts about sessions that people see when they list or choose them.
//
// Reads the sessions' directories and asks each holder once, as an observer; it
// needs no server and disturbs none. Values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "terminal/snapshot.h"

namespace glasstty {

// Names and texts are clean: on one line, without invisible characters.
struct SessionFacts {
  std::string name;
  std::string state;  // "prompt", "exited 0"
  terminal::Size size;
  int64_t age_s = 0;
  bool served = false;
  std::string person;   // who has the keyboard; "": no person
  std::string asked;    // the agent's request to a person; "": none
  std::string command;  // the words with which it was opened
  // The command in the foreground, as a person would have typed it.
  std::string program;
  // The folder in which that program works, or the name of another machine.
  std::string where;
  std::string place;  // "": this machine
  std::string path;
  bool live = false;
  // Says why the session cannot be shown, and how to end it; `name` is then the
  // session's id. "": it can be shown.
  std::string trouble;
  // The session runs the client that connects to another machine, for sessions
  // there.
  bool serves_place = false;

  // Returns whether the program waits for a password, or the agent for a
  // person.
  bool NeedsPerson() const { return state == "secret" || !asked.empty(); }
};

// Returns the live sessions, sorted by name, and with `ended` the others, too.
// A session lives as long as its holder, or if it continues on another machine,
// even if its files are damaged. Error: the directory of sessions cannot be
// read.
absl::StatusOr<std::vector<SessionFacts>> ListSessions(bool ended);

// Moves the sessions that need a person to the front.
void PutNeedyFirst(std::vector<SessionFacts>* sessions);

// Returns a whole number and a unit: "95s", "12m", "30h", "9d".
std::string AgeText(int64_t seconds);

}  // namespace glasstty
