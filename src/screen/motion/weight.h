// Determines the weight of a line of text: whether its words report a failure,
// a warning, a question or an end.
//
// Uses only the text and the tables in weight.cc. Words count if they are
// separate words, not parts of names ("error.c"), and not denied ("0 errors").
// Pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace glasstty::motion {

// The weights in ascending order.
enum class Weight {
  kNone,
  kEnd,       // reports that something is done, has passed or is ready
  kQuestion,  // ends like a question
  kWarning,
  kFailure,
};

inline constexpr size_t kWeights = 5;

// Returns true if any part of `line` has a weight, denied or not.
bool MayWeigh(std::string_view line);
// Returns the heaviest weight that any part of `line` has.
Weight WeightOf(std::string_view line);

// Returns whether `line` reports only that some work continues, such as "Still
// creating... [10s elapsed]".
bool SaysItGoesOn(std::string_view line);

// Returns whether a line of this weight is a reason to look, whatever moves
// around the line.
inline bool IsHeavy(Weight weight) { return weight >= Weight::kQuestion; }

}  // namespace glasstty::motion
