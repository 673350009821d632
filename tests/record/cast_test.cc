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
};
Decoded Decode(const std::string& text) {
  Decoded decoded;
  decoded.status = ReadCast(
      text, [&](const CastHeader& header) { decoded.header = header; },
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
      Fixture("example.v2.cast"), [](const CastHeader&) {},
      [&seen](const CastEvent&) { return ++seen < 2; });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(seen, 2);
}

TEST(Cast, WhatIsNoRecordingIsRefusedByLine) {
  const std::string header = "{\"version\":2,\"width\":80,\"height\":24}\n";
  struct Case {
    std::string text;
    std::string message;
  };
  for (const Case& c : std::vector<Case>{
           {"", "line 1 is not an asciicast header"},
           {"[1]", "line 1 is not an asciicast header"},
           {"{\"version\":1}", "version 1: only 2 and 3 are supported"},
           {"{\"version\":3}", "version 3: only 2 and 3 are supported"},
           {header + "[0, \"o\", \"a\"]\nx\n", "line 3: "},
           {header + "[0, \"o\"]\n", "line 2: not [time, code, data]"},
           {header + "[-1, \"o\", \"\"]\n", "line 2: not [time, code, data]"},
           {header + "[0, \"r\", \"80\"]\n",
            "line 2: size '80': not COLSxROWS"},
           {header + "[0, \"x\", \"one\"]\n",
            "line 2: exit status 'one': not a number"}}) {
    std::string message = Message(Decode(c.text).status);
    EXPECT_NE(message.find(c.message), std::string::npos)
        << c.text << ": " << message;
  }
}

TEST(Cast, IsToldFromOtherFilesByItsFirstLine) {
  EXPECT_TRUE(LooksLikeCast(Fixture("example.v2.cast")));
  EXPECT_FALSE(LooksLikeCast(""));
  EXPECT_FALSE(LooksLikeCast("{\"a\":1}\n"));
  EXPECT_FALSE(LooksLikeCast("{version 2}\n"));
  EXPECT_FALSE(LooksLikeCast("plain\n"));
}

}  // namespace
}  // namespace glasstty::record
