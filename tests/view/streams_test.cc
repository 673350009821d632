// Reads what installers and builders print as a person would:
// fixtures/streams/NAME.bytes, recorded at 24x80, with NAME.text beside it.
// GLASSTTY_UPDATE=1 writes the texts anew.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include "support/text.h"
#include "testing/fake_holder.h"
#include "testing/source_tree.h"
#include "view/reader.h"

namespace glasstty::view {
namespace {

std::string ReadFile(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> Recordings() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(SourcePath("fixtures/streams"))) {
    if (entry.path().extension() == ".bytes") paths.push_back(entry.path());
  }
  return paths;
}

class Streams : public testing::TestWithParam<std::filesystem::path> {
 protected:
  // Returns what is new since the last call.
  std::string Read() {
    ReadResult result =
        ReadSession(*session_, mark_, {.limits = {.max_lines = 0}});
    EXPECT_EQ(result.used, ReadMode::kStream);
    mark_ = result.mark;
    return result.body;
  }

  const std::string bytes_ = ReadFile(GetParam());
  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({24, 80});
  record::ReadMark mark_;
};

TEST_P(Streams, ReadAsAPersonWouldHaveReadThem) {
  std::filesystem::path expected = GetParam();
  expected.replace_extension(".text");
  holder_.Print(bytes_);
  std::string text = Read() + "\n";
  if (std::getenv("GLASSTTY_UPDATE") != nullptr) {
    std::ofstream(expected) << text;
  }
  EXPECT_EQ(text, ReadFile(expected));
}

TEST_P(Streams, LeaveOutNoLineWhenReadPieceByPiece) {
  holder_.Print(bytes_);
  std::vector<std::string> whole = Split(Read(), '\n');
  std::mt19937 random(7);
  for (int round = 0; round < 5; ++round) {
    FakeHolder holder;
    session_ = holder.Open({24, 80});
    mark_ = record::ReadMark();
    std::set<std::string> seen;
    std::string_view rest = bytes_;
    while (!rest.empty()) {
      size_t size = std::min<size_t>(rest.size(), random() % 300 + 1);
      holder.Print(rest.substr(0, size));
      rest.remove_prefix(size);
      std::string piece = Read();
      // A line of which a part was shown continues where that part ended.
      for (std::string& line : Split(piece, '\n')) seen.insert(line);
    }
    for (const std::string& line : whole) {
      bool told = seen.count(line) > 0;
      for (const std::string& part : seen) {
        told |= !part.empty() && line.ends_with(part);
      }
      EXPECT_TRUE(told) << line;
    }
    session_.reset();
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, Streams, testing::ValuesIn(Recordings()),
                         [](const auto& row) {
                           std::string name = row.param.stem();
                           std::erase_if(name, [](char c) {
                             return std::isalnum(c) == 0;
                           });
                           return name;
                         });

}  // namespace
}  // namespace glasstty::view
