// The shape of a line: its text without the parts that merely count or move.
//
//   "[12/500] CC src/a.o  1.5 MB/s"   "[#/#] CC src/a.o #"
//   "Downloading 45% |#####    |"     "Downloading #% =|"
//
// Numbers, dates, ids and sizes become '#', progress bars '=', spinners '~',
// and runs of blanks one blank. Two lines of the same shape have no difference
// worth reporting to a person. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glasstty::motion {

// A line may be longer than this many bytes, but its beginning tells what it is
// about.
inline constexpr size_t kTellingBytes = 4096;

enum class Ignore {
  kNumbers,  // all numbers
  // Only times of day, durations and rates, because other numbers may be
  // progress.
  kTimes,
  kNames,  // numbers, and paths become '/'; used to group lines of one kind
};

// Returns the shape of a row or line, which must not have control characters.
std::string ShapeOf(std::string_view text, Ignore ignore = Ignore::kNumbers);

// Returns the subject of a row: the letters at the beginning of its first word
// that is not a number, a name, a unit or a word of meters, such as "ETA". The
// subject of "70% sealing chunk graph" and "87% sealing hashing" is "sealing".
// Returns "" if there is none.
std::string HeadOf(std::string_view text);

// Returns whether a row begins with a sign that points at the current work,
// such as "> :compileJava".
bool IsPointer(std::string_view text);

}  // namespace glasstty::motion
