#include "workloads.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

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

// Imitates `ls --color` in columns: folders, programs, plain files.
std::string ListedLine(int i) {
  std::string number = std::to_string(i % 997);
  return "\033[0m\033[01;34mfolder" + number + "\033[0m     notes" + number +
         ".txt     \033[01;32mrun" + number + "\033[0m     \033[01;36mlink" +
         number + "\033[0m     readme.md     main.cc\n";
}

// Prints wide characters, another alphabet, accents, boxes and marks, each on a
// line.
std::string ForeignLine(int i) {
  switch (i % 4) {
    case 0:
      return "日志文件中的请求已经完成服务器正在等待下一个连接 " +
             std::to_string(i) + "\n";
    case 1:
      return "сервер ожидает следующего соединения запрос выполнен " +
             std::to_string(i) + "\n";
    case 2:
      return "世界 wide 界世 text ✓ → ok\n";
    default:
      return "naïve café ──│┌┐└┘ ████ e\u0301e\u0301 " + std::to_string(i) +
             "\n";
  }
}

// Does what editors and pagers do: a status line below a region that scrolls,
// text inserted above, columns moved.
std::string RegionStep(int i) {
  std::string number = std::to_string(i % 1000);
  switch (i % 4) {
    case 0:
    case 1:
      return "\033[1;23r\033[23;1H\n\033[1;24r\033[23;1H\033[33m" + number +
             "\033[0m one more line of the text that scrolls\033[K"
             "\033[24;1H-- " +
             number + "%\033[K";
    case 2:
      return "\033[2;22r\033[2;1H\033M\033[r\033[2;1Ha line from above " +
             number + "\033[K";
    default:
      return "\033[10;1H\033[Linserted " + number +
             "\033[5;1H\033[M\033[12;10H\033[3P\033[2@xx";
  }
}

// Returns a row of a monitor: placed, coloured, erased to the end.
std::string PlacedRow(int i) {
  return "\033[" + std::to_string(i % 40 + 1) + ";1H\033[7m" +
         std::to_string(i % 9999) + "\033[m  root  20  0  \033[32m" +
         std::to_string(i % 100) + "." + std::to_string(i % 10) +
         "\033[m  /usr/bin/program --with arguments\033[K";
}

std::string Recorded(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".bytes") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::string bytes;
  for (const std::filesystem::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    bytes.append(std::istreambuf_iterator<char>(stream), {});
  }
  return bytes;
}

}  // namespace

std::vector<Workload> Workloads(size_t size, const std::string& recordings) {
  std::vector<Workload> all = {
      {"log lines", Repeat(size, LogLine)},
      {"seq", Repeat(size, [](int i) { return std::to_string(i) + "\n"; })},
      {"long lines",
       Repeat(size, [](int) { return std::string(1000, 'x') + "\n"; })},
      {"colours", Repeat(size, ColouredLine)},
      {"ls --color", Repeat(size, ListedLine)},
      {"wide", Repeat(size, ForeignLine)},
      {"regions", Repeat(size, RegionStep)},
      {"full screen", Repeat(size, PlacedRow)},
  };
  if (!recordings.empty()) {
    std::string once = Recorded(recordings);
    all.push_back({"recorded", Repeat(size, [&](int) { return once; })});
  }
  return all;
}

std::string AsDelivered(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 16);
  for (char c : bytes) {
    if (c == '\n') out += '\r';
    out += c;
  }
  return out;
}

}  // namespace glasstty::bench
