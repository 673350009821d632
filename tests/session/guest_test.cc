// Tests sessions of other servers, with a socket in place of their holder's.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "base/fd.h"
#include "session/guests.h"
#include "session/session.h"
#include "session/session_list.h"
#include "testing/fake_holder.h"
#include "wire/messages.h"
#include "wire/own_socket.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// A question that was dropped for lack of a connection must not keep the next
// ones from being asked.
TEST(Guest, IsAskedAboutOnceThereIsAConnection) {
  FakeHolder holder;
  holder.LiveElsewhere();
  record::SessionOrigin origin;
  origin.id = "id";
  origin.name = "s";
  origin.program.argv = {"program"};
  auto session =
      Session::CreateGuest(holder.loop(), origin, holder.folder(), nullptr);
  ASSERT_TRUE(session.ok()) << session.status();
  (*session)->Adopt({});
  const Questions& questions = (*session)->questions();
  auto state = questions.Keep(Interest::kState);
  auto ports = questions.Keep(Interest::kPorts);
  holder.loop()->RunReady();
  EXPECT_EQ(questions.prober().sent(), 1u);
  EXPECT_EQ(questions.listeners().asked(), 1u);
  UniqueFd listener =
      wire::ListenAt(holder.directory(), wire::kWatchName, SOCK_SEQPACKET, 1);
  ASSERT_TRUE(listener.valid());
  holder.Advance(std::chrono::milliseconds(250));
  UniqueFd peer(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  ASSERT_TRUE(peer.valid());
  wire::Writer welcome = wire::Encode(wire::Welcome{});
  ASSERT_TRUE(wire::SendPacket(peer.get(), welcome.header, welcome.payload));
  holder.loop()->RunReady();
  EXPECT_EQ(questions.prober().sent(), 2u);
  EXPECT_EQ(questions.listeners().asked(), 2u);
}

// Its server may have renamed it since it was found.
TEST(Guest, IsNoLongerElsewhereUnderAnyNameOnceItIsAdopted) {
  ManualClock clock;
  Loop loop(&clock);
  SessionList sessions(&loop);
  Guests guests(&loop, &sessions);
  guests.Found("id", "old");
  ASSERT_TRUE(guests.IsElsewhere("old"));
  guests.LookFor("new");
  guests.Adopted("id");
  EXPECT_FALSE(guests.IsElsewhere("old"));
}

}  // namespace
}  // namespace glasstty::session
