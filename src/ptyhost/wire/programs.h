// Finds the installed programs of glasstty itself.
#pragma once

#include <string>

#include "base/fd.h"

namespace glasstty::wire {

struct OwnProgram {
  const char* name;
  const char* variable;  // an environment variable that names another file
  const char* folder;    // the folder below src/ in which the build creates it
};
inline constexpr OwnProgram kHolderProgram = {"glasstty-holder",
                                              "GLASSTTY_HOLDER", "ptyhost/far"};
inline constexpr OwnProgram kPictureProgram = {
    "glasstty-picture", "GLASSTTY_PICTURE", "screen/picture"};
inline constexpr OwnProgram kViewProgram = {"glasstty-view", "GLASSTTY_VIEW",
                                            "people/page"};

inline constexpr OwnProgram kHttpProgram = {"glasstty-http", "GLASSTTY_HTTP",
                                            "gateway/bridge"};
inline constexpr OwnProgram kRelayProgram = {"glasstty-relay", "GLASSTTY_RELAY",
                                             "gateway/relay"};

// Opens the file of `program` with O_PATH: the file that its variable names, or
// else the first one found beside this executable, in ../libexec and in the
// build directory. The result is invalid with errno if there is none. Sets
// `*path` to the path that was tried last.
UniqueFd OpenProgram(const OwnProgram& program, std::string* path);

}  // namespace glasstty::wire
