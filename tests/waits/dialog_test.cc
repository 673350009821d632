#include "waits/dialog.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "support/text.h"

namespace glasstty::waits {
namespace {

std::string TextOn(const std::string& picture) {
  return DialogText(Split(picture, '\n')).value_or("nothing");
}

TEST(Dialog, IsABoxWithButtonsAndItsTextIsTheFirstParagraphThatAsks) {
  const struct {
    const char* text;
    const char* picture;
  } kRows[] = {
      {"Delete it?", R"(
   ┌──────────────────────────┐
   │                          │
   │ Delete it?               │
   │                          │
   │     <Yes>      <No>      │
   │                          │
   └──────────────────────────┘)"},
      // The text may be no question, and have several lines and paragraphs.
      {"All is done.", R"(
   ┌────────────────┐
   │ All is done.   │
   │                │
   │      <Ok>      │
   └────────────────┘)"},
      {"Go on now or stop?", R"(
   ┌────────────────┐
   │ The disk fills │
   │ up.            │
   │                │
   │ Go on now      │
   │ or stop?       │
   ├────────────────┤
   │ <  OK  > <Back>│
   └────────────────┘)"},
      {"Your name", R"(
  ┌──────────────────────────┐
  │ Your name                │
  │ ┌──────────────────────┐ │
  │ │x                     │ │
  │ └──────────────────────┘ │
  ├──────────────────────────┤
  │   <  OK  >   <Cancel>    │
  └──────────────────────────┘)"},
      // Over the panels of a file manager.
      {"Delete directory \"home\"?", R"(
┌<─ ~ ───────────────┐┌<─ ~ ─────────────────┐
│ a      ┌───── Delete ──────┐       │  ...  │
│ b      │ Delete directory  │       │  ...  │
│ 日本   │     "home"?       │       │  ...  │
│ c      ├───────────────────┤       │  ...  │
│ d      │  [ Yes ]  [ No ]  │       │  ...  │
│ e      └───────────────────┘       │  ...  │
└────────────────────┘└──────────────────────┘)"},
      {"Are you sure?", R"(
     +--Confirm-----------------------+
     | Are you sure?                  |
     |                                |
     |  yes   no   don't ask me again |
     +--------------------------------+)"},
  };
  for (const auto& row : kRows) EXPECT_EQ(TextOn(row.picture), row.text);
}

TEST(Dialog, IsNoPanelListOrTable) {
  for (const char* picture : {
           R"(
┌<─ ~ ────────────┐┌<─ ~ ────────────┐
│ a[1]            ││ [x] what?       │
│ <DIR>  b        ││ <DIR>           │
└─────────────────┘└─────────────────┘)",
           "  [Main] [I/O]",
           "  < Yes >   < No >",
           "│ [#####    ] │ 50% │",
           "│ (*) one │\n│ ( ) two │",
           "",
       }) {
    EXPECT_EQ(TextOn(picture), "nothing") << picture;
  }
}

TEST(Dialog, IsNotLookedForAboveButtonsWithoutEnd) {
  std::string buttons = "\u2502";
  for (int i = 0; i < 100'000; ++i) buttons += "<OK>\u2502";
  auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(DialogText({std::string(1'000'000, 'x'), buttons}).has_value());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

}  // namespace
}  // namespace glasstty::waits
