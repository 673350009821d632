#include "workloads.h"

#include <functional>

namespace glasstty::bench {
namespace {

std::string Repeat(size_t size, const std::function<std::string(int)>& line) {
  std::string bytes;
  for (int i = 0; bytes.size() < size; ++i) bytes += line(i);
  return bytes;
}

std::string LogLine(int i) {
  return "2026-11-21T22:45:31 server[" + std::to_string(i % 977) +
         "]: request " + std::to_string(i) + " served in " +
         std::to_string(i % 89) + " ms\n";
}

std::string ColouredLine(int i) {
  std::string line;
  for (int word = 0; word < 10; ++word) {
    line += "\033[" + std::to_string(31 + (i + word) % 7) + ";1mword" +
            std::to_string(word) + "\033[0m ";
  }
  return line + "\n";
}

// A row of a monitor: placed, coloured, erased to the end.
std::string PlacedRow(int i) {
  return "\033[" + std::to_string(i % 40 + 1) + ";1H\033[7m" +
         std::to_string(i % 9999) + "\033[m  root  20  0  \033[32m" +
         std::to_string(i % 100) + "." + std::to_string(i % 10) +
         "\033[m  /usr/bin/program --with arguments\033[K";
}

}  // namespace

std::vector<Workload> Workloads(size_t size) {
  return {
      {"log lines", Repeat(size, LogLine)},
      {"seq", Repeat(size, [](int i) { return std::to_string(i) + "\n"; })},
      {"long lines",
       Repeat(size, [](int) { return std::string(1000, 'x') + "\n"; })},
      {"colours", Repeat(size, ColouredLine)},
      {"wide", Repeat(size, [](int) { return "世界 wide 界世 text\n"; })},
      {"full screen", Repeat(size, PlacedRow)},
  };
}

}  // namespace glasstty::bench
