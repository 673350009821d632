// The files of shell/, made part of the program by shell/embed.py.
#pragma once

namespace glasstty {

extern const char kBashScript[];
extern const char kZshScript[];
extern const char kFishScript[];

}  // namespace glasstty
