// Tests how places are written, and the clients that reach them.
#include "place/place.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace glasstty::place {
namespace {

std::string Client(const std::string& text) {
  Place place;
  std::string error;
  if (!ParsePlace(text, &place, &error)) return "error";
  std::string words;
  for (const std::string& word : ClientCommand(place, "LINE")) {
    words += (words.empty() ? "" : " ") + word;
  }
  return words;
}

constexpr char kSsh[] =
    "ssh -T -a -x -e none -o ClearAllForwardings=yes -o ControlPath=none "
    "-o ServerAliveInterval=15 -o ServerAliveCountMax=2 ";

TEST(Place, EachFormHasItsClient) {
  const std::string ssh = kSsh;
  EXPECT_EQ(Client("ssh:db"), ssh + "-- db exec sh -c 'LINE'");
  EXPECT_EQ(Client("ssh:kim@db.example"),
            ssh + "-- kim@db.example exec sh -c 'LINE'");
  EXPECT_EQ(Client("ssh:db:2222"), ssh + "-p 2222 -- db exec sh -c 'LINE'");
  EXPECT_EQ(Client("ssh:fe80::1"), ssh + "-- fe80::1 exec sh -c 'LINE'");
  EXPECT_EQ(Client("sudo:www-data"), "sudo -u www-data -- sh -c LINE");
  EXPECT_EQ(Client("docker:web"), "docker exec -i web sh -c LINE");
  EXPECT_EQ(Client("podman:web"), "podman exec -i web sh -c LINE");
  EXPECT_EQ(Client("kubectl:shop/web-1"),
            "kubectl -n shop exec -i web-1 -- sh -c LINE");
  EXPECT_EQ(Client("kubectl:shop/web-1/app"),
            "kubectl -n shop exec -i web-1 -c app -- sh -c LINE");
  EXPECT_EQ(
      Client("kubectl:prod/shop/web-1/app"),
      "kubectl --context prod -n shop exec -i web-1 -c app -- sh -c LINE");
}

TEST(Place, WhatCouldBeTakenForAFlagOrNothingIsRefused) {
  for (const char* text : {"",
                           "db",
                           "ssh:",
                           "ssh",
                           "ssh:-oProxyCommand=x",
                           "ssh:kim@",
                           "ssh:kim@-x",
                           "ssh:@db",
                           "ssh:db:",
                           "ssh:db:22x",
                           "ssh:db:123456",
                           "telnet:db",
                           "docker:",
                           "docker:-v",
                           "kubectl:web",
                           "kubectl:a//b",
                           "kubectl:a/b/c/d/e",
                           "kubectl:a/-b",
                           "ssh:a\nb",
                           "ssh:a\x1b[m"}) {
    EXPECT_EQ(Client(text), "error") << text;
  }
  Place place;
  std::string error;
  EXPECT_FALSE(ParsePlace("db", &place, &error));
  EXPECT_NE(error.find("ssh:[USER@]HOST[:PORT], sudo:USER"), std::string::npos);
}

TEST(Place, ItsNameIsFitForASession) {
  auto name = [](const char* text) {
    Place place;
    std::string error;
    EXPECT_TRUE(ParsePlace(text, &place, &error)) << error;
    return place.name;
  };
  EXPECT_EQ(name("ssh:kim@db.example:22"), "db.example-22");
  EXPECT_EQ(name("kubectl:shop/web-1"), "shop-web-1");
  EXPECT_EQ(name("docker:we b"), "we-b");
}

TEST(Place, APrefixIsTakenAsItIsAndSshAsWhatJoinsWords) {
  Place place;
  std::string error;
  ASSERT_TRUE(PlaceOfPrefix({"nsenter", "-t", "1"}, &place, &error));
  EXPECT_EQ(place.name, "nsenter");
  EXPECT_EQ(place.text, "nsenter -t 1");
  EXPECT_EQ(ClientCommand(place, "L"),
            std::vector<std::string>({"nsenter", "-t", "1", "sh", "-c", "L"}));
  ASSERT_TRUE(
      PlaceOfPrefix({"/usr/bin/ssh", "-J", "gate", "db"}, &place, &error));
  EXPECT_EQ(ClientCommand(place, "L").back(), "exec sh -c 'L'");
  EXPECT_FALSE(PlaceOfPrefix({}, &place, &error));
  EXPECT_FALSE(PlaceOfPrefix({""}, &place, &error));
}

}  // namespace
}  // namespace glasstty::place
