// The parts of a session, in the order in which they borrow from each other.
//
// The Session owns the parts and shows them as const, except for the input.
// Classes that combine several parts, such as Verdict, borrow all of them. Loop
// thread only; the loop must outlive them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "record/folder.h"
#include "record/origin.h"
#include "session/contact.h"
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
    LogFeed::Cut cut;                // cuts the main output
    std::function<bool()> fed;       // a piece of either output was fed
    std::function<void()> wanted;    // somebody has taken an interest
                                     // (Questions::Keep)
    std::function<void()> released;  // another call may type, or run a command
  };
  // `errors` is null for a session with a terminal. `guest` is empty for an
  // owner. For a guest (is_guest), it is the prefix of the names of this
  // server's files of lines.
  Parts(Loop* loop, record::SessionOrigin origin, record::Folder folder,
        std::unique_ptr<terminal::Terminal> terminal,
        std::unique_ptr<terminal::Terminal> errors, const std::string& guest,
        const Hooks& hooks);

  // Returns true if all known output has been fed.
  bool AllDrained() const;
  // Sets the exit status. Output from before the exit may not be fed yet.
  void SetExit(const Life::Exit& exit);
  // The main output now reaches `end`, though not all of it has been fed yet.
  void OutputReaches(uint64_t end);
  // Passes the terminal's events on to the parts that they concern. `is_live`:
  // this is not a replay.
  void TakeEvents(bool is_live);
  // Sends the terminal's replies to the queries of the program.
  void Answer();
  // Informs the prompt watch that a shell has printed a mark.
  void Marked(bool is_live);

  // Constant, except for the name.
  record::SessionOrigin origin;
  Loop* const loop;
  const record::Folder folder;
  // True if another server owns the session and the files in its directory.
  // This server then adds only files for the lines that it has read, and does
  // not answer the program's queries to its terminal.
  const bool is_guest;
  // Null once the session has ended and all its output has been read, so that
  // an ended session needs no descriptor.
  record::Folder::Hold directory;
  // For a guest: the same descriptor, kept as long as this object, because the
  // owner may move the directory. Otherwise null.
  const record::Folder::Hold kept;

  HolderLink link;
  Life life;
  Contact contact;
  Output output;
  // stderr of a session without a terminal, as lines; else null.
  std::unique_ptr<Output> errors;
  Events events;
  InputQueue input;
  Person person;
  Questions questions;
  // Mutable because whoever waits has only a const Session.
  mutable WaiterList waiters;
};

}  // namespace glasstty::session
