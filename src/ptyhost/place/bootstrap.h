// Builds the command line by which a shell at a place starts the far end of the
// connection, and parses the answers of that command.
//
// The command looks in a few directories for a program of glasstty with the
// right hash. If it finds none, it asks for the program, and stores it in a
// directory from which programs may run. Then it executes the program. The
// command needs sh, uname, ls, mkdir, chmod, rm, mv, cat, wc, id and `head -c`.
// Pure functions and a value; no descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glasstty::place {

struct BootstrapOptions {
  std::string token;      // precedes each answer; unguessable
  std::string hash;       // the hash of glasstty-holder on this machine, for
                          // the file name on the other machine
  std::string near_id;    // identifies the near end
  std::string directory;  // if not empty, preferred over the usual directories
};

// Returns the command on one line. It contains no single quote, '!' or
// backslash, so that every login shell (dash, bash, zsh, tcsh, fish, busybox)
// passes it on unchanged if it is in single quotes.
std::string BootstrapLine(const BootstrapOptions& options);

// Returns a command that removes glasstty's files from the other machine.
// `directory` is as in BootstrapOptions. Each answer is a line that begins with
// the token: "removed DIRECTORY", "busy COUNT DIRECTORY" if the directory is
// kept because sessions run there, "failed DIRECTORY", or, at the end, "done".
std::string CleaningLine(const std::string& token,
                         const std::string& directory);

// An answer of the command. All answers precede the first frame.
struct BootstrapNews {
  enum class Kind {
    kNothing,  // there is no complete answer yet
    kNeeds,    // `detail` is the kind of machine for which the program is
               // needed
    kReady,    // frames follow
    kFailed,   // `detail` says why
  };
  Kind kind = Kind::kNothing;
  std::string detail;
};

// Removes the next answer from `said`, together with any other output before it
// (banners, start-up files), and returns the answer. Ignores unknown answers.
BootstrapNews TakeBootstrapNews(const std::string& token, std::string* said);

}  // namespace glasstty::place
