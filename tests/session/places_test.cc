#include "session/places.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "support/status.h"
#include "testing/fake_holder.h"
#include "testing/system.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

namespace fs = std::filesystem;

using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

// Servers of one state directory, whose relays end at once and whose clients
// cannot be started, but for the one that `client_` plays.
class PlacesTest : public ::testing::Test {
 protected:
  PlacesTest() {
    std::string path = (fs::temp_directory_path() / "places-XXXXXX").string();
    base_ = mkdtemp(path.data());
    std::string error;
    EXPECT_TRUE(place::ParsePlace("ssh:db", &place_, &error)) << error;
    relay_ = UniqueFd(open("/bin/true", O_RDONLY | O_CLOEXEC));
  }
  ~PlacesTest() override { fs::remove_all(base_); }

  std::unique_ptr<Places> Server() {
    return std::make_unique<Places>(
        &loop_, base_ + "/places", relay_.get(), "/bin/true",
        [this](const std::string& name,
               const std::vector<std::string>&) -> absl::StatusOr<SessionRef> {
          opened_.push_back(name);
          auto known = clients_.find(name);
          FakeHolder* client =
              known == clients_.end() ? client_ : known->second;
          if (client != nullptr) return client->Open();
          return Unavailable("no client");
        },
        [this](const place::Place&) { return client_ != nullptr; });
  }
  // "" when the only thing that fails is the client.
  std::string Reach(Places* server) {
    auto reached = server->Reach(place_);
    std::string why = Message(reached.status());
    return why == "no client" ? "" : why;
  }
  // A server's claim on its directory goes with the last copy of a descriptor,
  // which a relay that is just being started has until its exec.
  static constexpr std::chrono::seconds kLimit{30};
  // Sorted.
  std::vector<std::string> Directories() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(base_ + "/places")) {
      names.push_back(entry.path().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  static bool IsClaimed(const std::string& directory) {
    UniqueFd claim(open((directory + "/server").c_str(), O_RDWR | O_CLOEXEC));
    EXPECT_TRUE(claim.valid());
    return flock(claim.get(), LOCK_EX | LOCK_NB) != 0;
  }
  // A relay that lives in this directory.
  static UniqueFd Listen(const std::string& directory) {
    UniqueFd socket_fd(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::string path = directory + "/" + wire::kControlName;
    strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(bind(socket_fd.get(), reinterpret_cast<sockaddr*>(&address),
                   sizeof address),
              0);
    EXPECT_EQ(listen(socket_fd.get(), 8), 0);
    return socket_fd;
  }

  std::string base_;
  place::Place place_;
  UniqueFd relay_;
  ManualClock clock_;
  Loop loop_{&clock_};
  FakeHolder* client_ = nullptr;
  std::map<std::string, FakeHolder*> clients_;  // instead of client_, by name
  std::vector<std::string> opened_;
};

TEST_F(PlacesTest, EachServerHasADirectoryOfItsOwn) {
  std::vector<std::unique_ptr<Places>> servers;
  for (size_t n = 1; n <= 16; ++n) {
    servers.push_back(Server());
    EXPECT_EQ(Reach(servers.back().get()), "");
    EXPECT_EQ(Directories().size(), n);
  }
  EXPECT_EQ(Reach(Server().get()), "on ssh:db: 16 servers use it already");
  // The one that ends makes room, and the next has its directory.
  servers[3].reset();
  EXPECT_TRUE(testing::Eventually(
      kLimit, [this] { return Reach(Server().get()).empty(); }));
  EXPECT_EQ(Directories().size(), 16u);
}

TEST_F(PlacesTest, LooksAfterARelayThatAnEarlierServerHasLeft) {
  Reach(Server().get());
  UniqueFd relay = Listen(Directories().at(0));
  opened_.clear();
  EXPECT_TRUE(testing::Eventually(
      kLimit, [&] { return !IsClaimed(Directories()[0]); }));
  auto server = Server();
  server->Adopt(place_);
  EXPECT_EQ(opened_.size(), 1u);
  EXPECT_EQ(server->All().size(), 1u);
  // It has it now.
  server->Adopt(place_);
  EXPECT_EQ(opened_.size(), 1u);
}

TEST_F(PlacesTest, LooksAfterTheRelaysOfAllServersThatMayHaveBeenThere) {
  std::vector<std::unique_ptr<Places>> servers;
  for (int n = 1; n <= 16; ++n) {
    servers.push_back(Server());
    EXPECT_EQ(Reach(servers.back().get()), "");
  }
  servers.clear();
  std::vector<UniqueFd> relays;
  for (const std::string& directory : Directories()) {
    relays.push_back(Listen(directory));
    EXPECT_TRUE(
        testing::Eventually(kLimit, [&] { return !IsClaimed(directory); }));
  }
  opened_.clear();
  CaptureStderr();
  auto server = Server();
  server->Adopt(place_);
  EXPECT_EQ(opened_.size(), 16u);
  EXPECT_EQ(server->All().size(), 16u);
  // Nobody else would tell that their clients do not run.
  std::string warnings = GetCapturedStderr();
  EXPECT_EQ(std::count(warnings.begin(), warnings.end(), '\n'), 16);
  EXPECT_TRUE(warnings.starts_with("glasstty: warning: ssh:db: no client\n"))
      << warnings;
}

TEST_F(PlacesTest, ARelayWhoseClientRunsIsNothingToWarnOf) {
  Reach(Server().get());
  UniqueFd relay = Listen(Directories().at(0));
  EXPECT_TRUE(testing::Eventually(
      kLimit, [&] { return !IsClaimed(Directories()[0]); }));
  FakeHolder holder;
  client_ = &holder;
  CaptureStderr();
  auto server = Server();
  server->Adopt(place_);
  EXPECT_EQ(GetCapturedStderr(), "");
  EXPECT_EQ(server->All().size(), 1u);
}

TEST_F(PlacesTest, LeavesADirectoryWithoutARelayAlone) {
  Reach(Server().get());
  EXPECT_TRUE(testing::Eventually(
      kLimit, [&] { return !IsClaimed(Directories()[0]); }));
  opened_.clear();
  auto server = Server();
  server->Adopt(place_);
  EXPECT_TRUE(opened_.empty());
  EXPECT_TRUE(server->All().empty());
}

TEST_F(PlacesTest, AClientThatEndsAfterItsServerHasStoppedIsNotStartedAgain) {
  for (bool stops : {false, true}) {
    FakeHolder holder;
    client_ = &holder;
    auto server = Server();
    ASSERT_TRUE(testing::Eventually(
        kLimit, [&] { return server->Reach(place_).ok(); }));
    opened_.clear();
    if (stops) server->Stop();
    holder.Vanish();
    auto is_opened_later = [this] {
      clock_.Advance(std::chrono::minutes(1));
      loop_.RunReady();
      return !opened_.empty();
    };
    EXPECT_EQ(stops ? is_opened_later()
                    : testing::Eventually(kLimit, is_opened_later),
              !stops);
  }
}

// The client of one place cannot be started, so its pauses have become long;
// that of the other has only just ended.
TEST_F(PlacesTest, EachClientIsStartedAgainAfterItsOwnPause) {
  FakeHolder db, web;
  client_ = &db;
  clients_["@web"] = &web;
  auto server = Server();
  place::Place other;
  std::string error;
  ASSERT_TRUE(place::ParsePlace("ssh:web", &other, &error)) << error;
  for (const place::Place& place : {place_, other}) {
    ASSERT_TRUE(
        testing::Eventually(kLimit, [&] { return server->Reach(place).ok(); }));
  }
  clients_["@db"] = nullptr;
  db.Vanish();
  for (int i = 0; i < 20; ++i) {
    clock_.Advance(std::chrono::minutes(1));
    loop_.RunReady();
  }
  opened_.clear();
  web.Vanish();
  EXPECT_TRUE(testing::Eventually(kLimit, [&] {
    clock_.Advance(std::chrono::milliseconds(100));
    loop_.RunReady();
    return !opened_.empty();
  }));
  EXPECT_EQ(opened_, std::vector<std::string>{"@web"});
}

TEST_F(PlacesTest, LeavesTheRelayOfAServerThatLives) {
  auto other = Server();
  Reach(other.get());
  UniqueFd relay = Listen(Directories().at(0));
  opened_.clear();
  auto server = Server();
  server->Adopt(place_);
  EXPECT_TRUE(opened_.empty());
  EXPECT_TRUE(server->All().empty());
  EXPECT_EQ(Reach(server.get()), "");
}

}  // namespace
}  // namespace glasstty::session
