// Tests which of the files that a user names are read.
#include "support/user_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/fd.h"
#include "support/status.h"

namespace glasstty {
namespace {

class UserFile : public ::testing::Test {
 protected:
  ~UserFile() override { std::filesystem::remove_all(folder_); }

  std::string At(const std::string& name) { return folder_ + "/" + name; }
  std::string Write(const std::string& name, const std::string& content) {
    std::ofstream(At(name)) << content;
    return At(name);
  }

  char name_[32] = "/tmp/glasstty-user-XXXXXX";
  std::string folder_ = mkdtemp(name_);
};

std::string Failure(const std::string& path, size_t limit = 100) {
  auto text = ReadUserFile(path, limit);
  return text.ok() ? "read: " + *text : Message(text.status());
}

TEST_F(UserFile, IsReadWholeAlsoThroughALink) {
  std::string file = Write("file", std::string(50'000, 'x'));
  ASSERT_EQ(symlink(file.c_str(), At("link").c_str()), 0);
  EXPECT_EQ(ReadUserFile(file, 50'000).value().size(), 50'000u);
  EXPECT_EQ(ReadUserFile(At("link"), 50'000).value().size(), 50'000u);
  EXPECT_EQ(Failure(file, 49'999),
            "read " + file + ": it has more than 49999 bytes");
  EXPECT_EQ(ReadUserFile(file, 49'999, Longer::kCut).value().size(), 49'999u);
}

TEST_F(UserFile, IsRefusedWhenItIsNotAPlainFile) {
  ASSERT_EQ(mkfifo(At("pipe").c_str(), 0600), 0);
  EXPECT_EQ(Failure(At("pipe")),
            "open " + At("pipe") + ": it is a pipe, not a plain file");
  EXPECT_EQ(Failure(folder_),
            "open " + folder_ + ": it is a directory, not a plain file");
  EXPECT_EQ(Failure("/dev/zero"),
            "open /dev/zero: it is a device, not a plain file");
}

TEST_F(UserFile, LeavesAPipeOfItsOwnProcessAlone) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  UniqueFd in(ends[0]), out(ends[1]);
  ASSERT_TRUE(WriteAll(out.get(), "request"));
  std::string path = absl::StrFormat("/proc/self/fd/%d", in.get());
  EXPECT_EQ(Failure(path), "open " + path + ": it is a pipe, not a plain file");
  char bytes[16];
  EXPECT_EQ(ReadSome(in.get(), bytes, sizeof bytes), 7);
}

TEST_F(UserFile, ThatCannotBeOpenedSaysWhy) {
  EXPECT_EQ(Failure("/no/such"), "open /no/such: No such file or directory");
  ASSERT_EQ(symlink("loop", At("loop").c_str()), 0);
  EXPECT_EQ(Failure(At("loop")),
            "open " + At("loop") + ": Too many levels of symbolic links");
}

}  // namespace
}  // namespace glasstty
