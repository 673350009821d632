// Starts the far end of the connection at a place: one command line for a shell
// there, and its possible answers.
//
// The command looks for our program, by its hash, in a few directories from
// which programs may run. If none of them has it, the command asks for it. Then
// it executes it. It needs sh, uname, mkdir, chmod, rm, mv, cat, id and
// `head -c`. Pure functions and a value; no descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glasstty::place {

struct BootstrapOptions {
  std::string token;      // printed before anything else; unguessable
  std::string hash;       // of our programs; names the file over there
  std::string near_id;    // of the near end
  std::string directory;  // preferred over the usual ones, if not empty
};

// Returns the command, on one line without quotes, '!', backslashes and line
// ends, so that any login shell passes it on inside quotes (dash, bash, zsh,
// tcsh, fish, busybox).
std::string BootstrapLine(const BootstrapOptions& options);

// Returns a command that removes what is left over there. Each of its answers
// is a line that begins with the token: "removed DIRECTORY", "busy COUNT
// DIRECTORY" if sessions run there, which keeps the directory, "failed
// DIRECTORY", and "done" at the end.
std::string CleaningLine(const std::string& token,
                         const std::string& directory);

// An answer that a connection has printed before its first frame.
struct BootstrapNews {
  enum class Kind {
    kNothing,  // there is no complete answer yet
    kNeeds,    // `detail` is the machine for which our program is needed
    kReady,    // frames follow
    kFailed,   // `detail` says why
  };
  Kind kind = Kind::kNothing;
  std::string detail;
};

// Takes the next answer off `said`, together with the noise of banners and
// start-up files before it.
BootstrapNews TakeBootstrapNews(const std::string& token, std::string* said);

}  // namespace glasstty::place
