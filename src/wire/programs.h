// Finds the installed programs of glasstty itself.
#pragma once

#include <string>

#include "base/fd.h"

namespace glasstty::wire {

struct OwnProgram {
  const char* name;
  const char* variable;  // names another file in the environment
  const char* folder;    // below src/, where the build leaves it
};
inline constexpr OwnProgram kHolderProgram = {"glasstty-holder",
                                              "GLASSTTY_HOLDER", "far"};
inline constexpr OwnProgram kPictureProgram = {"glasstty-picture",
                                               "GLASSTTY_PICTURE", "picture"};
inline constexpr OwnProgram kViewProgram = {"glasstty-view", "GLASSTTY_VIEW",
                                            "page"};

inline constexpr OwnProgram kHttpProgram = {"glasstty-http", "GLASSTTY_HTTP",
                                            "bridge"};
inline constexpr OwnProgram kRelayProgram = {"glasstty-relay", "GLASSTTY_RELAY",
                                             "relay"};

// Opened with O_PATH: the file that its variable names, else beside this
// program, in ../libexec, or in the build directory. Invalid with errno when
// there is none; `path` is where it was looked for last.
UniqueFd OpenProgram(const OwnProgram& program, std::string* path);

}  // namespace glasstty::wire
