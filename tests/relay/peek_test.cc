// Tests what a relay reads of the messages that it passes on.
#include "relay/peek.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace glasstty::relay {
namespace {

// "id|method" of each message.
std::vector<std::string> Seen(std::string_view line) {
  std::vector<std::string> seen;
  for (const Peeked& message : Peek(line)) {
    seen.push_back(message.id + "|" + message.method);
  }
  return seen;
}
using Strings = std::vector<std::string>;

TEST(Peek, FindsIdAndMethodInAnyOrder) {
  EXPECT_EQ(Seen(R"({"jsonrpc":"2.0","id":7,"method":"tools/call"})"),
            Strings{"7|tools/call"});
  EXPECT_EQ(Seen(R"({"method":"x","params":{"id":1,"method":"y"},"id":"a"})"),
            Strings{"\"a\"|x"});
  EXPECT_EQ(Seen(R"( { "id" : -3 , "result" : {} } )"), Strings{"-3|"});
}

TEST(Peek, FindsTheUriOfAResource) {
  EXPECT_EQ(Peek(R"({"params":{"x":{"uri":"no"},"uri":"term:\/\/a"},)"
                 R"("method":"resources/subscribe"})")[0]
                .uri,
            R"("term:\/\/a")");
  EXPECT_EQ(Peek(R"({"method":"tools/call","params":{"uri":"a"}})")[0].uri, "");
  EXPECT_EQ(Peek(R"({"method":"resources/read","params":[]})")[0].uri, "");
}

TEST(Peek, TellsRequestsResponsesAndNotificationsApart) {
  EXPECT_TRUE(Peek(R"({"id":1,"method":"m"})")[0].is_request());
  EXPECT_TRUE(Peek(R"({"id":1,"error":{}})")[0].is_response());
  Peeked notification = Peek(R"({"method":"m"})")[0];
  EXPECT_FALSE(notification.is_request());
  EXPECT_FALSE(notification.is_response());
  EXPECT_FALSE(Peek(R"({"id":null,"error":{}})")[0].is_response());
}

TEST(Peek, IsNotMisledByWhatStandsInStrings) {
  EXPECT_EQ(Seen(R"({"a":"\",\"id\":9}","b":["}",{"id":8}],"id":1})"),
            Strings{"1|"});
  EXPECT_EQ(Seen(R"({"id":"a\"b","method":"m"})"), Strings{"\"a\\\"b\"|m"});
}

TEST(Peek, SeesEveryMessageOfAnArray) {
  EXPECT_EQ(Seen(R"([{"id":1,"method":"a"},{"method":"b"},{"id":2}])"),
            (Strings{"1|a", "|b", "2|"}));
  EXPECT_EQ(Seen("[]"), Strings{});
}

TEST(Peek, TakesWhatIsNoMessageForNone) {
  for (const char* line : {"", "x", "7", "\"a\"", "null", "[1,2]", "]"}) {
    EXPECT_EQ(Seen(line), Strings{}) << line;
  }
}

// However a line is cut or damaged, it is walked over to its end.
TEST(Peek, EndsOnAnyText) {
  const std::string line =
      R"([{"id":1,"m":{"a":[1,"\\\"",{}]},"method":"x"},{"id":"\u00e4"}])";
  for (size_t size = 0; size <= line.size(); ++size) Peek(line.substr(0, size));
  for (size_t at = 0; at < line.size(); ++at) {
    for (char c : std::string("{}[]\",:\\ x")) {
      std::string damaged = line;
      damaged[at] = c;
      Peek(damaged);
    }
  }
}

}  // namespace
}  // namespace glasstty::relay
