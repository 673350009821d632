// What an end says of itself, and what is asked of the far one.
#include "wire/place_info.h"

#include <gtest/gtest.h>

#include <string>

#include "wire/place_control.h"

namespace glasstty {
namespace {

TEST(PlaceInfo, ComesBackAsItWas) {
  HelloInfo hello = OwnHello();
  hello.sessions = "/x";
  hello.environment = {"A=1", "EMPTY=", ""};
  HelloInfo back;
  ASSERT_TRUE(DecodeHello(EncodeHello(hello), &back));
  EXPECT_EQ(EncodeHello(back), EncodeHello(hello));
  EXPECT_EQ(back.environment, hello.environment);
  EXPECT_NE(back.system.find("Linux "), std::string::npos);

  OpenInfo open;
  open.id = std::string(32, 'a');
  open.spec.argv = {"sh", "-c", ""};
  open.spec.environment = {"B=2"};
  open.files = {{"integration.bash", std::string("a\0b", 3)}, {".zshenv", ""}};
  OpenInfo opened;
  ASSERT_TRUE(DecodeOpen(EncodeOpen(open), &opened));
  EXPECT_EQ(EncodeOpen(opened), EncodeOpen(open));
  EXPECT_EQ(opened.files[0].content.size(), 3u);

  AttachInfo attach{std::string(32, '0'), 1, 1ull << 60, 7};
  AttachInfo attached;
  ASSERT_TRUE(DecodeAttach(EncodeAttach(attach), &attached));
  EXPECT_EQ(attached.err, 1ull << 60);
  EXPECT_EQ(attached.events, 7u);
  EXPECT_EQ(attached.input, kNoInput);

  PlaceStatus status;
  status.state = PlaceState::kFailed;
  status.failure = "no room";
  status.hello = EncodeHello(hello);
  PlaceStatus said;
  ASSERT_TRUE(DecodeStatus(EncodeStatus(status), &said));
  EXPECT_EQ(said.failure, "no room");
  EXPECT_EQ(said.client_status, -1);
  EXPECT_EQ(said.hello, status.hello);
}

// Cut anywhere, it is refused or says less; never more than was sent.
TEST(PlaceInfo, HalfOfItIsRefused) {
  OpenInfo open;
  open.id = std::string(32, 'a');
  open.spec.argv = {"sh"};
  open.files = {{"f", "content"}};
  std::string whole = EncodeOpen(open);
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    OpenInfo half;
    EXPECT_FALSE(DecodeOpen(whole.substr(0, cut), &half)) << cut;
  }
  std::string attach = EncodeAttach({std::string(32, 'b'), 5, 6});
  for (size_t cut = 0; cut < attach.size(); ++cut) {
    AttachInfo half;
    EXPECT_FALSE(DecodeAttach(attach.substr(0, cut), &half)) << cut;
  }
}

TEST(PlaceInfo, AnIdNamesADirectoryAndNothingElse) {
  EXPECT_TRUE(IsSessionId("0123456789abcdef0123456789abcdef"));
  for (const char* id : {"", "..", "0123456789abcdef0123456789abcdeg",
                         "../3456789abcdef0123456789abcdef",
                         "0123456789ABCDEF0123456789abcdef"}) {
    EXPECT_FALSE(IsSessionId(id)) << id;
  }
}

}  // namespace
}  // namespace glasstty
