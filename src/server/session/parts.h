// The parts of a session, in the order in which they borrow from each other.
//
// The Session owns them and shows each as const. The classes that let several
// of them work together (Verdict, Replay, HolderNews) borrow all of them. Loop
// thread only; the loop must outlive them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "record/folder.h"
#include "record/origin.h"
#include "session/events.h"
#include "session/holder_link.h"
#include "session/input_queue.h"
#include "session/life.h"
#include "session/output.h"
#include "session/person.h"
#include "session/questions.h"
#include "support/loop.h"
#include "support/wait.h"
#include "terminal/terminal.h"

namespace glasstty::session {

struct Parts {
  struct Hooks {
    LogFeed::Cut cut;                // of the main output
    std::function<bool()> fed;       // a piece of either output was fed
    std::function<void()> wanted;    // somebody begins to keep an interest
    std::function<void()> released;  // others may type, or run a command
  };
  // `errors` is null for a session with a terminal. `guest`: see is_guest; it
  // begins the names of the files of lines, and is empty for an owner.
  Parts(Loop* loop, record::SessionOrigin origin, record::Folder folder,
        std::unique_ptr<terminal::Terminal> terminal,
        std::unique_ptr<terminal::Terminal> errors, const std::string& guest,
        const Hooks& hooks);

  // True if all output that is known of has been fed.
  bool AllDrained() const;
  // Sets the status of the program. Output from before its end is still
  // to be fed.
  void SetExit(const Life::Exit& exit);
  // The main output goes on to `end`, though it has not been fed yet.
  void OutputReaches(uint64_t end);
  // Takes in what the terminal has seen. `is_live`: it was printed just now.
  void TakeEvents(bool is_live);
  // Sends what the terminal replies to the queries of the program.
  void Answer();
  // Tells the prompt that a shell has made a mark.
  void Marked(bool is_live);

  // Constant, except for the name.
  record::SessionOrigin origin;
  Loop* const loop;
  const record::Folder folder;
  // Another server has opened the session and owns what is in its directory:
  // this one adds nothing but the lines that it has read, and answers nothing
  // that the program asks its terminal.
  const bool is_guest;
  // Null once all has been read: a session that has ended keeps no descriptor.
  record::Folder::Hold directory;
  // For a guest the same, but for ever: the owner may move the directory away.
  const record::Folder::Hold kept;

  HolderLink link;
  Life life;
  Output output;
  // stderr of a session without a terminal, as lines; else null.
  std::unique_ptr<Output> errors;
  Events events;
  InputQueue input;
  Person person;
  Questions questions;
  // Whoever waits looks at a session that it does not change.
  mutable WaiterList waiters;
};

}  // namespace glasstty::session
