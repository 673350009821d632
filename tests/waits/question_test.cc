#include "waits/question.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/text.h"

namespace glasstty::waits {
namespace {

// A screen as a real program drew it. Each row begins with '|', or with '>'
// where the question begins; ¶ is the cursor, unless the program hides it.
struct Screen {
  std::string name;
  std::string picture;
  bool full_screen = false;
};
void PrintTo(const Screen& screen, std::ostream* out) { *out << screen.name; }

struct Parsed {
  Drawing drawing;
  std::optional<size_t> first;  // of the question
};

Parsed Parse(const Screen& screen) {
  constexpr std::string_view kCursor = "¶";
  Parsed parsed;
  parsed.drawing.full_screen = screen.full_screen;
  std::string_view rest = screen.picture;
  while (!rest.empty()) {
    std::string line(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.empty()) continue;
    size_t number = parsed.drawing.lines.size();
    if (line[0] == '>') parsed.first = number;
    line.erase(0, 1);
    if (size_t at = line.find(kCursor); at != std::string::npos) {
      line.erase(at, kCursor.size());
      parsed.drawing.cursor = {number, at};
    }
    parsed.drawing.lines.push_back(line);
  }
  std::vector<std::string>& lines = parsed.drawing.lines;
  while (!lines.empty() && TrimTrailingBlanks(lines.back()).empty()) {
    lines.pop_back();
  }
  return parsed;
}

class QuestionOnScreen : public testing::TestWithParam<Screen> {};

TEST_P(QuestionOnScreen, BeginsWhereAPersonSeesIt) {
  Parsed parsed = Parse(GetParam());
  std::optional<Place> place = FindQuestion(parsed.drawing);
  std::optional<size_t> first;
  if (place) first = place->first;
  EXPECT_EQ(first, parsed.first);
}

const Screen kScreens[] = {
    {"ClackText", R"(
|┌  create-app
|│
>◆  Project name?
|│  my-app
|└
)"},
    {"ClackInvalidText", R"(
|┌  create-app
|│
>▲  Project name?
|│  x█
|└  Too short
)"},
    {"ClackSelect", R"(
|◇  Project name?
|│  foo
|│
>◆  Pick a framework
|│  ● React (popular)
|│  ○ Vue
|│  ○ Svelte
|│  ↑/↓ to navigate • Enter: confirm
|└
)"},
    {"ClackAtWork", R"(
|◇  Which features?
|│  TypeScript
|│
|◇  Registry token
|│  ▪▪▪
|│
|◒  Installing
)"},
    {"InquirerInput", R"(
>? Project name: (my-app) ¶
)"},
    {"InquirerInvalidInput", R"(
>? Project name: x¶
|> Too short
)"},
    {"InquirerSelect", R"(
|✔ Project name: foo
>? Pick a framework
|❯ React
|  Vue
|  Svelte
|
|↑↓ navigate • ⏎ select
)"},
    {"InquirerCheckbox", R"(
|✔ Pick a framework Vue
>? Which features?
|❯◯ TypeScript
| ◯ ESLint
| ◯ Tests
|
|↑↓ navigate • space select • a all • i invert • ⏎ submit
)"},
    {"InquirerPassword", R"(
|✔ Which features? TypeScript
>? Registry token ¶
|ctrl+t toggle visibility
)"},
    {"InquirerSearch", R"(
|✔ Port? 3000
>? License ¶
|❯ MIT
|  ISC
|  Apache-2.0
|
|↑↓ navigate • ⏎ select
)"},
    // Entries that are not chosen have the sign of answered questions.
    {"EnquirerMultiselect", R"(
|✔ Pick a framework · Vue
>? Which features? …
|✔ TypeScript
|✔ ESLint
|✔ Tests
)"},
    {"EnquirerAutocomplete", R"(
|✔ Registry token · ***
>? License … ¶
|MIT
|ISC
|Apache-2.0
)"},
    {"EnquirerForm", R"(
|✔ License · MIT
>? Author
|⊙  First name :
|⊙      E-mail : …
)"},
    {"EnquirerToggle", R"(
|✔ Author
>? Use yarn? ‣ No / Yes
)"},
    {"PromptsMultiselect", R"(
|✔ Pick a framework › Vue
>? Which features? ›
|Instructions:
|    ↑/↓: Highlight option
|    ←/→/[space]: Toggle selection
|    a: Toggle all
|    enter/return: Complete answer
|◯   TypeScript
|◯   ESLint
|◯   Tests
)"},
    {"AnsweredByPrompts", R"(
|✔ Project name: … foo
|✔ Use yarn? … no / yes
|¶
)"},
    {"InkFieldInABox", R"(
>╭──────────────────────────────────────╮
|│ Project name:                        │
|╰──────────────────────────────────────╯
|esc to quit • ? for help
)"},
    {"InkListInABox", R"(
|✔ Project name: foo
>┌──────────────────────────────────────┐
|│Which framework?                      │
|│❯ React                               │
|│  Vue                                 │
|└──────────────────────────────────────┘
|esc to quit • ? for help
)"},
    {"InkLine", R"(
|✔ Project name: foo
|✔ Framework: Vue
>Initialize git? (y/n)
|esc to quit • ? for help
)"},
    {"FieldOfABubbleTeaProgram", R"(
>What's your favorite Pokémon?
|
|> Pikachu
|
|(esc to quit)
)"},
    {"LabelAboveAFieldInABox", R"(
|Welcome.
|
>Project name
|┌──────────┐
|│ > foo    │
|└──────────┘
|enter: next
)"},
    // apt keeps its last row while it asks in the one above.
    {"AptWithAProgressBar", R"(
|After this operation, 12 MB will be used.
>Do you want to continue? [Y/n] ¶
|
|Progress: [ 20%] [####..............]
)"},
    {"PromptToolkitWithAToolbar", R"(
|What for? fun
>Your name ¶
|
|
| press F1 for help
)"},
    {"APlainPrompt", R"(
|Name? bob
>Port? ¶
)"},
    {"WhiptailInput", R"(
|
>    ┌───────────────┤ Setup ├────────────────┐
|    │                                        │
|    │ What is your name?                     │
|    │                                        │
|    │ ¶______________________________________ │
|    │                                        │
|    │         <Ok>           <Cancel>        │
|    │                                        │
|    └────────────────────────────────────────┘
)",
     true},
    {"DialogWithABackTitle", R"(
>Step 1 of 2
|────────────────────────────────────────────────
|
|    ┌────────────────────────────────────────┐
|    │ Continue?                              │
|    │                                        │
|    ├────────────────────────────────────────┤
|    │        < ¶Yes >           < No  >       │
|    └────────────────────────────────────────┘
)",
     true},
    {"NanoAsksAboveItsKeys", R"(
|  GNU nano 7.2            New Buffer *
|Overwrite?
|
>Save modified buffer? ¶
| Y Yes
| N No           ^C Cancel
)",
     true},
    {"GdbAboveAStatusLine", R"(
|   1 int main() {
|   2   return 0;
|native process 1 In: main          L1  PC: 0x1
|(gdb) run
|The program is being debugged already.
>Start it from the beginning? (y or n) ¶
|status: 3 threads
)",
     true},
    {"FreelyLaidOut", R"(
>  Monitor
|
|      Really quit?
|
|  <Yes> <No>¶
)",
     true},
};

INSTANTIATE_TEST_SUITE_P(All, QuestionOnScreen, testing::ValuesIn(kScreens),
                         [](const testing::TestParamInfo<Screen>& row) {
                           return row.param.name;
                         });

TEST(Question, OnlyTextThatWasJustPrintedIsPrinted) {
  Drawing drawing = {{"Port? "}, Drawing::Cursor{0, 6}};
  EXPECT_TRUE(FindQuestion(drawing)->printed);
  drawing.cursor.reset();
  EXPECT_FALSE(FindQuestion(drawing)->printed);
  drawing = {{"Port? ", "", "F1 help"}, Drawing::Cursor{0, 6}};
  EXPECT_FALSE(FindQuestion(drawing)->printed);
}

TEST(Question, ABlankScreenAsksNothing) {
  EXPECT_FALSE(FindQuestion({}));
  EXPECT_FALSE(FindQuestion({{"", "│"}, std::nullopt}));
}

TEST(Question, IsWithoutFramesAndSigns) {
  EXPECT_EQ(TrimFrame("│ Sure?   │"), "Sure?");
  EXPECT_EQ(TrimFrame("◆  Project name?"), "Project name?");
  EXPECT_EQ(TrimFrame("? Name: (x) "), "Name: (x)");
  EXPECT_EQ(TrimFrame("?x"), "?x");
  EXPECT_EQ(TrimFrame("├────┤"), "");
}

TEST(Question, IsStillAskedWhileItsFieldIsFilled) {
  Drawing before = {{"? Name: (x)", "hint"}, Drawing::Cursor{0, 8}};
  auto still_asked = [&](const std::vector<std::string>& lines,
                         std::optional<Drawing::Cursor> cursor) {
    return IsStillAsked(before, {lines, cursor});
  };
  EXPECT_TRUE(still_asked({"? Name: bob", "hint"}, std::nullopt));
  EXPECT_FALSE(still_asked({"? Port: bob", "hint"}, std::nullopt));
  EXPECT_FALSE(still_asked({"? Name: bob", "other"}, std::nullopt));
  EXPECT_FALSE(still_asked({"? Name: bob"}, std::nullopt));
  // The complaint below proves nothing while the field keeps its text.
  EXPECT_TRUE(still_asked({"? Name: x", "> Too short"}, Drawing::Cursor{0, 9}));
  EXPECT_TRUE(still_asked({"? Name: x"}, Drawing::Cursor{0, 9}));
  EXPECT_FALSE(still_asked({"? Name: ", "> Why?"}, Drawing::Cursor{0, 8}));
  EXPECT_FALSE(still_asked({"? Port: x", "hint"}, Drawing::Cursor{0, 9}));
}

// A program may draw the key that moved the pointer before it draws the Enter.
TEST(Question, IsStillAskedWhileTheChoiceMoves) {
  Drawing before = {{"╭────╮", "│Which?", "│❯ A", "│  B", "╰────╯"}, {}};
  EXPECT_TRUE(IsStillAsked(
      before, {{"╭────╮", "│Which?", "│  A", "│❯ B", "╰────╯"}, {}}));
  EXPECT_FALSE(IsStillAsked(
      before, {{"╭────╮", "│What?", "│❯ A", "│  B", "╰────╯"}, {}}));
}

TEST(Question, IsStillAskedWhenItsProposalIsReplaced) {
  Drawing before = {{"◆  Name?", "│  my-app", "└"}, std::nullopt};
  EXPECT_TRUE(IsStillAsked(before, {{"◆  Name?", "│  f█", "└"}, {}}));
  EXPECT_FALSE(IsStillAsked(before, {{"◆  Name?", "│  a", "│  b", "└"}, {}}));
}

TEST(Question, IsStillAskedWhileClackRefusesTheAnswer) {
  Drawing before = {{"◆  Name?", "│  foo", "└"}, std::nullopt};
  EXPECT_TRUE(IsStillAsked(
      before, {{"▲  Name?", "│  x█", "└  Too short"}, std::nullopt}));
  EXPECT_FALSE(
      IsStillAsked(before, {{"◆  Port?", "│  80", "└"}, std::nullopt}));
}

}  // namespace
}  // namespace glasstty::waits
