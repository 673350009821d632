// Tells how much a line of text weighs: whether its words speak of a failure, a
// warning, a question or an end.
//
// Judges text alone, by the tables in weight.cc: words that stand alone, not
// parts of names ("error.c"), and not what is denied ("0 errors"). Pure
// functions; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace glasstty::motion {

// In the order of their weight.
enum class Weight {
  kNone,
  kEnd,       // something is done, passed, ready
  kQuestion,  // it ends like a question
  kWarning,
  kFailure,
};

inline constexpr size_t kWeights = 5;

// Returns whether a word of `line` weighs, denied or not.
bool MayWeigh(std::string_view line);
// Returns the heaviest weight of all words of `line`.
Weight WeightOf(std::string_view line);

// Returns whether `line` says no more than that something still goes on, such
// as "Still creating... [10s elapsed]".
bool SaysItGoesOn(std::string_view line);

// Returns whether `line` is a reason to look whatever moves around it.
inline bool IsHeavy(Weight weight) { return weight >= Weight::kQuestion; }

}  // namespace glasstty::motion
