// Tests how a session reacts to each packet of its holder.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "session/session.h"
#include "support/check.h"
#include "testing/fake_holder.h"
#include "wire/messages.h"

namespace glasstty::session {
namespace {

using std::chrono::seconds;

// The other end of a session's channel: the test says each packet itself.
struct Line {
  ChannelListener* listener = nullptr;
  std::vector<Received> sent;

  void Say(const wire::IsMessage auto& message) {
    listener->OnPacket(wire::Encode(message).packet());
  }
};

class LineChannel : public Channel {
 public:
  explicit LineChannel(Line* line) : line_(line) {}
  void SetListener(ChannelListener* listener) override {
    line_->listener = listener;
  }
  void Send(wire::PacketHeader header, std::string_view payload) override {
    line_->sent.push_back({header, std::string(payload)});
  }

 private:
  Line* const line_;
};

class Packets : public ::testing::Test {
 protected:
  SessionRef Open(bool pipe = false) {
    record::SessionOrigin origin{
        .id = "id", .name = "s", .program = {.argv = {"p"}}};
    origin.program.size = {6, 20};
    origin.program.pipe = pipe;
    auto session = Session::Create(files_.loop(), origin, files_.folder(),
                                   std::make_unique<LineChannel>(&line_));
    CHECK(session.ok());
    return *session;
  }
  // Returns a process's row with `ports`, which are pairs, behind its head.

  FakeHolder files_;  // only its directory and its loop
  Line line_;
};

TEST_F(Packets, AGreetingTellsThatTheProgramHasExited) {
  files_.PrintSilently("last words");
  SessionRef session = Open();
  session->Adopt({});
  wire::HolderInfo info{.end = files_.end(), .exit_offset = files_.end()};
  info.exit_status = 3 << 8;
  info.started = info.exited = 1;
  line_.Say(wire::Welcome{.info = info});
  files_.loop()->RunReady();
  ASSERT_TRUE(session->verdict().exited());
  EXPECT_EQ(session->life().exit_status(), 3 << 8);
}

// Only kExit tells the length of the log of errors.
TEST_F(Packets, WhereErrorsAreApartAGreetingIsNoExit) {
  files_.UsePipes();
  SessionRef session = Open(/*pipe=*/true);
  session->Adopt({});
  wire::HolderInfo info{.started = 1, .exited = 1};
  line_.Say(wire::Welcome{.info = info});
  files_.loop()->RunReady();
  EXPECT_FALSE(session->verdict().exited());
  line_.Say(wire::Exit{});
  EXPECT_TRUE(session->verdict().exited());
}

TEST_F(Packets, AReportOfListenersTellsWhoseDescriptorsWereReadable) {
  SessionRef session = Open();
  auto interest = session->questions().Keep(Interest::kPorts);
  uint64_t serial = session->questions().listeners().asked();
  // The arguments of a kernel's thread are empty: nothing follows its port.
  line_.Say(wire::TreeRow{
      serial, {.pid = 7, .ports_known = 1, .ports = 1}, {{8080, 4}}, ""});
  line_.Say(wire::TreeRow{serial, {.pid = 8}, {}, "sudo x"});
  EXPECT_EQ(session->questions().listeners().After(serial - 1), nullptr);
  line_.Say(wire::TreeEnd{serial});
  const std::vector<ProcessInfo>* report =
      session->questions().listeners().After(serial - 1);
  ASSERT_NE(report, nullptr);
  ASSERT_EQ(report->size(), 2u);
  EXPECT_TRUE(report->at(0).ports_known);
  EXPECT_EQ(report->at(0).ports, std::vector<int>{8080});
  EXPECT_EQ(report->at(0).command, "");
  EXPECT_FALSE(report->at(1).ports_known);
  EXPECT_TRUE(report->at(1).ports.empty());
  EXPECT_EQ(report->at(1).command, "sudo x");
  EXPECT_FALSE(session->life().close_reported());
  EXPECT_TRUE(session->life().survivors().empty());
}

TEST_F(Packets, ACommandLineIsOneLineWithoutControls) {
  SessionRef session = Open();
  line_.Say(wire::TreeRow{
      0, {.pid = 9}, {}, "x\n[main] prompt exit=0 \x1b]52;c;eA==\a"});
  line_.Say(wire::TreeEnd{});
  ASSERT_EQ(session->life().survivors().size(), 1u);
  EXPECT_EQ(session->life().survivors()[0].command,
            R"(x\n[main] prompt exit=0 \e]52;c;eA==\a)");
}

TEST_F(Packets, AReportThatNobodyAskedForTellsWhatACloseHasLeft) {
  SessionRef session = Open();
  session->Close(seconds(1), true, false);
  line_.Say(wire::TreeRow{0, {.pid = 9}, {}, "nohup x"});
  EXPECT_FALSE(session->life().close_reported());
  line_.Say(wire::TreeEnd{});
  EXPECT_TRUE(session->life().close_reported());
  ASSERT_EQ(session->life().survivors().size(), 1u);
  EXPECT_EQ(session->life().survivors()[0].command, "nohup x");
}

TEST_F(Packets, AReceiptTellsOfALineWithoutAnEnd) {
  SessionRef session = Open();
  uint64_t serial = session->Write("half");
  for (bool unfinished : {true, false}) {
    wire::ReceiptInfo info{.log_end = 0, .unfinished = unfinished};
    line_.Say(wire::Consumed{serial, wire::ConsumedHow::kRead, info});
    EXPECT_TRUE(session->input().consumed(serial));
    EXPECT_EQ(session->input().prompt().is_unfinished(), unfinished);
  }
}

// The bytes behind a name in the packet do not count as a part of it.
TEST_F(Packets, AProgramsNameEndsWithItsRoom) {
  SessionRef session = Open();
  auto interest = session->questions().Keep(Interest::kState);
  wire::ProbeAnswer answer{.waiting = wire::Waiting::kRead, .settled = 1};
  const std::string name = "twenty-four-characters-x";
  ASSERT_EQ(name.size(), sizeof answer.name);
  name.copy(answer.name, sizeof answer.name);
  answer.lineage[0] = 0x41424344;
  ASSERT_EQ(line_.sent.back().header.type, wire::Probe::kType);
  uint64_t serial = line_.sent.back().As<wire::Probe>().serial;
  line_.Say(wire::State{serial, 0, answer});
  auto state = session->verdict().settled_state();
  ASSERT_TRUE(state);
  EXPECT_EQ(state->program, name.substr(0, name.size() - 1));
  EXPECT_EQ(session->questions().prober().last()->lineage[0], 0x41424344);
}

// The holder rings again, and reads on in a flood, when it is told.
TEST_F(Packets, AnAcknowledgementIsSentForEachQuarterOfAMebibyte) {
  constexpr uint64_t kStep = 256 * 1024;
  files_.PrintSilently(std::string(4 * kStep + 1, 'x'));
  SessionRef session = Open();
  line_.Say(wire::Data{files_.end()});
  files_.loop()->RunReady();
  std::vector<uint64_t> told;
  for (const Received& sent : line_.sent) {
    if (sent.header.type != wire::Ack::kType) continue;
    auto ack = sent.As<wire::Ack>();
    told.push_back(ack.out);
    EXPECT_EQ(ack.err, 0u) << "there are no errors";
  }
  EXPECT_EQ(told, (std::vector<uint64_t>{kStep, 2 * kStep, 3 * kStep, 4 * kStep,
                                         4 * kStep + 1}));
}

// Whose turn it is to be fed, of two sessions that have output.
class Turns : public Packets {
 protected:
  SessionRef OpenSecond() {
    record::SessionOrigin origin{
        .id = "id2", .name = "s2", .program = {.argv = {"p"}}};
    origin.program.size = {6, 20};
    auto session =
        Session::Create(files_.loop(), origin, second_files_.folder(),
                        std::make_unique<LineChannel>(&second_));
    CHECK(session.ok());
    return *session;
  }
  // Names those that have been fed all that is known of, in that order.
  void Observe(const SessionRef& session, char name) {
    Session* s = session.get();
    s->SetObserver([this, s, name] {
      if (s->output().HasUnfed() || order_.find(name) != std::string::npos)
        return;
      order_ += name;
    });
  }

  FakeHolder second_files_;
  Line second_;
  std::string order_;
};

TEST_F(Turns, OneThatPrintsMuchIsFedBehindOneThatDoesNot) {
  SessionRef much = Open(), little = OpenSecond();
  files_.PrintSilently(std::string(200'000, 'x'));
  line_.Say(wire::Data{files_.end()});
  files_.loop()->RunReady();
  files_.PrintSilently("more");
  second_files_.PrintSilently("prompt");
  Observe(much, 'm');
  Observe(little, 'l');
  line_.Say(wire::Data{files_.end()});
  second_.Say(wire::Data{second_files_.end()});
  files_.loop()->RunReady();
  EXPECT_EQ(order_, "lm");
}

}  // namespace
}  // namespace glasstty::session
