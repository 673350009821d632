#include "http/guard.h"

#include <gtest/gtest.h>

namespace glasstty::http {
namespace {

TEST(Guard, OnlyOurOwnNamesAreHosts) {
  for (const char* own :
       {"127.0.0.1:8080", "localhost:8080", "[::1]:8080", "LocalHost:8080"}) {
    EXPECT_TRUE(IsOwnHost(own, 8080)) << own;
  }
  for (const char* other :
       {"", "127.0.0.1", "localhost", "127.0.0.1:80", "127.0.0.1:80800",
        "localhost.:8080", "[localhost]:8080", "rebound.example:8080",
        "127.0.0.1:8080.example", "127.0.0.2:8080", "::1:8080",
        "127.0.0.1:8080 ", "user@localhost:8080"}) {
    EXPECT_FALSE(IsOwnHost(other, 8080)) << other;
  }
  EXPECT_TRUE(IsOwnHost("localhost", 80));
  EXPECT_TRUE(IsOwnHost("[::1]", 80));
  EXPECT_TRUE(IsOwnHost("127.0.0.1:80", 80));
}

TEST(Guard, AServerOfAllAddressesIsNamedByAddressesOnly) {
  const struct {
    const char* address;
    const char* host;
    bool is;
  } kRows[] = {
      {"192.0.2.1", "192.0.2.1:8080", true},
      {"192.0.2.1", "192.0.2.2:8080", false},
      {"192.0.2.1", "192.0.2.1:8081", false},
      {"box.example", "BOX.example:8080", true},
      {"fd00::1", "[fd00::1]:8080", true},
      {"fd00::1", "fd00::1:8080", false},
      {"0.0.0.0", "192.0.2.7:8080", true},
      {"0.0.0.0", "[fd00::2]:8080", true},
      {"::", "192.0.2.7:8080", true},
      {"0.0.0.0", "rebound.example:8080", false},
      {"0.0.0.0", "1.2.3.4.rebound.example:8080", false},
      {"", ":8080", false},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(IsHostOf(row.address, row.host, 8080), row.is)
        << row.address << " " << row.host;
  }
  EXPECT_EQ(InUrl("fd00::1"), "[fd00::1]");
  EXPECT_EQ(InUrl("192.0.2.1"), "192.0.2.1");
}

TEST(Guard, AnOriginIsOwnByItsSchemeAndHost) {
  EXPECT_TRUE(IsOwnOrigin("http://127.0.0.1:8080", 8080));
  EXPECT_TRUE(IsOwnOrigin("http://[::1]:8080", 8080));
  for (const char* other :
       {"", "null", "https://127.0.0.1:8080", "http://127.0.0.1:8081",
        "http://rebound.example:8080", "http://127.0.0.1:8080/",
        "http://localhost:8080@evil.example"}) {
    EXPECT_FALSE(IsOwnOrigin(other, 8080)) << other;
  }
}

TEST(Guard, SecretsAreLongAndNeverTheSame) {
  std::string one = NewSecret(), other = NewSecret();
  EXPECT_EQ(one.size(), 32u);
  EXPECT_FALSE(SameSecret(one, other));
  EXPECT_TRUE(SameSecret(one, one));
  EXPECT_FALSE(SameSecret(one, one.substr(1)));
  EXPECT_FALSE(SameSecret("", ""));
}

}  // namespace
}  // namespace glasstty::http
