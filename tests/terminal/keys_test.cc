// Tests keys, their notation, paste and mouse, with tables, and with libvterm's
// encoder as an oracle where it is right.
#include "terminal/keys.h"

#include <gtest/gtest.h>
#include <vterm.h>

#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/escape.h"
#include "support/status.h"
#include "terminal/key_protocols.h"
#include "terminal/key_table.h"
#include "terminal/mouse.h"
#include "testing/source_tree.h"

namespace glasstty::terminal {
namespace {

std::string Encoded(std::string_view name, const Modes& modes = {}) {
  auto key = ParseKey(name);
  if (!key.ok()) return "error: " + Message(key.status());
  return EscapeBytes(EncodeKey(*key, modes));
}

struct KeyCase {
  std::string_view name;
  std::string_view bytes;  // escaped
};

TEST(Keys, AreEncodedAsXtermDoes) {
  for (const KeyCase& row : std::initializer_list<KeyCase>{
           {"Enter", "\\r"},
           {"Return", "\\r"},
           {"Esc", "\\e"},
           {"escape", "\\e"},
           {"Tab", "\\t"},
           {"S-Tab", "\\e[Z"},
           {"BS", "\\x7f"},
           {"Backspace", "\\x7f"},
           {"C-BS", "\\b"},
           {"M-BS", "\\e\\x7f"},
           {"Del", "\\e[3~"},
           {"Insert", "\\e[2~"},
           {"Space", " "},
           {"C-Space", "\\x00"},
           {"Up", "\\e[A"},
           {"Down", "\\e[B"},
           {"Right", "\\e[C"},
           {"Left", "\\e[D"},
           {"Home", "\\e[H"},
           {"End", "\\e[F"},
           {"C-Left", "\\e[1;5D"},
           {"S-Up", "\\e[1;2A"},
           {"M-S-Home", "\\e[1;4H"},
           {"C-M-S-End", "\\e[1;8F"},
           {"PageUp", "\\e[5~"},
           {"PgUp", "\\e[5~"},
           {"PageDown", "\\e[6~"},
           {"C-PgDn", "\\e[6;5~"},
           {"F1", "\\eOP"},
           {"F2", "\\eOQ"},
           {"F3", "\\eOR"},
           {"F4", "\\eOS"},
           {"F5", "\\e[15~"},
           {"F6", "\\e[17~"},
           {"F7", "\\e[18~"},
           {"F8", "\\e[19~"},
           {"F9", "\\e[20~"},
           {"F10", "\\e[21~"},
           {"F11", "\\e[23~"},
           {"F12", "\\e[24~"},
           {"Ins", "\\e[2~"},
           {"Del", "\\e[3~"},
           {"C-F1", "\\e[1;5P"},
           {"S-F5", "\\e[15;2~"},
           {"F13", "\\e[1;2P"},
           {"F24", "\\e[24;2~"},
           {"KP5", "5"},
           {"KPEnter", "\\r"},
           {"KPPlus", "+"},
           {"M-Enter", "\\e\\r"},
           {"C-Enter", "\\r"},
           {"S-Enter", "\\r"},
           {"C-Tab", "\\t"},
           {"C-Esc", "\\e"},
       }) {
    EXPECT_EQ(Encoded(row.name), row.bytes) << row.name;
  }
}

TEST(Keys, CharactersTakeModifiers) {
  for (const KeyCase& row : std::initializer_list<KeyCase>{
           {"x", "x"},
           {"S-x", "X"},
           {"M-x", "\\ex"},
           {"A-x", "\\ex"},
           {"C-x", "\\x18"},
           {"C-X", "\\x18"},
           {"C-A", "\\x01"},
           {"C-Z", "\\x1a"},
           {"C-z", "\\x1a"},
           {"C-i", "\\t"},
           {"C-j", "\\n"},
           {"C-m", "\\r"},
           {"C-[", "\\e"},
           {"C-\\", "\\x1c"},
           {"C-]", "\\x1d"},
           {"C-^", "\\x1e"},
           {"C-_", "\\x1f"},
           {"C-@", "\\x00"},
           {"C-/", "\\x1f"},
           {"C-?", "\\x7f"},
           {"C-2", "\\x00"},
           {"C-3", "\\e"},
           {"C-8", "\\x7f"},
           {"C-M-a", "\\e\\x01"},
           {"M-\u4E2D", "\\e\u4E2D"},
           {"M-S-a", "\\eA"},
           {"S-z", "Z"},
           {"lt", "<"},
           {"M-lt", "\\e<"},
           {"M-gt", "\\e>"},
           {"M--", "\\e-"},
           {"C--", "-"},
           {"ctrl+x", "\\x18"},
           {"alt+x", "\\ex"},
           {"shift+x", "X"},
           {"Ctrl-C", "\\x03"},
           {"ctrl+shift+Left", "\\e[1;6D"},
           {"control+a", "\\x01"},
           {"meta+x", "\\ex"},
       }) {
    EXPECT_EQ(Encoded(row.name), row.bytes) << row.name;
  }
}

TEST(Keys, FollowTheModesOfTheProgram) {
  Modes modes;
  modes.application_cursor = true;
  EXPECT_EQ(Encoded("Up", modes), "\\eOA");
  EXPECT_EQ(Encoded("Home", modes), "\\eOH");
  EXPECT_EQ(Encoded("C-Up", modes), "\\e[1;5A") << "modifiers need CSI";
  modes.application_keypad = true;
  EXPECT_EQ(Encoded("KP0", modes), "\\eOp");
  EXPECT_EQ(Encoded("KP9", modes), "\\eOy");
  EXPECT_EQ(Encoded("KPEnter", modes), "\\eOM");
  EXPECT_EQ(Encoded("Enter", modes), "\\r");
  modes.newline = true;
  EXPECT_EQ(Encoded("Enter", modes), "\\r\\n");
}

TEST(Keys, OfTheKeypadAndTheCursorIgnoreItsModesInTheProtocol) {
  Modes modes;
  modes.application_cursor = modes.application_keypad = modes.newline = true;
  modes.kitty_flags = kDisambiguate;
  EXPECT_EQ(Encoded("Up", modes), "\\e[A");
  EXPECT_EQ(Encoded("KP0", modes), "0");
  EXPECT_EQ(Encoded("KPEnter", modes), "\\e[57414u");
  modes.kitty_flags = kAllKeys;
  EXPECT_EQ(Encoded("Enter", modes), "\\e[13u");
}

TEST(Keys, AreNamedAsTheyAreWritten) {
  for (const char* name : {"S-Enter", "C-M-S-x", "D-Left", "H-a", "T-a", "!"}) {
    EXPECT_EQ(KeyName(*ParseKey(name)), name);
  }
  EXPECT_EQ(KeyName(*ParseKey("super+ctrl+shift+Tab*3")), "C-D-S-Tab");
}

TEST(Keys, TheProtocolOfKittyWinsOverModifyOtherKeys) {
  Modes modes;
  modes.modify_other_keys = 2;
  modes.kitty_flags = kDisambiguate;
  EXPECT_EQ(Encoded("C-a", modes), "\\e[97;5u");
}

// A table of keys in fixtures/keys.
struct KeyTableRow {
  std::string place;
  Modes modes;
  std::string name, bytes;
};

std::vector<KeyTableRow> RowsOf(const std::string& file) {
  std::vector<KeyTableRow> rows;
  std::ifstream lines(SourcePath("fixtures/keys/" + file));
  std::string line;
  std::optional<Modes> modes;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string first, second, third;
    words >> first >> second >> third;
    if (first == "--") {
      modes.emplace();
      int value = std::stoi(third);
      (second == "kitty" ? modes->kitty_flags : modes->modify_other_keys) =
          value;
      modes->format_other_keys = words >> first ? 1 : 0;
    } else if (modes && !first.empty()) {
      rows.push_back(
          {file + ":" + std::to_string(number), *modes, first, second});
    }
  }
  return rows;
}

class KeyFixtures : public ::testing::TestWithParam<const char*> {};

TEST_P(KeyFixtures, SayWhatIsReadForEachKey) {
  std::vector<KeyTableRow> rows = RowsOf(GetParam());
  ASSERT_GT(rows.size(), 30u);
  for (const KeyTableRow& row : rows) {
    auto key = ParseKey(row.name);
    ASSERT_TRUE(key.ok()) << row.place << ": " << Message(key.status());
    bool is_refused = row.bytes == "refused";
    EXPECT_EQ(CanSend(*key, row.modes), !is_refused)
        << row.place << " " << row.name;
    if (is_refused) continue;
    std::string bytes = UnescapeBytes(row.bytes);
    EXPECT_EQ(EscapeBytes(EncodeKey(*key, row.modes)), EscapeBytes(bytes))
        << row.place << " " << row.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, KeyFixtures,
                         ::testing::Values("kitty.keys", "xterm.keys"),
                         [](const auto& row) {
                           std::string name = row.param;
                           return name.substr(0, name.find('.'));
                         });

TEST(Keys, AreAllToldApartWhenAllAreAskedFor) {
  Modes modes;
  modes.kitty_flags = kAllKeys;
  std::map<std::string, std::string> seen;
  auto add = [&](Key key) {
    for (int modifiers = 0; modifiers < 256; ++modifiers) {
      key.modifiers = static_cast<uint8_t>(modifiers);
      ASSERT_TRUE(CanSend(key, modes)) << KeyName(key);
      auto [it, is_new] = seen.emplace(EncodeKey(key, modes), KeyName(key));
      EXPECT_TRUE(is_new) << KeyName(key) << " is like " << it->second;
    }
  };
  for (size_t i = 0; i < KeyTable().size(); ++i) {
    // These keys hold a modifier down themselves.
    if (KeyTable()[i].kind == KeyKind::kModifier) continue;
    Key key;
    key.named = static_cast<int>(i);
    add(key);
  }
  for (char32_t c : std::u32string_view(U"az09`-=[]\\;',./\u00E9\u4E2D")) {
    Key key;
    key.character = c;
    add(key);
  }
}

// This applies whatever else was requested.
TEST(Keys, ThatGiveTextStayTextUntilAllKeysAreAskedFor) {
  for (int flags = 0; flags <= kAllKittyFlags; ++flags) {
    Modes modes;
    modes.kitty_flags = flags;
    for (const char* name :
         {"a", "A", "!", "Space", "KP5", "\u00C9", "Enter", "Tab", "BS"}) {
      bool is_code = Encoded(name, modes).substr(0, 2) == "\\e";
      EXPECT_EQ(is_code, (flags & kAllKeys) != 0) << name << " " << flags;
      EXPECT_TRUE(CanSend(*ParseKey(name), modes)) << name << " " << flags;
    }
  }
}

TEST(Keys, Repeat) {
  EXPECT_EQ(Encoded("Down*3"), "\\e[B\\e[B\\e[B");
  EXPECT_EQ(Encoded("j*2"), "jj");
  EXPECT_EQ(Encoded("*"), "*");
  EXPECT_EQ(Encoded("**2"), "**");
  EXPECT_EQ(Encoded("5"), "5");
  EXPECT_EQ(Encoded("j*1000"), std::string(1000, 'j'));
  EXPECT_EQ(Encoded("Down*0"), "error: key <Down*0>: a repeat is 1 to 1000");
  EXPECT_EQ(Encoded("Down*1001"),
            "error: key <Down*1001>: a repeat is 1 to 1000");
  EXPECT_EQ(Encoded("Down*99999999999"),
            "error: key <Down*99999999999>: a repeat is 1 to 1000");
}

TEST(Keys, AnUnknownOneNamesTheNearest) {
  constexpr char kWayOut[] =
      " For literal text send a plain string or {\"text\": ...}";
  struct Case {
    std::string_view name, message;
  };
  for (const Case& row : std::initializer_list<Case>{
           {"Ctl-C", "unknown key <Ctl-C>; did you mean <C-c>?"},
           {"^C", "unknown key <^C>; did you mean <C-c>?"},
           {"Entr", "unknown key <Entr>; did you mean <Enter> or <End>?"},
           {"C-Lft", "unknown key <C-Lft>; did you mean <C-Left> or <C-F1>?"},
           {"M-Ctl-x", "unknown key <M-Ctl-x>; did you mean <M-C-x>?"},
           {"Ctrl-", "unknown key <Ctrl->."},
           {"Ctl-", "unknown key <Ctl->."},
           {"Enter*x", "unknown key <Enter*x>; did you mean <Enter>?"},
           {"stdio.h", "unknown key <stdio.h>."},
           {"/b", "unknown key </b>."},
           {"F36", "unknown key <F36>; did you mean <F3> or <F6>?"},
       }) {
    EXPECT_EQ(Encoded(row.name), "error: " + std::string(row.message) + kWayOut)
        << row.name;
  }
}

TEST(Keys, AControlCharacterIsNoName) {
  for (std::string_view name : {"\x01", "\x7f", "\xc2\x85", "C-\x01"}) {
    EXPECT_EQ(Encoded(name).substr(0, 6), "error:") << name;
  }
  EXPECT_EQ(Encoded("\u00a0"), "\u00a0") << "the first behind C1";
}

TEST(Keys, NothingAndWhatIsNotUtf8IsNoName) {
  for (std::string_view name : {"", "\xff", "M-\xff"}) {
    EXPECT_EQ(Encoded(name).substr(0, 6), "error:") << EscapeBytes(name);
  }
}

// Returns the bytes of libvterm's encoder, as the program would read them.
std::string OracleBytes(const std::function<void(VTerm*)>& press,
                        bool application_cursor) {
  VTerm* vterm = vterm_new(24, 80);
  vterm_set_utf8(vterm, 1);
  std::string out;
  vterm_output_set_callback(
      vterm,
      [](const char* bytes, size_t size, void* user) {
        static_cast<std::string*>(user)->append(bytes, size);
      },
      &out);
  vterm_state_reset(vterm_obtain_state(vterm), 1);
  if (application_cursor) vterm_input_write(vterm, "\x1b[?1h", 5);
  press(vterm);
  vterm_free(vterm);
  return EscapeBytes(out);
}

TEST(Keys, AgreeWithLibvtermOnNamedKeys) {
  struct Case {
    std::string name;
    int key;
  };
  std::vector<Case> cases = {
      {"Up", VTERM_KEY_UP},         {"Down", VTERM_KEY_DOWN},
      {"Left", VTERM_KEY_LEFT},     {"Right", VTERM_KEY_RIGHT},
      {"Home", VTERM_KEY_HOME},     {"End", VTERM_KEY_END},
      {"Ins", VTERM_KEY_INS},       {"Del", VTERM_KEY_DEL},
      {"PageUp", VTERM_KEY_PAGEUP}, {"PageDown", VTERM_KEY_PAGEDOWN}};
  for (int n = 1; n <= 12; ++n) {
    cases.push_back({"F" + std::to_string(n), VTERM_KEY_FUNCTION(n)});
  }
  for (const Case& row : cases) {
    for (int modifiers = 0; modifiers < 8; ++modifiers) {
      for (bool application : {false, true}) {
        Modes modes;
        modes.application_cursor = application;
        Key key = *ParseKey(row.name);
        key.modifiers = static_cast<uint8_t>(modifiers);
        std::string oracle = OracleBytes(
            [&](VTerm* vterm) {
              vterm_keyboard_key(vterm, static_cast<VTermKey>(row.key),
                                 static_cast<VTermModifier>(modifiers));
            },
            application);
        EXPECT_EQ(EscapeBytes(EncodeKey(key, modes)), oracle)
            << row.name << " modifiers " << modifiers;
      }
    }
  }
}

TEST(Keys, AgreeWithLibvtermOnLetters) {
  for (char c = 'a'; c <= 'z'; ++c) {
    for (int modifiers : {0, int{VTERM_MOD_ALT}, int{VTERM_MOD_CTRL}}) {
      // libvterm sends CSI u for these.
      bool is_special = c == 'i' || c == 'j' || c == 'm';
      if (is_special && modifiers == VTERM_MOD_CTRL) continue;
      Key key;
      key.character = static_cast<char32_t>(c);
      key.modifiers = static_cast<uint8_t>(modifiers);
      std::string oracle = OracleBytes(
          [&](VTerm* vterm) {
            vterm_keyboard_unichar(vterm, static_cast<uint32_t>(c),
                                   static_cast<VTermModifier>(modifiers));
          },
          false);
      EXPECT_EQ(EscapeBytes(EncodeKey(key, Modes())), oracle) << c;
    }
  }
}

// Shows pieces as "text" and [key].
std::string Pieces(std::string_view text) {
  auto pieces = ParseNotation(text);
  if (!pieces.ok()) return "error";
  std::string out;
  for (const InputPiece& piece : *pieces) {
    out += piece.is_key ? "[" + EscapeBytes(EncodeKey(piece.key, Modes())) + "]"
                        : piece.text;
  }
  return out;
}

TEST(Notation, MixesTextAndKeys) {
  EXPECT_EQ(Pieces("ihello<Esc>"), "ihello[\\e]");
  EXPECT_EQ(Pieces("<C-c><Down*2>x"), "[\\x03][\\e[B\\e[B]x");
  EXPECT_EQ(Pieces(":wq<Enter>"), ":wq[\\r]");
  EXPECT_EQ(Pieces(""), "");
  EXPECT_EQ(Pieces("<C-]>"), "[\\x1d]");
  EXPECT_EQ(Pieces("<M-<><M->>"), "[\\e<][\\e>]");
  EXPECT_EQ(Pieces("<lt>div>"), "<div>");
  EXPECT_EQ(Pieces("<j*5><j*1>"), "[jjjjj][j]");
  EXPECT_EQ(Pieces("a<Up>b"), "a[\\e[A]b");
  EXPECT_EQ(Pieces("<Up>>"), "[\\e[A]>");
  EXPECT_EQ(Pieces("<<Up>"), "<[\\e[A]");
}

TEST(Notation, AKeyByItselfIsOnePiece) {
  EXPECT_EQ(ParseNotation("<Enter>")->size(), 1u);
  EXPECT_EQ(ParseNotation("a<Enter>")->size(), 2u);
}

TEST(Notation, ALessThanThatBeginsNoTokenIsText) {
  for (std::string_view text : {"a < b", "a <b", "x<", "<", "<>", "<=>", "<-->",
                                "cat <<EOF", "<div class=x>", "if (a<b && c>d)",
                                "< Enter >", "<a-name-too-long-to-be-a-key>"}) {
    EXPECT_EQ(Pieces(text), text);
  }
}

TEST(Notation, ATokenEndsWithin24Bytes) {
  EXPECT_EQ(Pieces("<" + std::string(24, 'x') + ">"), "error");
  std::string text = "<" + std::string(25, 'x') + ">";
  EXPECT_EQ(Pieces(text), text);
  EXPECT_EQ(Pieces("<" + std::string(24, 'x')), "<" + std::string(24, 'x'));
  // The key '>' is its last byte.
  EXPECT_EQ(Pieces("<" + std::string(22, 'x') + "->>"), "error");
  text = "<" + std::string(23, 'x') + "->>";
  EXPECT_EQ(Pieces(text), text);
}

TEST(Notation, WhatLooksLikeAKeyAndIsNoneIsAnError) {
  for (std::string_view text :
       {"<b>bold</b>", "</b>", "<div>", "<br/>", "<stdio.h>", "<Ctl-C>",
        "vector<int>", "<0>", "<9>", "<A>", "<Z>", "<a>", "<z>", "<C->",
        "<Enter*x>", "ok<Enter><Entre>"}) {
    EXPECT_EQ(Pieces(text), "error") << text;
  }
}

TEST(Notation, ABareCharacterIsRefusedWithTheWayOut) {
  auto pieces = ParseNotation("<b>");
  EXPECT_EQ(
      Message(pieces.status()),
      "<b> is not a key; for the character write b. For literal text send a "
      "plain string or {\"text\": ...}");
}

TEST(Text, ANewlineIsEnter) {
  EXPECT_EQ(EncodeText("a\r", {}), "a\r");
  EXPECT_EQ(EncodeText("a\nb\r\nc\rd\x03", {}), "a\rb\rc\rd\x03");
}

TEST(Text, IsTypedKeyByKeyForProgramsThatWantThat) {
  Modes modes;
  modes.kitty_flags = kAllKeys | kAssociatedText;
  EXPECT_EQ(EscapeBytes(EncodeText("aB\r\n\t\x03", modes)),
            "\\e[97;;97u\\e[98;2;66u\\e[13u\\e[9u\\e[99;5u");
  modes.kitty_flags = kDisambiguate;
  EXPECT_EQ(EncodeText("aB\x03", modes), "aB\x03");
}

TEST(Paste, IsBracketedWhenAskedFor) {
  Modes modes;
  EXPECT_EQ(EscapeBytes(EncodePaste("a\nb\r\n", modes)), "a\\rb\\r");
  modes.bracketed_paste = true;
  EXPECT_EQ(EscapeBytes(EncodePaste("a\tb", modes)), "\\e[200~a\\tb\\e[201~");
}

TEST(Paste, CannotBreakOut) {
  Modes modes;
  modes.bracketed_paste = true;
  EXPECT_EQ(
      EscapeBytes(EncodePaste("a\x1b[201~rm\x03\x7f\u009b201~\xff", modes)),
      "\\e[200~a[201~rm201~\uFFFD\\e[201~");
}

// Everything except controls passes: printable ASCII, and everything after C1.
TEST(Paste, KeepsEveryCharacterThatIsNoControl) {
  std::string text = " ~\u00a0\u00ff!日\U0001F600";
  EXPECT_EQ(EncodePaste(text, {}), text);
  for (const char* control : {"\x01", "\x1f", "\x7f", "\u0080", "\u009f"}) {
    EXPECT_EQ(EncodePaste(control, {}), "") << EscapeBytes(control);
  }
}

std::string Mouse(MouseTracking tracking, MouseEncoding encoding,
                  const MouseEvent& event) {
  Modes modes;
  modes.mouse = tracking;
  modes.mouse_encoding = encoding;
  auto bytes = EncodeMouse(event, modes);
  if (!bytes.ok()) return "error: " + Message(bytes.status());
  return EscapeBytes(*bytes);
}

TEST(MouseEvents, AreSpelledAsTheProgramAsked) {
  MouseEvent press = {MouseAction::kPress, MouseButton::kLeft, 4, 9, 0};
  MouseEvent release = {MouseAction::kRelease, MouseButton::kRight, 4, 9, 0};
  auto clicks = MouseTracking::kClicks;
  EXPECT_EQ(Mouse(clicks, MouseEncoding::kSgr, press), "\\e[<0;10;5M");
  EXPECT_EQ(Mouse(clicks, MouseEncoding::kSgr, release), "\\e[<2;10;5m");
  EXPECT_EQ(Mouse(clicks, MouseEncoding::kX10, press), "\\e[M *%");
  EXPECT_EQ(Mouse(clicks, MouseEncoding::kX10, release), "\\e[M#*%");
  EXPECT_EQ(Mouse(clicks, MouseEncoding::kUrxvt, press), "\\e[32;10;5M");
  press.modifiers = kShift | kAlt | kControl;
  EXPECT_EQ(Mouse(clicks, MouseEncoding::kSgr, press), "\\e[<28;10;5M");
}

TEST(MouseEvents, OnlyThoseThatWereAskedForAreSent) {
  MouseEvent move = {MouseAction::kMove, MouseButton::kNone, 0, 0, 0};
  MouseEvent drag = {MouseAction::kMove, MouseButton::kLeft, 0, 0, 0};
  auto sgr = MouseEncoding::kSgr;
  EXPECT_EQ(Mouse(MouseTracking::kClicks, sgr, drag), "");
  EXPECT_EQ(Mouse(MouseTracking::kDrag, sgr, move), "");
  EXPECT_EQ(Mouse(MouseTracking::kDrag, sgr, drag), "\\e[<32;1;1M");
  EXPECT_EQ(Mouse(MouseTracking::kMotion, sgr, move), "\\e[<35;1;1M");
  MouseEvent wheel = {MouseAction::kPress, MouseButton::kWheelDown, 0, 0, 0};
  EXPECT_EQ(Mouse(MouseTracking::kClicks, sgr, wheel), "\\e[<65;1;1M");
  wheel.action = MouseAction::kRelease;
  EXPECT_EQ(Mouse(MouseTracking::kClicks, sgr, wheel), "");
  // Up is the first button of the wheel.
  wheel.button = MouseButton::kWheelUp;
  EXPECT_EQ(Mouse(MouseTracking::kClicks, sgr, wheel), "");
  wheel.action = MouseAction::kPress;
  EXPECT_EQ(Mouse(MouseTracking::kClicks, sgr, wheel), "\\e[<64;1;1M");
}

TEST(MouseEvents, OfTheX10MouseAreOnlyPressesWithoutModifiers) {
  auto x10 = [](MouseAction action, MouseButton button, uint8_t modifiers) {
    return Mouse(MouseTracking::kPresses, MouseEncoding::kX10,
                 {action, button, 4, 9, modifiers});
  };
  EXPECT_EQ(x10(MouseAction::kPress, MouseButton::kLeft, 0), "\\e[M *%");
  EXPECT_EQ(x10(MouseAction::kPress, MouseButton::kMiddle, 0), "\\e[M!*%");
  EXPECT_EQ(
      x10(MouseAction::kPress, MouseButton::kRight, kShift | kAlt | kControl),
      "\\e[M\"*%");
  EXPECT_EQ(x10(MouseAction::kRelease, MouseButton::kLeft, 0), "");
  EXPECT_EQ(x10(MouseAction::kMove, MouseButton::kLeft, 0), "");
  EXPECT_EQ(x10(MouseAction::kMove, MouseButton::kNone, 0), "");
  EXPECT_EQ(x10(MouseAction::kPress, MouseButton::kWheelUp, 0), "");
  EXPECT_EQ(x10(MouseAction::kPress, MouseButton::kWheelRight, 0), "");
}

TEST(MouseEvents, AreRefusedWhenTheProgramCannotBeTold) {
  MouseEvent far = {MouseAction::kPress, MouseButton::kLeft, 0, 250, 0};
  EXPECT_EQ(Mouse(MouseTracking::kOff, MouseEncoding::kSgr, far),
            "error: the program did not ask for the mouse; use its keys");
  EXPECT_EQ(Mouse(MouseTracking::kClicks, MouseEncoding::kX10, far),
            "error: the program's mouse encoding ends at row and column 223, "
            "not 1:251");
  EXPECT_EQ(Mouse(MouseTracking::kClicks, MouseEncoding::kUtf8, far),
            "\\e[M \u011B!");
}

TEST(MouseEvents, ReachTheLastPlaceThatTheEncodingHas) {
  auto press = [](MouseEncoding encoding, int row, int col) {
    MouseEvent event = {MouseAction::kPress, MouseButton::kLeft, row, col, 0};
    return Mouse(MouseTracking::kClicks, encoding, event);
  };
  EXPECT_EQ(press(MouseEncoding::kX10, 0, 222), "\\e[M \\xff!");
  EXPECT_EQ(press(MouseEncoding::kX10, 222, 0), "\\e[M !\\xff");
  EXPECT_EQ(press(MouseEncoding::kX10, 0, 223).substr(0, 6), "error:");
  EXPECT_EQ(press(MouseEncoding::kX10, 223, 0).substr(0, 6), "error:");
}

}  // namespace
}  // namespace glasstty::terminal
