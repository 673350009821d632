// The files of shell/, which shell/embed.py compiles into the program.
#pragma once

namespace glasstty {

extern const char kBashScript[];
extern const char kZshScript[];
extern const char kFishScript[];

}  // namespace glasstty
