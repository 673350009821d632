// The files of shell/, which shell/embed.py compiles into the program.
#pragma once

namespace glasstty::session {

extern const char kBashScript[];
extern const char kZshScript[];
extern const char kFishScript[];

}  // namespace glasstty::session
