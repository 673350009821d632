#include "attach/typed_keys.h"

#include <gtest/gtest.h>

#include <string>

namespace glasstty::attach {
namespace {

TEST(PlainKey, IsWhatAnOldTerminalSends) {
  const struct {
    const char* key;
    const char* plain;
  } kRows[] = {
      {"a", "a"},
      {"\r", "\r"},
      {"\x1b", "\x1b"},
      {"\x1b[A", "\x1b[A"},
      {"\x1b[5~", "\x1b[5~"},
      {"\x1b[1;2A", "\x1b[1;2A"},
      // kitty's protocol, with and without other forms, events and text
      {"\x1b[97u", "a"},
      {"\x1b[97;2u", "A"},
      {"\x1b[92;5u", "\x1c"},
      {"\x1b[92;5:1u", "\x1c"},
      {"\x1b[92::92;5:1u", "\x1c"},
      {"\x1b[99;3u",
       "\x1b"
       "c"},
      {"\x1b[47:63;2;63u", "?"},
      {"\x1b[47:63;2u", "?"},
      {"\x1b[13u", "\r"},
      {"\x1b[27u", "\x1b"},
      {"\x1b[127u", "\x7f"},
      // modifyOtherKeys
      {"\x1b[27;5;92~", "\x1c"},
      {"\x1b[27;2;65~", "A"},
      // releases, and modifiers alone
      {"\x1b[97;1:3u", ""},
      {"\x1b[1;1:3A", ""},
      {"\x1b[57441;2u", ""},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(PlainKey(row.key), row.plain) << row.key + 1;
  }
}

TEST(TypedKeys, ALongPasteEndsThoughItsClosingBracketComesInTwoPieces) {
  const std::string text(1 << 20, 'x'), end = "\x1b[201~";
  for (size_t cut = 1; cut < end.size(); ++cut) {
    TypedKeys keys;
    std::string pasted, typed;
    for (const std::string& bytes :
         {"\x1b[200~" + text + end.substr(0, cut), end.substr(cut) + "k"}) {
      for (const TypedKey& key : keys.Feed(bytes)) {
        (key.kind == TypedKey::Kind::kPaste ? pasted : typed) += key.bytes;
      }
    }
    EXPECT_TRUE(pasted == text) << cut;
    EXPECT_EQ(typed, "k") << cut;
  }
}

}  // namespace
}  // namespace glasstty::attach
