// Groups lines of output into kinds: lines with the same message about
// different things.
//
//   Compiling serde v1.0.2      are one kind, "Compiling … v#";
//   Compiling syn v2.0.1
//   error: no such field        is another, because of its weight
//
// Lines of one kind have the same weight (weight.h), the same first word and,
// if they are heavy, the same word that determines the weight. They also share
// at least half of their words with letters, at their beginning and end;
// numbers, ids and paths do not count. Once there are too many kinds, further
// lines are grouped only by their number of words. Owns everything;
// single-threaded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "motion/weight.h"

namespace glasstty::motion {

class LineKinds {
 public:
  static constexpr size_t kMostKinds = 400;

  struct Kind {
    Weight weight = Weight::kNone;
    // The common words at both ends. If has_gap is true, there may be other
    // words in between.
    std::vector<std::string> head, tail;
    bool has_gap = false;
    int64_t count = 0;
    std::string first, last;  // the first and the last line, truncated

    // Returns "Compiling … v#".
    std::string Text() const;
  };
  struct Added {
    size_t kind = 0;  // an index of kinds()
    bool is_new = false;
  };
  // REQUIRES: the line is not blank.
  Added Add(std::string_view line) { return *Take(line, true); }
  // Like Add, but adds no kind: returns false, and counts nothing, if the line
  // would need a new kind.
  bool Recognize(std::string_view line) {
    return Take(line, false).has_value();
  }

  const std::vector<Kind>& kinds() const { return kinds_; }
  bool empty() const { return kinds_.empty(); }

 private:
  std::optional<Added> Take(std::string_view line, bool may_add);
  std::optional<Added> TakeKind(const std::string& shape, Weight weight,
                                bool may_add);
  // Widens the kind to include a line with these words, if they are similar
  // enough to the words of the kind. Returns whether they are.
  static bool Widen(Kind* kind, const std::vector<std::string>& words);

  std::vector<Kind> kinds_;
  // Maps the weight, the first word and the word that determines the weight to
  // kinds.
  std::unordered_map<std::string, std::vector<size_t>> by_first_;
  // The kinds of lines of one shape, for each weight.
  static constexpr size_t kNoKind = ~size_t{0};
  struct OfShape {
    bool may_weigh = false;
    std::array<size_t, kWeights> kinds = {kNoKind, kNoKind, kNoKind, kNoKind,
                                          kNoKind};
  };
  std::unordered_map<std::string, OfShape> by_shape_;  // bounded
  // Indexed by the number of words in a line; the last element is for longer
  // lines, too. `rest` is the kind that counts lines once there are too many
  // kinds.
  static constexpr size_t kLengths = 8;
  struct OfLength {
    size_t kinds = 0;
    size_t rest = kNoKind;
  };
  std::array<OfLength, kLengths> of_length_;
};

}  // namespace glasstty::motion
