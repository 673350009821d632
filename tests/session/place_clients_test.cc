// The clients of places, as sessions on scripted holders, and a relay that is
// played by the test; with a manual clock.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <chrono>
#include <cstring>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "session/places.h"
#include "support/status.h"
#include "testing/fake_holder.h"
#include "testing/system.h"
#include "wire/place_control.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

namespace fs = std::filesystem;

using std::chrono::milliseconds;
using std::chrono::seconds;
using wire::PlaceMessage;
using wire::PlaceState;

class PlaceClients : public ::testing::Test {
 protected:
  PlaceClients() {
    std::string path = (fs::temp_directory_path() / "clients-XXXXXX").string();
    base_ = mkdtemp(path.data());
    program_ = base_ + "/program";
    fs::copy_file("/bin/true", program_);
    relay_ = UniqueFd(open(program_.c_str(), O_RDONLY | O_CLOEXEC));
    std::string error;
    EXPECT_TRUE(place::ParsePlace("ssh:db", &place_, &error)) << error;
    places_.emplace(
        &loop_, base_ + "/places", relay_.get(), program_,
        [this](const std::string& name, const std::vector<std::string>& argv) {
          return OpenClient(name, argv);
        },
        [this](const place::Place& asked) {
          return used_ && asked.text == place_.text;
        });
  }
  ~PlaceClients() override {
    places_.reset();
    testing::RemoveAll(base_);
  }

  absl::StatusOr<SessionRef> OpenClient(const std::string& name,
                                        const std::vector<std::string>& argv) {
    names_.push_back(name);
    lines_.push_back(argv);
    if (refuse_) return Unavailable("no client");
    return holders_.emplace_back().Open();
  }
  // Makes the directory with its spec, as a server before does, and lives
  // there as the relay.
  void BeginWithRelay() {
    refuse_ = true;
    EXPECT_EQ(Message(places_->Reach(place_).status()), "no client");
    refuse_ = false;
    // The relay that was started ends at once.
    PlaceLink* link = places_->All().at(0).link.get();
    ASSERT_TRUE(
        testing::Eventually(seconds(20), [link] { return link->IsGone(); }));
    names_.clear();
    lines_.clear();
    Listen();
    ASSERT_TRUE(places_->Reach(place_).ok());
    ASSERT_TRUE(Accept());
  }
  void Listen() {
    std::string path = Directory() + "/" + wire::kControlName;
    listener_ = UniqueFd(
        socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    fs::remove(path);
    ASSERT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address),
                   sizeof address),
              0);
    ASSERT_EQ(listen(listener_.get(), 8), 0);
  }
  // The server's connection to the relay.
  bool Accept() {
    connection_ = UniqueFd(accept4(listener_.get(), nullptr, nullptr,
                                   SOCK_CLOEXEC | SOCK_NONBLOCK));
    return connection_.valid();
  }
  std::string Directory() const {
    return fs::directory_iterator(base_ + "/places")->path().string();
  }
  void Say(PlaceState state) {
    ASSERT_TRUE(wire::SendPlaceMessage(connection_.get(), PlaceMessage::kStatus,
                                       wire::EncodeStatus({.state = state})));
    loop_.RunReady();
  }
  // Returns how often the relay has been asked to connect at once, since the
  // last time.
  int Retries() {
    int count = 0;
    wire::ReceivedPlaceMessage message;
    while (wire::ReceivePlaceMessage(connection_.get(), &message)) {
      count += message.type == PlaceMessage::kRetry;
    }
    return count;
  }
  void Advance(Duration by) {
    clock_.Advance(by);
    loop_.RunReady();
  }
  void EndClient() { holders_.back().Vanish(); }
  size_t clients() const { return names_.size(); }

  std::string base_;
  std::string program_;
  UniqueFd relay_;
  place::Place place_;
  ManualClock clock_;
  Loop loop_{&clock_};
  bool used_ = true;
  bool refuse_ = false;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> lines_;
  std::deque<FakeHolder> holders_;
  UniqueFd listener_;
  UniqueFd connection_;
  std::optional<Places> places_;
};

TEST_F(PlaceClients, AClientRunsTheLineBehindThePlug) {
  BeginWithRelay();
  ASSERT_EQ(clients(), 1u);
  EXPECT_EQ(names_[0], "@db");
  const std::vector<std::string>& line = lines_[0];
  ASSERT_GT(line.size(), 5u);
  EXPECT_EQ(line[0], program_);
  EXPECT_EQ(line[1], "--plug");
  EXPECT_EQ(line[2], Directory());
  EXPECT_EQ(line[3], "--");
  EXPECT_EQ(line[4], "ssh");
  EXPECT_NE(line.back().find("glasstty-"), std::string::npos);
  // A place that is reached is not reached anew.
  EXPECT_TRUE(places_->Reach(place_).ok());
  EXPECT_EQ(clients(), 1u);
  EXPECT_FALSE(Accept());
}

// A call may be waiting for the link when another call replaces it.
TEST_F(PlaceClients, ALinkThatIsReplacedIsGoneButStaysForItsCallers) {
  BeginWithRelay();
  auto before = places_->Reach(place_);
  ASSERT_TRUE(before.ok()) << before.status();
  connection_.Reset();
  auto after = places_->Reach(place_);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_NE(before->link, after->link);
  EXPECT_TRUE(before->link->gone());
  EXPECT_EQ(before->link->place().text, place_.text);
  EXPECT_FALSE(after->link->gone());
}

TEST_F(PlaceClients, OneThatEndsIsStartedAgainAfterAPauseThatGrows) {
  BeginWithRelay();
  // Up to half a minute.
  for (int pause :
       {100, 200, 400, 800, 1600, 3200, 6400, 12'800, 25'600, 30'000, 30'000}) {
    size_t before = clients();
    EndClient();
    Advance(milliseconds(pause - 1));
    EXPECT_EQ(clients(), before) << pause;
    Advance(milliseconds(1));
    EXPECT_EQ(clients(), before + 1) << pause;
  }
  Say(PlaceState::kConnecting);
  EndClient();
  Advance(milliseconds(100));
  size_t before = clients();
  Advance(seconds(30));
  EXPECT_EQ(clients(), before + 1);
  // A connection that was there begins anew.
  Say(PlaceState::kUp);
  EndClient();
  Advance(milliseconds(100));
  EXPECT_EQ(clients(), before + 2);
}

TEST_F(PlaceClients, OneThatCannotBeStartedIsTriedAgain) {
  BeginWithRelay();
  EndClient();
  refuse_ = true;
  Advance(milliseconds(100));
  EXPECT_EQ(clients(), 2u);
  Advance(milliseconds(199));
  EXPECT_EQ(clients(), 2u);
  refuse_ = false;
  Advance(milliseconds(1));
  EXPECT_EQ(clients(), 3u);
  EXPECT_FALSE(places_->All()[0].client->finished());
}

TEST_F(PlaceClients, OneThatNobodyNeedsIsNotStartedAgain) {
  BeginWithRelay();
  used_ = false;
  EndClient();
  Advance(seconds(60));
  EXPECT_EQ(clients(), 1u);
  // It is when somebody asks.
  EXPECT_TRUE(places_->Reach(place_).ok());
  EXPECT_EQ(clients(), 2u);
}

TEST_F(PlaceClients, OneThatSomebodyHasClosedIsNotStartedAgain) {
  BeginWithRelay();
  places_->All()[0].client->Close(seconds(1), true, true);
  EndClient();
  Advance(seconds(60));
  EXPECT_EQ(clients(), 1u);
}

TEST_F(PlaceClients, NoneIsStartedAgainByAServerThatEnds) {
  BeginWithRelay();
  EndClient();
  places_->Stop();
  Advance(seconds(60));
  EXPECT_EQ(clients(), 1u);
}

TEST_F(PlaceClients, WhoeverReachesForAPlaceDoesNotWaitForThePause) {
  BeginWithRelay();
  struct Row {
    PlaceState state;
    int retries;
  };
  for (Row row : {Row{PlaceState::kFailed, 1}, Row{PlaceState::kPausing, 1},
                  Row{PlaceState::kUp, 0}, Row{PlaceState::kConnecting, 0}}) {
    Say(row.state);
    EXPECT_TRUE(places_->Reach(place_).ok());
    EXPECT_EQ(Retries(), row.retries) << wire::PlaceStateName(row.state);
  }
}

TEST_F(PlaceClients, TheStateOfTheConnectionDisturbsTheClient) {
  BeginWithRelay();
  SessionRef client = places_->All()[0].client;
  int looks = 0;
  client->SetObserver([&looks] { ++looks; });
  Say(PlaceState::kUp);
  EXPECT_GT(looks, 0);
  client->SetObserver(nullptr);
}

TEST_F(PlaceClients, TheNextRelayHasTheTokenOfTheLast) {
  BeginWithRelay();
  std::string token = lines_[0].back();
  connection_.Reset();
  ASSERT_TRUE(places_->Reach(place_).ok());
  ASSERT_TRUE(Accept());
  ASSERT_EQ(clients(), 2u);
  EXPECT_EQ(lines_[1].back(), token);
  // Also one that is started for it.
  connection_.Reset();
  listener_.Reset();
  ASSERT_TRUE(places_->Reach(place_).ok());
  ASSERT_EQ(clients(), 3u);
  EXPECT_EQ(lines_[2].back(), token);
}

TEST_F(PlaceClients, ARelayKnowsTheProgramsForOtherMachines) {
  fs::copy_file("/bin/true", program_ + "-aarch64");
  BeginWithRelay();
  std::string text;
  ASSERT_TRUE(ReadFileAt(AT_FDCWD, Directory() + "/" + wire::kPlaceFileName,
                         wire::kMaxPlaceSpec, &text));
  wire::PlaceSpec spec;
  ASSERT_TRUE(wire::DecodePlace(text, &spec));
  EXPECT_EQ(spec.text, "ssh:db");
  ASSERT_EQ(spec.programs.size(), 4u);
  EXPECT_EQ(spec.programs[1], program_);
  EXPECT_EQ(spec.programs[2], "aarch64");
  EXPECT_EQ(spec.programs[3], program_ + "-aarch64");
}

TEST_F(PlaceClients, ADirectoryThatOthersMayReadIsRefused) {
  fs::create_directory(base_ + "/places");
  chmod((base_ + "/places").c_str(), 0750);
  EXPECT_NE(Message(places_->Reach(place_).status()).find("chmod 700"),
            std::string::npos);
  EXPECT_TRUE(places_->All().empty());
}

TEST_F(PlaceClients, AProgramThatCannotBeReadStartsNoClient) {
  fs::remove(program_);
  EXPECT_NE(Message(places_->Reach(place_).status()).find(program_),
            std::string::npos);
  EXPECT_EQ(clients(), 0u);
}

}  // namespace
}  // namespace glasstty::session
