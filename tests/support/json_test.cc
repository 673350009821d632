// Tests JSON from strangers: depth, surrogates, numbers.
#include "support/json.h"

#include <gtest/gtest.h>

#include <string>

#include "support/status.h"

namespace glasstty {
namespace {

std::string Nested(int depth) {
  return std::string(static_cast<size_t>(depth), '[') +
         std::string(static_cast<size_t>(depth), ']');
}

// Returns `text` parsed and written again, or the error if it is not JSON.
std::string Again(std::string_view text) {
  auto json = ParseJson(text);
  return json.ok() ? DumpJson(*json) : Message(json.status());
}

TEST(Json, KeepsTheOrderOfMembers) {
  EXPECT_EQ(Again(R"({"z":1,"a":2})"), R"({"z":1,"a":2})");
}

TEST(Json, IsRefusedBeyondTheDepthLimitBeforeItIsBuilt) {
  EXPECT_EQ(Again(Nested(64)), Nested(64));
  EXPECT_EQ(Again(Nested(65)), "JSON nested deeper than 64");
  EXPECT_EQ(Again(Nested(1'000'000)), "JSON nested deeper than 64");
  EXPECT_EQ(Again(std::string(1'000'000, '{')), "JSON nested deeper than 64");
}

std::string ObjectOf(int members) {
  std::string text = "{";
  for (int i = 0; i < members; ++i) {
    text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  }
  return text + "}";
}

// The parser takes quadratic time for one object.
TEST(Json, ObjectsWithTooManyMembersAreRefused) {
  constexpr char kRefusal[] =
      "JSON with too many members in its objects (one object may have 10000)";
  EXPECT_EQ(Again(ObjectOf(10'000)), ObjectOf(10'000));
  EXPECT_EQ(Again(ObjectOf(10'001)), kRefusal);
  EXPECT_EQ(Again(ObjectOf(400'000)), kRefusal);
  EXPECT_EQ(Again("[" + ObjectOf(8'000) + "," + ObjectOf(8'000) + "]"),
            kRefusal);
  // Many small objects, and colons in strings, are allowed.
  std::string many = "[{\"a\":0}";
  for (int i = 0; i < 50'000; ++i) many += ",{\"a\":\"::\"}";
  EXPECT_EQ(Again(many + "]"), many + "]");
}

TEST(Json, BracketsInsideStringsAreNoDepth) {
  std::string text =
      "\"" + std::string(100, '[') + "\\\"" + std::string(100, '{') + "\"";
  EXPECT_EQ(Again(text), text);
}

TEST(Json, LoneSurrogatesBecomeReplacementCharacters) {
  EXPECT_EQ(Again(R"("a\ud83d")"), "\"a\xEF\xBF\xBD\"");
  EXPECT_EQ(Again(R"("\udc00b")"),
            "\"\xEF\xBF\xBD"
            "b\"");
  EXPECT_EQ(Again(R"("\ud83d\ud83d\ude00")"),
            "\"\xEF\xBF\xBD\xF0\x9F\x98\x80\"");
  EXPECT_EQ(Again(R"("\ud83dA")"),
            "\"\xEF\xBF\xBD"
            "A\"");
  EXPECT_EQ(Again(R"("\uD83D\uDE00")"), "\"\xF0\x9F\x98\x80\"");
  // An escaped backslash before "ud83d" is not an escape.
  EXPECT_EQ(Again(R"(["\\ud83d","\ud83d"])"),
            "[\"\\\\ud83d\",\"\xEF\xBF\xBD\"]");
}

TEST(Json, InvalidUtf8IsMendedInAndOut) {
  EXPECT_EQ(Again("\"a\xff\""), "\"a\xEF\xBF\xBD\"");
  EXPECT_EQ(DumpJson(Json(std::string("a\xff"))), "\"a\xEF\xBF\xBD\"");
}

// A terminal on which the JSON is printed might obey them.
TEST(Json, HasNoControlsAsTheyAre) {
  Json json = "\x1b\x7f§\u0080a\u009b\u00a0";
  std::string dumped = DumpJson(json);
  EXPECT_EQ(dumped, "\"\\u001b\\u007f§\\u0080a\\u009b\u00a0\"");
  EXPECT_EQ(*ParseJson(dumped), json);
}

TEST(Json, WhatIsNoneStaysNone) {
  for (const char* text : {"", " ", "{", "{}{}", "nul", "'a'", "[1,]", "NaN",
                           "1e400", "\"\x01\"", "{\"a\"}"}) {
    EXPECT_EQ(Again(text), "not valid JSON") << text;
  }
}

TEST(Json, ABomAndACarriageReturnAreNoHarm) {
  EXPECT_EQ(Again("\xEF\xBB\xBF{}\r"), "{}");
}

TEST(Readers, TakeIntegersOf64BitsAndWholeNumbers) {
  auto read = [](const char* text) { return AsInteger(*ParseJson(text)); };
  EXPECT_EQ(read("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(read("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(read("2.0"), 2);
  EXPECT_EQ(read("1e2"), 100);
  EXPECT_EQ(read("9223372036854775808"), std::nullopt);
  EXPECT_EQ(read("18446744073709551616"), std::nullopt);
  EXPECT_EQ(read("1.5"), std::nullopt);
  EXPECT_EQ(read("1e300"), std::nullopt);
  EXPECT_EQ(read("\"1\""), std::nullopt);
  EXPECT_EQ(read("true"), std::nullopt);
  EXPECT_EQ(read("null"), std::nullopt);
}

TEST(Readers, TakeOnlyTheirOwnType) {
  EXPECT_EQ(AsNumber(Json(1)), 1.0);
  EXPECT_EQ(AsNumber(Json("1")), std::nullopt);
  EXPECT_EQ(AsNumber(Json(true)), std::nullopt);
  EXPECT_EQ(AsBool(Json(true)), true);
  EXPECT_EQ(AsBool(Json(1)), std::nullopt);
  EXPECT_EQ(AsString(Json("x")), "x");
  EXPECT_EQ(AsString(Json(1)), std::nullopt);
}

TEST(Readers, AMissingMemberIsNull) {
  auto json = ParseJson(R"({"a":null,"b":1})");
  EXPECT_NE(FindMember(*json, "a"), nullptr);
  EXPECT_EQ(FindMember(*json, "c"), nullptr);
  EXPECT_EQ(FindMember(Json::array(), "a"), nullptr);
  EXPECT_EQ(FindMember(Json(), "a"), nullptr);
}

}  // namespace
}  // namespace glasstty
