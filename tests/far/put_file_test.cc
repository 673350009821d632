// Tests what the server and the program that writes a file on another machine
// send each other.
#include "wire/put_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace glasstty::far {
namespace {

TEST(PutFile, ARequestCrossesAsWordsOfACommandLine) {
  wire::PutRequest request;
  request.mode = FileReplacement::Mode::kAppend;
  request.size = 12;
  request.path = "a b\n;$x";
  request.processes = {7, 9};
  request.directory = "/srv";
  std::vector<std::string> words = wire::EncodePut(request);
  ASSERT_EQ(words[1], "--put");
  words.erase(words.begin(), words.begin() + 2);
  wire::PutRequest there;
  ASSERT_TRUE(wire::DecodePut(words, &there));
  EXPECT_EQ(there.mode, FileReplacement::Mode::kAppend);
  EXPECT_EQ(there.size, 12u);
  EXPECT_EQ(there.path, request.path);
  EXPECT_EQ(there.processes, request.processes);
  EXPECT_EQ(there.directory, "/srv");
}

TEST(PutFile, AWrongCommandLineIsRefused) {
  const std::vector<std::string> kWrong[] = {
      {},
      {"replace", "1", "/x"},
      {"delete", "1", "/x", ""},
      {"replace", "-1", "/x", ""},
      {"replace", "1", "", ""},
      {"replace", "1", "/x", "", "one"},
  };
  for (const auto& words : kWrong) {
    wire::PutRequest request;
    EXPECT_FALSE(wire::DecodePut(words, &request)) << words.size();
  }
}

TEST(PutFile, AResultIsOneLineOfLettersAndDigits) {
  wire::PutResult result;
  result.problem = {FileProblem::Kind::kErrno, 13, "/a\nb", ""};
  result.path = "/a\x1b[2Jb";
  result.created = true;
  result.size = 5;
  std::string line = wire::EncodePutResult(result);
  for (char c : line) EXPECT_TRUE(c > ' ' && c < 0x7F);
  wire::PutResult here;
  ASSERT_TRUE(wire::DecodePutResult(line, &here));
  EXPECT_EQ(here.problem.kind, FileProblem::Kind::kErrno);
  EXPECT_EQ(here.problem.error, 13);
  EXPECT_EQ(here.problem.path, "/a\nb");
  EXPECT_EQ(here.path, result.path);
  EXPECT_TRUE(here.created);
  EXPECT_FALSE(here.in_place);
  EXPECT_EQ(here.size, 5);
}

TEST(PutFile, AnythingElseIsNoResult) {
  std::string line = wire::EncodePutResult({});
  for (size_t cut = 0; cut < line.size(); ++cut) {
    wire::PutResult result;
    EXPECT_FALSE(wire::DecodePutResult(line.substr(0, cut), &result)) << cut;
  }
  wire::PutResult result;
  EXPECT_FALSE(wire::DecodePutResult(line + "00", &result));
  EXPECT_FALSE(wire::DecodePutResult("glasstty-put:zz", &result));
  // This kind does not exist.
  std::string kind = line;
  kind[std::string("glasstty-put:").size() + 1] = '9';
  EXPECT_FALSE(wire::DecodePutResult(kind, &result));
}

}  // namespace
}  // namespace glasstty::far
