// Measures the floor: a program in a pseudoterminal and a loop that only reads.
// No emulator, no log, no protocol.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace glasstty::bench {

class BarePty {
 public:
  explicit BarePty(const std::vector<std::string>& argv, int rows, int cols);
  BarePty(const BarePty&) = delete;
  BarePty& operator=(const BarePty&) = delete;
  ~BarePty();

  // Reads until `text` was printed.
  void ReadUntil(const std::string& text);
  // Reads until the program has gone; returns how many bytes.
  size_t Drain();

 private:
  int master_ = -1;
  pid_t pid_ = -1;
};

}  // namespace glasstty::bench
