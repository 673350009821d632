// Tests the asciicast format: what is written, and that the same is read back.
#include "record/cast.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/status.h"
#include "testing/source_tree.h"

namespace glasstty::record {
namespace {

CastEvent Output(int64_t us, std::string data) {
  CastEvent event;
  event.us = us;
  event.data = std::move(data);
  return event;
}

CastEvent Other(int64_t us, CastEvent::Type type, std::string data = "") {
  CastEvent event = Output(us, std::move(data));
  event.type = type;
  return event;
}

CastEvent Resized(int64_t us, terminal::Size size) {
  CastEvent event = Other(us, CastEvent::Type::kResize);
  event.size = size;
  return event;
}

CastEvent Exited(int64_t us, int status) {
  CastEvent event = Other(us, CastEvent::Type::kExit);
  event.status = status;
  return event;
}

CastHeader HeaderOf(int version) {
  CastHeader header;
  header.version = version;
  header.size = {24, 80};
  header.timestamp = 1'700'000'000;
  header.title = "main";
  header.command = "sh -c 'x'";
  header.terminal = "xterm-256color";
  return header;
}

std::string Encode(int version, const std::vector<CastEvent>& events) {
  std::string text;
  CastWriter writer(HeaderOf(version),
                    [&text](std::string_view line) { text += line; });
  for (const CastEvent& event : events) writer.Write(event);
  writer.Finish();
  return text;
}

struct Decoded {
  CastHeader header;
  std::vector<CastEvent> events;
  absl::Status status;
  std::vector<std::string> warnings;
};
Decoded Decode(const std::string& text) {
  Decoded decoded;
  CastReading reading;
  reading.warn = [&](const std::string& problem) {
    decoded.warnings.push_back(problem);
  };
  decoded.status = ReadCast(
      text, reading, [&](const CastHeader& header) { decoded.header = header; },
      [&](const CastEvent& event) {
        decoded.events.push_back(event);
        return true;
      });
  return decoded;
}

std::string OutputOf(const std::string& cast) {
  std::string output;
  for (const CastEvent& event : Decode(cast).events) {
    if (event.type == CastEvent::Type::kOutput) output += event.data;
  }
  return output;
}

const std::vector<CastEvent>& Example() {
  static const auto* events = new std::vector<CastEvent>{
      Output(0, "\x1b[1mhé\r\n"),
      Other(1'250'000, CastEvent::Type::kMarker, "make"),
      Other(1'250'000, CastEvent::Type::kInput, "y\n"),
      Resized(2'000'001, {40, 120}),
      Output(2'000'001, "\"\\\t"),
      Exited(61'500'000, 2)};
  return *events;
}

std::string Fixture(const std::string& name) {
  std::ifstream file(SourcePath("fixtures/casts/" + name));
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Cast, Version2HasTimesSinceTheBeginning) {
  EXPECT_EQ(Encode(2, Example()), Fixture("example.v2.cast"));
}

TEST(Cast, Version3HasIntervalsAndTheExit) {
  EXPECT_EQ(Encode(3, Example()), Fixture("example.v3.cast"));
}

TEST(Cast, IsReadAsItWasWritten) {
  Decoded decoded = Decode(Fixture("example.v3.cast"));
  ASSERT_TRUE(decoded.status.ok());
  EXPECT_EQ(decoded.header.size, (terminal::Size{24, 80}));
  EXPECT_EQ(decoded.header.command, "sh -c 'x'");
  EXPECT_EQ(Encode(3, decoded.events), Fixture("example.v3.cast"));
  EXPECT_EQ(Encode(2, decoded.events), Fixture("example.v2.cast"));
}

TEST(Cast, OutputSplitAnywhereIsTheSameText) {
  std::string text = "aé€😀z";
  for (size_t i = 0; i <= text.size(); ++i) {
    for (size_t j = i; j <= text.size(); ++j) {
      std::string cast = Encode(
          2, {Output(0, text.substr(0, i)), Output(1, text.substr(i, j - i)),
              Output(2, text.substr(j))});
      EXPECT_EQ(OutputOf(cast), text) << i << " " << j;
    }
  }
}

TEST(Cast, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(OutputOf(Encode(2, {Output(0,
                                       "a\xff"
                                       "b")})),
            "a\uFFFDb");
  EXPECT_EQ(OutputOf(Encode(2, {Output(0, "a\xe2\x82"), Output(1, "b")})),
            "a\uFFFDb");
  EXPECT_EQ(OutputOf(Encode(2, {Output(0, "a\xe2\x82")})), "a\uFFFD")
      << "never completed";
  EXPECT_EQ(OutputOf(Encode(3, {Output(0, "a\xe2\x82"), Exited(1, 0)})),
            "a\uFFFD");
}

TEST(Cast, IntervalsAddUpOverAnyLength) {
  std::vector<CastEvent> events;
  for (int i = 1; i <= 10'000; ++i) {
    events.push_back(Output(int64_t{i} * 333'333, "."));
  }
  Decoded decoded = Decode(Encode(3, events));
  ASSERT_EQ(decoded.events.size(), events.size());
  EXPECT_EQ(decoded.events.back().us, 3'333'330'000);
}

TEST(Cast, TimesNeverGoBack) {
  Decoded decoded = Decode(Encode(2, {Output(500, "a"), Output(400, "b")}));
  ASSERT_EQ(decoded.events.size(), 2u);
  EXPECT_EQ(decoded.events[1].us, 500);
}

TEST(Cast, CommentsAndUnknownEventsAreLeftOut) {
  Decoded decoded = Decode(
      "{\"version\":3,\"term\":{\"cols\":80,\"rows\":24}}\n"
      "# a comment\n[1.0, \"z\", \"?\"]\n[0.5, \"o\", \"a\"]\n");
  ASSERT_TRUE(decoded.status.ok()) << decoded.status;
  ASSERT_EQ(decoded.events.size(), 1u);
  EXPECT_EQ(decoded.events[0].us, 1'500'000) << "its interval counts";
}

TEST(Cast, TheSinkEndsTheReading) {
  int seen = 0;
  absl::Status status = ReadCast(
      Fixture("example.v2.cast"), {}, [](const CastHeader&) {},
      [&seen](const CastEvent&) { return ++seen < 2; });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(seen, 2);
}

constexpr char kHeader[] = "{\"version\":2,\"width\":80,\"height\":24}\n";

TEST(Cast, WhatIsNoHeaderIsRefused) {
  struct Case {
    std::string text;
    std::string message;
  };
  for (const Case& c : std::vector<Case>{
           {"", "line 1 is not an asciicast header"},
           {"[1]", "line 1 is not an asciicast header"},
           {"{\"version\":4}", "version 4: only 1 to 3 are supported"},
           {"{\"version\":3}", "version 3: only 1 to 3 are supported"}}) {
    std::string message = Message(Decode(c.text).status);
    EXPECT_NE(message.find(c.message), std::string::npos)
        << c.text << ": " << message;
  }
}

TEST(Cast, LinesThatAreNoEventsAreSkippedWithAWarning) {
  const std::string form = "line 2 is skipped: not [time, code, data]";
  struct Case {
    std::string line;
    std::string warning;
  };
  for (const Case& c : std::vector<Case>{
           {"[0.1, \"o\", \"cu", "line 2 is skipped: "},
           {"[0, \"o\"]", form},
           {"[0, \"o\", {\"a\": 1}]", form},
           {"[-1, \"o\", \"\"]", form},
           {"[0, \"r\", \"80\"]", "line 2 is skipped: size '80'"},
           {"[0, \"r\", \"0x0\"]", "line 2 is skipped: size '0x0'"},
           {"[0, \"x\", \"one\"]",
            "line 2 is skipped: exit status 'one': not a number"}}) {
    Decoded decoded =
        Decode(std::string(kHeader) + c.line + "\n[1, \"o\", \"a\"]\n");
    EXPECT_TRUE(decoded.status.ok()) << decoded.status;
    EXPECT_EQ(decoded.events.size(), 1u) << c.line;
    ASSERT_EQ(decoded.warnings.size(), 1u) << c.line;
    EXPECT_EQ(decoded.warnings[0].find(c.warning), 0u) << decoded.warnings[0];
  }
}

TEST(Cast, OneOfManyUnreadableLinesIsNamed) {
  Decoded decoded = Decode(std::string(kHeader) + "x\nx\nx\n");
  ASSERT_EQ(decoded.warnings.size(), 2u);
  EXPECT_EQ(decoded.warnings[1], "2 more cannot be read and are skipped");
}

TEST(Cast, EventsOfOtherToolsAreReadWithoutAWarning) {
  Decoded decoded = Decode(
      "{\"version\":3,\"term\":{\"cols\":80,\"rows\":24}}\r\n"
      "[0.5, \"o\", \"a\"]\r\n\r\n[0.5, \"m\"]\r\n[0, \"z\", {\"a\": 1}]\r\n"
      "[0.5, \"x\", 3]\r\n");
  EXPECT_TRUE(decoded.status.ok()) << decoded.status;
  EXPECT_TRUE(decoded.warnings.empty()) << decoded.warnings[0];
  ASSERT_EQ(decoded.events.size(), 3u);
  EXPECT_EQ(decoded.events[1].type, CastEvent::Type::kMarker);
  EXPECT_EQ(decoded.events[1].data, "");
  EXPECT_EQ(decoded.events[2].status, 3);
  EXPECT_EQ(decoded.events[2].us, 1'500'000);
}

TEST(Cast, WithoutASizeTheFallbackIsTaken) {
  for (const char* header :
       {"{\"version\":2,\"width\":0,\"height\":0}\n", "{\"version\":2}\n",
        "{\"version\":3,\"term\":{}}\n"}) {
    Decoded decoded = Decode(header);
    EXPECT_EQ(decoded.header.size, (terminal::Size{24, 80})) << header;
    ASSERT_EQ(decoded.warnings.size(), 1u) << header;
    EXPECT_EQ(decoded.warnings[0],
              "the recording has no size (0x0): 24x80 is taken");
    terminal::Size taken;
    EXPECT_TRUE(ReadCast(
                    header, {.fallback = {3, 10}, .warn = nullptr},
                    [&](const CastHeader& h) { taken = h.size; },
                    [](const CastEvent&) { return true; })
                    .ok());
    EXPECT_EQ(taken, (terminal::Size{3, 10})) << header;
  }
}

TEST(Cast, Version1IsReadAlsoOverManyLines) {
  const std::string text =
      "{\n  \"version\": 1,\n  \"width\": 80,\n  \"height\": 24,\n"
      "  \"stdout\": [\n    [0.5, \"a\"],\n    [1.5, \"b\"]\n  ]\n}\n";
  EXPECT_TRUE(*LooksLikeCast(text));
  Decoded decoded = Decode(text);
  ASSERT_TRUE(decoded.status.ok()) << decoded.status;
  EXPECT_EQ(decoded.header.size, (terminal::Size{24, 80}));
  ASSERT_EQ(decoded.events.size(), 2u);
  EXPECT_EQ(decoded.events[1].us, 2'000'000);
  EXPECT_EQ(decoded.events[1].data, "b");
}

TEST(Cast, AByteOrderMarkIsLeftOut) {
  std::string text = "\xef\xbb\xbf" + Fixture("example.v2.cast");
  EXPECT_TRUE(*LooksLikeCast(text));
  EXPECT_EQ(Decode(text).events.size(),
            Decode(Fixture("example.v2.cast")).events.size());
}

TEST(Cast, CompressedFilesAndUtf16AreNamed) {
  EXPECT_NE(Message(LooksLikeCast("\x1f\x8b\x08").status()).find("gunzip"),
            std::string::npos);
  EXPECT_NE(Message(LooksLikeCast("\xfd"
                                  "7zXZ")
                        .status())
                .find("unxz"),
            std::string::npos);
  EXPECT_NE(Message(LooksLikeCast("\xff\xfe{").status()).find("UTF-16"),
            std::string::npos);
}

TEST(Cast, TheOtherMembersOfTheHeaderSurviveAConversion) {
  const std::string v2 =
      R"({"version":2,"width":80,"height":24,)"
      R"("env":{"TERM":"xterm","SHELL":"/bin/sh"},"idle_time_limit":2,)"
      R"("theme":{"fg":"#ffffff"},"tags":["a"],"x":[1]})";
  const std::string v3 =
      R"({"version":3,"term":{"cols":80,"rows":24,"type":"xterm",)"
      R"("theme":{"fg":"#ffffff"}},"env":{"SHELL":"/bin/sh"},)"
      R"("idle_time_limit":2,"tags":["a"],"x":[1]})";
  auto convert = [](const std::string& text, int version) {
    CastHeader header = Decode(text).header;
    header.version = version;
    std::string written;
    CastWriter writer(header, [&](std::string_view line) { written += line; });
    // Parsed so, the members are in the order of their names.
    return nlohmann::json::parse(written).dump();
  };
  EXPECT_EQ(convert(v2, 3), nlohmann::json::parse(v3).dump());
  EXPECT_EQ(convert(v3, 2), nlohmann::json::parse(v2).dump());
}

TEST(Cast, IsToldFromOtherFilesByItsFirstLine) {
  EXPECT_TRUE(*LooksLikeCast(Fixture("example.v2.cast")));
  for (const char* text :
       {"", "{\"a\":1}\n", "{version 2}\n", "plain\n",
        "{\n  \"version\": \"1.0\"\n}\n", "{\n  \"version\": 1\n}\n"}) {
    EXPECT_FALSE(*LooksLikeCast(text)) << text;
  }
}

}  // namespace
}  // namespace glasstty::record
