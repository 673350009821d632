#include "typing/addressee.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace glasstty::typing {
namespace {

// Returns the foreground, with its process group and those of its ancestors.
wire::ProbeAnswer Foreground(const char* name, const std::vector<int>& lineage,
                             wire::Waiting waiting = wire::Waiting::kRead) {
  wire::ProbeAnswer answer;
  answer.settled = 1;
  answer.waiting = waiting;
  std::strncpy(answer.name, name, sizeof answer.name - 1);
  std::copy(lineage.begin(), lineage.end(), answer.lineage);
  return answer;
}

constexpr int kBash = 10, kVim = 20, kLess = 30;

TEST(Addressee, ThatIsInTheForegroundIsThere) {
  Addressee addressee;
  addressee.Learn(Foreground("vim", {kVim, kBash}));
  EXPECT_EQ(addressee.Missing(Foreground("vim", {kVim, kBash})), "");
}

TEST(Addressee, IsMissedWhenTheShellBehindItHasTheTerminal) {
  Addressee addressee;
  addressee.Learn(Foreground("vim", {kVim, kBash}));
  EXPECT_EQ(addressee.Missing(Foreground("bash", {kBash})),
            "vim is no longer in the foreground (bash is); where a program is "
            "meant to end, put {\"until\": {\"state\": \"prompt\"}} behind it");
}

TEST(Addressee, IsThereBehindWhatItHasStarted) {
  Addressee addressee;
  addressee.Learn(Foreground("bash", {kBash}));
  EXPECT_EQ(addressee.Missing(Foreground("less", {kLess, kVim, kBash})), "");
  EXPECT_EQ(addressee.Missing(Foreground("bash", {kBash})), "");
}

TEST(Addressee, IsNotOneThatDoesNotReadItsTerminal) {
  Addressee addressee;
  addressee.Learn(
      Foreground("make", {kVim, kBash}, wire::Waiting::kSleepOther));
  EXPECT_EQ(addressee.Missing(Foreground("bash", {kBash})), "");
  // This is the first program that waits.
  addressee.Learn(Foreground("bash", {kBash}));
  EXPECT_NE(addressee.Missing(Foreground("sh", {5})), "");
}

// A container's first process has the first process group.
TEST(Addressee, MayBeTheFirstProcessOfItsMachine) {
  Addressee addressee;
  addressee.Learn(Foreground("sh", {1}));
  EXPECT_EQ(addressee.Missing(Foreground("sh", {1})), "");
  EXPECT_NE(addressee.Missing(Foreground("bash", {kBash})), "");
}

TEST(Addressee, IsNotMissedWithoutEvidence) {
  Addressee addressee;
  addressee.Learn(Foreground("vim", {kVim, kBash}));
  // This happens between two programs, or with an older holder.
  EXPECT_EQ(addressee.Missing(Foreground("", {})), "");
  // The list is so long that it may have been truncated.
  EXPECT_EQ(addressee.Missing(Foreground("sh", {1, 2, 3, 4, 5, 6, 7, 8})), "");
}

TEST(Addressee, ThatWasForgottenMakesRoomForTheNext) {
  Addressee addressee;
  addressee.Learn(Foreground("vim", {kVim, kBash}));
  addressee.Forget();
  addressee.Learn(Foreground("bash", {kBash}));
  EXPECT_EQ(addressee.Missing(Foreground("bash", {kBash})), "");
}

}  // namespace
}  // namespace glasstty::typing
