// Tests that frames are found however the stream is split, and that damaged
// ones are refused.
#include "far/frames.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace glasstty::far {
namespace {

std::string Some() {
  std::string bytes;
  AppendFrame({.type = FrameType::kPing, .number = 7}, "", &bytes);
  AppendFrame({.type = FrameType::kLog, .part = 1, .session = 3, .number = 99},
              "output\n", &bytes);
  AppendFrame({.type = FrameType::kPacket, .session = 4095},
              std::string(5000, '\0'), &bytes);
  return bytes;
}

// Returns the results of a reader, in words.
std::vector<std::string> Read(FrameReader* reader) {
  std::vector<std::string> seen;
  Frame frame;
  FrameReader::Result result;
  while ((result = reader->Next(&frame)) == FrameReader::Result::kFrame) {
    seen.push_back(std::to_string(static_cast<int>(frame.header.type)) + "/" +
                   std::to_string(frame.header.part) + "/" +
                   std::to_string(frame.header.session) + "/" +
                   std::to_string(frame.header.number) + "/" +
                   std::to_string(frame.payload.size()));
  }
  if (result == FrameReader::Result::kBroken) seen.push_back(reader->fault());
  return seen;
}

const std::vector<std::string> kSeen = {"9/0/0/7/0", "4/1/3/99/7",
                                        "5/0/4095/0/5000"};

TEST(Frames, AreTheSameInWhateverPiecesTheyCome) {
  std::string bytes = Some();
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    FrameReader reader;
    reader.Append(bytes.substr(0, cut));
    std::vector<std::string> seen = Read(&reader);
    reader.Append(bytes.substr(cut));
    for (std::string& one : Read(&reader)) seen.push_back(std::move(one));
    ASSERT_EQ(seen, kSeen) << cut;
  }
  FrameReader reader;
  std::vector<std::string> seen;
  for (char byte : bytes) {
    reader.Append({&byte, 1});
    for (std::string& one : Read(&reader)) seen.push_back(std::move(one));
  }
  EXPECT_EQ(seen, kSeen);
}

TEST(Frames, ADamagedByteIsNoticedAndEndsTheStream) {
  std::string bytes = Some();
  std::mt19937 random(5);
  for (size_t at = 0; at < bytes.size(); ++at) {
    // A few bytes of the long run of zeros are enough.
    if (at > 200 && at % 97 != 0) continue;
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    FrameReader reader;
    reader.Append(damaged);
    std::vector<std::string> seen = Read(&reader);
    EXPECT_NE(seen, kSeen) << at;
    // It is broken, or waits for a longer frame that never completes.
    reader.Append(bytes);
    EXPECT_LT(Read(&reader).size(), 2u) << at;
  }
}

TEST(Frames, NoneIsLongerThanTheLimitOrOfAnUnknownKind) {
  struct Row {
    FrameHeader header;
    const char* fault;
  };
  for (const Row& row :
       {Row{{.size = kMaxFramePayload + 1, .type = FrameType::kLog},
            "a frame is too long"},
        Row{{.size = 0, .type = static_cast<FrameType>(0)},
            "a frame has an unknown type"},
        Row{{.size = 0, .type = static_cast<FrameType>(77)},
            "a frame has an unknown type"},
        Row{{.size = 0, .type = FrameType::kLog, .session = kMaxFarSessions},
            "a frame names an impossible session"}}) {
    FrameReader reader;
    reader.Append(
        {reinterpret_cast<const char*>(&row.header), sizeof row.header});
    Frame frame;
    EXPECT_EQ(reader.Next(&frame), FrameReader::Result::kBroken);
    EXPECT_STREQ(reader.fault(), row.fault);
    // It stays broken.
    reader.Append(Some());
    EXPECT_EQ(reader.Next(&frame), FrameReader::Result::kBroken);
  }
}

}  // namespace
}  // namespace glasstty::far
