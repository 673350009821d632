// Tests how the kernel's list of listening sockets is read.
#include "holder/sockets.h"

#include <gtest/gtest.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>

#include <cerrno>
#include <cstring>

namespace glasstty::holder {
namespace {

template <typename Payload>
struct Datagram {
  nlmsghdr header{};
  Payload payload{};
};

template <typename Payload>
Listing Take(uint16_t type, const Payload& payload, ListeningPorts* ports) {
  Datagram<Payload> datagram;
  datagram.header.nlmsg_len = NLMSG_LENGTH(sizeof payload);
  datagram.header.nlmsg_type = type;
  datagram.payload = payload;
  return TakeListeners(reinterpret_cast<const char*>(&datagram),
                       sizeof datagram, 4, ports);
}

TEST(Sockets, ListGoesOnUntilTheKernelEndsIt) {
  constexpr uint16_t kEntry = NLMSG_MIN_TYPE;
  ListeningPorts ports;
  inet_diag_msg entry{};
  entry.idiag_inode = 7;
  entry.id.idiag_sport = 0x5000;
  EXPECT_EQ(Take(kEntry, entry, &ports), Listing::kGoesOn);
  EXPECT_EQ(ports.count(7), 1u);
  EXPECT_EQ(Take(NLMSG_DONE, 0, &ports), Listing::kEnded);
}

// Otherwise every program would seem to listen on no port.
TEST(Sockets, RefusalOfTheKernelIsNoEmptyList) {
  ListeningPorts ports;
  EXPECT_EQ(Take(NLMSG_DONE, -ENOENT, &ports), Listing::kFailed);
  nlmsgerr error{};
  error.error = -ENOENT;
  EXPECT_EQ(Take(NLMSG_ERROR, error, &ports), Listing::kFailed);
}

}  // namespace
}  // namespace glasstty::holder
