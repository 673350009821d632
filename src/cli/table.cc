#include "cli/table.h"

#include <algorithm>
#include <cstdio>

namespace glasstty {

void PrintTable(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const auto& cells : rows) {
    for (size_t i = 0; i < cells.size(); ++i) {
      widths[i] = std::max(widths[i], cells[i].size());
    }
  }
  for (const auto& cells : rows) {
    std::string line;
    for (size_t i = 0; i + 1 < cells.size(); ++i) {
      line += cells[i] + std::string(widths[i] - cells[i].size() + 2, ' ');
    }
    std::printf("%s%s\n", line.c_str(), cells.back().c_str());
  }
}

int PrintListing(const Options& options, const Json& list,
                 const std::vector<std::vector<std::string>>& table,
                 const char* nothing) {
  if (options.Has("json")) {
    std::printf("%s\n", DumpJson(list).c_str());
  } else if (!list.empty()) {
    PrintTable(table);
  } else {
    std::fprintf(stderr, "%s\n", nothing);
  }
  return list.empty() ? 1 : 0;
}

}  // namespace glasstty
