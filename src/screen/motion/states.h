// Remembers the last reported state of each thing that lines name. So the end
// of that state is reported as well, although similar lines were there before:
//
//   web-1  0/1  OOMKilled  2   is reported,
//   web-1  1/1  Running    3   ends that state
//
// The first word of a line names the thing. A line shows another state if it
// differs from the reported line in exactly one word. A state is forgotten once
// it has ended, so that a thing that alternates is reported once. The number of
// states is bounded. Single-threaded.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace glasstty::motion {

class States {
 public:
  // Records that the line was reported.
  void Note(std::string_view line);
  // Returns whether the line shows that the reported state of its thing has
  // ended.
  bool IsEnd(std::string_view line) const;
  // Records that the line was reported as the end of a state: forgets that
  // state, if there is one.
  void Forget(std::string_view line);

 private:
  // The words of the reported lines without their numbers, by the first word.
  std::unordered_map<std::string, std::vector<std::string>> news_;
};

}  // namespace glasstty::motion
