// Tests paths that begin with "~".
#include "support/home.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "support/status.h"

namespace glasstty {
namespace {

class Home : public ::testing::Test {
 protected:
  Home() : before_(HomeDirectory()) { setenv("HOME", "/home/of mine", 1); }
  ~Home() override { setenv("HOME", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST_F(Home, StandsWhereAPathBeginsWithATilde) {
  EXPECT_EQ(*ExpandHome("~"), "/home/of mine");
  EXPECT_EQ(*ExpandHome("~/"), "/home/of mine/");
  EXPECT_EQ(*ExpandHome("~/a/~"), "/home/of mine/a/~");
  for (const char* other : {"", "/~", "a~", "./~", "a/~/b"}) {
    EXPECT_EQ(*ExpandHome(other), other);
  }
}

TEST_F(Home, OfAnotherUserIsNamedBehindTheTilde) {
  EXPECT_EQ(*ExpandHome("~root"), getpwuid(0)->pw_dir);
  EXPECT_EQ(*ExpandHome("~root/x"), std::string(getpwuid(0)->pw_dir) + "/x");
  EXPECT_EQ(Message(ExpandHome("~nobody-of-this-name/x").status()),
            "'~nobody-of-this-name/x': there is no user 'nobody-of-this-name'; "
            "a directory of that name is ./~nobody-of-this-name/x");
}

TEST_F(Home, IsAbbreviatedHoweverItIsWritten) {
  for (const char* home : {"/home/me", "/home/me/", "/home/me//"}) {
    setenv("HOME", home, 1);
    EXPECT_EQ(HomeRelative("/home/me"), "~");
    EXPECT_EQ(HomeRelative("/home/me/x"), "~/x");
    EXPECT_EQ(HomeRelative("/home/mean"), "/home/mean");
  }
  setenv("HOME", "/", 1);
  EXPECT_EQ(HomeRelative("/x"), "/x");
}

TEST_F(Home, IsTheOneOfThePasswordDatabaseWithoutHOME) {
  for (const char* unset : {"", static_cast<const char*>(nullptr)}) {
    if (unset == nullptr) {
      unsetenv("HOME");
    } else {
      setenv("HOME", unset, 1);
    }
    EXPECT_EQ(*ExpandHome("~/x"),
              std::string(getpwuid(getuid())->pw_dir) + "/x");
  }
}

}  // namespace
}  // namespace glasstty
