#include "support/encodings.h"

#include <gtest/gtest.h>

#include "base/base64.h"
#include "support/status.h"

namespace glasstty {
namespace {

std::string Decoded(std::string_view text, Encoding encoding) {
  auto bytes = DecodeBytes(text, encoding);
  return bytes.ok() ? *bytes : "error: " + Message(bytes.status());
}

TEST(Encodings, TextStaysAsItIs) {
  EXPECT_EQ(Decoded("grün 漢\n", Encoding::kUtf8), "grün 漢\n");
  EXPECT_EQ(Decoded("a\tb\n", Encoding::kAscii), "a\tb\n");
}

TEST(Encodings, Latin1IsOneByteACharacter) {
  EXPECT_EQ(Decoded("gr\u00FCn\u00FF", Encoding::kLatin1), "gr\xFCn\xFF");
}

TEST(Encodings, Base64TakesBothAlphabetsBlanksAndMissingPadding) {
  EXPECT_EQ(Decoded("aGVsbG8=", Encoding::kBase64), "hello");
  EXPECT_EQ(Decoded("aGVs\nbG8", Encoding::kBase64), "hello");
  EXPECT_EQ(Decoded("+/-_", Encoding::kBase64), "\xFB\xFF\xBF");
  EXPECT_EQ(Decoded("AA==", Encoding::kBase64), std::string(1, '\0'));
  EXPECT_EQ(Decoded("", Encoding::kBase64), "");
}

TEST(Encodings, HexIsTwoDigitsAByte) {
  EXPECT_EQ(Decoded("00fF 7a\n", Encoding::kHex), std::string("\0\xFFz", 3));
}

TEST(Encodings, SayWhatDoesNotBelongAndWhere) {
  EXPECT_EQ(Decoded("aü", Encoding::kAscii),
            "error: ascii: character 2 (U+00FC) does not belong there");
  EXPECT_EQ(Decoded("漢", Encoding::kLatin1),
            "error: latin1: character 1 (U+6F22) does not belong there");
  EXPECT_EQ(Decoded("aGV$", Encoding::kBase64),
            "error: base64: character 4 (U+0024) does not belong there");
  EXPECT_EQ(Decoded("aG=V", Encoding::kBase64),
            "error: base64: character 4 (U+0056) does not belong there");
  EXPECT_EQ(Decoded("0g", Encoding::kHex),
            "error: hex: character 2 (U+0067) does not belong there");
  EXPECT_EQ(Decoded("0", Encoding::kHex),
            "error: hex: it ends in the middle of a byte");
  EXPECT_EQ(Decoded("aGVsb", Encoding::kBase64),
            "error: base64: it ends in the middle of a byte");
}

TEST(Encodings, WriteBase64ThatReadsAsItself) {
  EXPECT_EQ(ToBase64(""), "");
  EXPECT_EQ(ToBase64("f"), "Zg==");
  EXPECT_EQ(ToBase64("fo"), "Zm8=");
  EXPECT_EQ(ToBase64("foo"), "Zm9v");
  EXPECT_EQ(ToBase64("foobar"), "Zm9vYmFy");
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_EQ(*DecodeBytes(ToBase64(all), Encoding::kBase64), all);
}

}  // namespace
}  // namespace glasstty
