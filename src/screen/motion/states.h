// Remembers the last news of things that lines name, so that the end of a state
// is news as well, although lines like it were there before:
//
//   web-1  0/1  OOMKilled  2   is news,
//   web-1  1/1  Running    3   is the end of it
//
// A line names a thing by its first word, and tells of another state of it if
// it differs from the news in one word alone. News is forgotten once it has
// ended, so that a thing that goes to and fro is told once. Bounded. Owns
// everything; one thread.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace glasstty::motion {

class States {
 public:
  // The line was news.
  void Note(std::string_view line);
  // Returns whether the line tells that news about its thing has ended.
  bool IsEnd(std::string_view line) const;
  // The end was told, if the line is one.
  void Forget(std::string_view line);

 private:
  // Words without numbers, by the first word.
  std::unordered_map<std::string, std::vector<std::string>> news_;
};

}  // namespace glasstty::motion
