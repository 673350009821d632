// Tests what an end reports about itself, and what is requested from the far
// one.
#include "wire/place_info.h"

#include <gtest/gtest.h>

#include <string>

#include "wire/place_control.h"

namespace glasstty::far {
namespace {

TEST(PlaceInfo, ComesBackAsItWas) {
  wire::HelloInfo hello = wire::OwnHello();
  hello.sessions = "/x";
  hello.environment = {"A=1", "EMPTY=", ""};
  wire::HelloInfo back;
  ASSERT_TRUE(wire::DecodeHello(wire::EncodeHello(hello), &back));
  EXPECT_EQ(wire::EncodeHello(back), wire::EncodeHello(hello));
  EXPECT_EQ(back.environment, hello.environment);
  EXPECT_NE(back.system.find("Linux "), std::string::npos);

  wire::OpenInfo open;
  open.id = std::string(32, 'a');
  open.spec.argv = {"sh", "-c", ""};
  open.spec.environment = {"B=2"};
  open.files = {{"integration.bash", std::string("a\0b", 3)}, {".zshenv", ""}};
  wire::OpenInfo opened;
  ASSERT_TRUE(wire::DecodeOpen(wire::EncodeOpen(open), &opened));
  EXPECT_EQ(wire::EncodeOpen(opened), wire::EncodeOpen(open));
  EXPECT_EQ(opened.files[0].content.size(), 3u);

  wire::AttachInfo attach{std::string(32, '0'), 1, 1ull << 60, 7};
  wire::AttachInfo attached;
  ASSERT_TRUE(wire::DecodeAttach(wire::EncodeAttach(attach), &attached));
  EXPECT_EQ(attached.err, 1ull << 60);
  EXPECT_EQ(attached.events, 7u);
  EXPECT_EQ(attached.input, wire::kNoInput);

  wire::PlaceStatus status;
  status.state = wire::PlaceState::kFailed;
  status.failure = "no room";
  status.hello = wire::EncodeHello(hello);
  wire::PlaceStatus said;
  ASSERT_TRUE(wire::DecodeStatus(wire::EncodeStatus(status), &said));
  EXPECT_EQ(said.failure, "no room");
  EXPECT_EQ(said.client_status, -1);
  EXPECT_EQ(said.hello, status.hello);
}

TEST(PlaceStatus, WithAnUnknownStateIsRefused) {
  std::string fields = wire::EncodeStatus({}).substr(1);
  wire::PlaceStatus status;
  EXPECT_TRUE(wire::DecodeStatus("4" + fields, &status));
  EXPECT_FALSE(wire::DecodeStatus("5" + fields, &status));
  EXPECT_FALSE(wire::DecodeStatus("-1" + fields, &status));
}

// If it is cut anywhere, it is refused or has less content; never more than was
// sent.
TEST(PlaceInfo, HalfOfItIsRefused) {
  wire::OpenInfo open;
  open.id = std::string(32, 'a');
  open.spec.argv = {"sh"};
  open.files = {{"f", "content"}};
  std::string whole = wire::EncodeOpen(open);
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    wire::OpenInfo half;
    EXPECT_FALSE(wire::DecodeOpen(whole.substr(0, cut), &half)) << cut;
  }
  std::string attach = wire::EncodeAttach({std::string(32, 'b'), 5, 6});
  for (size_t cut = 0; cut < attach.size(); ++cut) {
    wire::AttachInfo half;
    EXPECT_FALSE(wire::DecodeAttach(attach.substr(0, cut), &half)) << cut;
  }
}

TEST(PlaceInfo, AnIdNamesADirectoryAndNothingElse) {
  EXPECT_TRUE(wire::IsSessionId("0123456789abcdef0123456789abcdef"));
  for (const char* id : {"", "..", "0123456789abcdef0123456789abcdeg",
                         "../3456789abcdef0123456789abcdef",
                         "0123456789ABCDEF0123456789abcdef"}) {
    EXPECT_FALSE(wire::IsSessionId(id)) << id;
  }
}

}  // namespace
}  // namespace glasstty::far
