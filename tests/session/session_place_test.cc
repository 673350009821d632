// Tests the differences for a session on another machine.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "session/session.h"
#include "testing/fake_holder.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

using std::chrono::seconds;
using wire::PacketType;

class Elsewhere : public ::testing::Test {
 protected:
  Elsewhere() { holder_.LiveElsewhere(); }

  // Tells for each time that no relay has the session whether it is the same as
  // the last.
  SessionRef OpenWatched() {
    SessionRef session = holder_.Open();
    session->OnCutOff([this](bool again) { cut_off_.push_back(again); });
    return session;
  }
  template <wire::IsMessage M>
  M Last() {
    std::vector<M> all = holder_.AllSent<M>();
    EXPECT_FALSE(all.empty());
    return all.empty() ? M() : all.back();
  }

  FakeHolder holder_;
  std::vector<bool> cut_off_;
};

TEST_F(Elsewhere, ASessionTellsForHowLongItWasAway) {
  SessionRef session = holder_.Open();
  holder_.Return();
  EXPECT_EQ(session->contact().absence().number, 0u);
  Time left = holder_.clock()->Now();
  holder_.Leave();
  EXPECT_EQ(session->contact().away_since(), left);
  EXPECT_EQ(session->contact().absence().number, 0u);
  holder_.Advance(seconds(5));
  holder_.Return(42);
  EXPECT_EQ(session->contact().away_since(), std::nullopt);
  EXPECT_EQ(session->contact().absence().number, 1u);
  EXPECT_EQ(session->contact().absence().lasted, seconds(5));
  EXPECT_EQ(session->contact().absence().printed, 42u);
  // It was there all the time.
  holder_.Return(7);
  EXPECT_EQ(session->contact().absence().number, 1u);
  EXPECT_EQ(session->contact().absence().printed, 42u);
  holder_.Leave();
  holder_.Return();
  EXPECT_EQ(session->contact().absence().number, 2u);
}

TEST_F(Elsewhere, TheLastRequestOfAKindIsRepeatedUntilItIsAnswered) {
  SessionRef session = holder_.Open();
  session->Resize({8, 10});
  session->Resize({9, 11});
  session->Write("typed once");
  holder_.Leave();
  EXPECT_EQ(holder_.CountSent(wire::Resize::kType), 2u);
  holder_.Return();
  EXPECT_EQ(holder_.CountSent(wire::Resize::kType), 3u);
  EXPECT_EQ(Last<wire::Resize>(), (wire::Resize{9, 11}));
  EXPECT_EQ(holder_.typed(), "typed once");
  holder_.Resized({9, 11});
  holder_.Return();
  EXPECT_EQ(holder_.CountSent(wire::Resize::kType), 3u);
}

TEST_F(Elsewhere, WhatASessionShallBeIsSaidAgainAtEachReturn) {
  SessionRef session = holder_.Open();
  session->Ask("the password");
  session->SetPolicy(5, 1 << 20);
  session->Close(seconds(1), true, true);
  for (size_t times = 2; times <= 3; ++times) {
    holder_.Leave();
    holder_.Return();
    for (PacketType type :
         {wire::Ask::kType, wire::Policy::kType, wire::Close::kType}) {
      EXPECT_EQ(holder_.CountSent(type), times);
    }
    EXPECT_EQ(Last<wire::Ask>().text, "the password");
  }
}

TEST_F(Elsewhere, AFileIsRemovedAtEachReturnUntilItIsPutThereAgain) {
  SessionRef session = OpenWatched();
  holder_.Vanish();
  session->files()->Drop("f");
  holder_.Resume(session);
  EXPECT_EQ(holder_.CountSent(wire::File::kType), 0u);
  holder_.Greet();
  holder_.Return();
  ASSERT_EQ(holder_.CountSent(wire::File::kType), 1u);
  EXPECT_EQ(Last<wire::File>(), (wire::File{0, 0, "f", ""}));
  ASSERT_TRUE(session->files()->Put("fg", "other").ok());
  holder_.Return();
  EXPECT_EQ(holder_.CountSent(wire::File::kType), 3u);
  ASSERT_TRUE(session->files()->Put("f", "secret").ok());
  holder_.Return();
  EXPECT_EQ(holder_.CountSent(wire::File::kType), 4u);
}

TEST_F(Elsewhere, AReportThatNobodyAskedForAnswersNoQuestion) {
  SessionRef session = holder_.Open();
  auto interest = session->questions().Keep(Interest::kPorts);
  ASSERT_EQ(holder_.CountSent(wire::Tree::kType), 1u);
  holder_.ReportNoSurvivors();
  holder_.Return();
  ASSERT_EQ(holder_.CountSent(wire::Tree::kType), 2u);
  holder_.ReportListener(std::nullopt);
  holder_.Return();
  EXPECT_EQ(holder_.CountSent(wire::Tree::kType), 2u);
}

TEST_F(Elsewhere, WhatWasKnownOfAProgramIsOfBefore) {
  SessionRef session = holder_.Open();
  holder_.Answer(wire::Waiting::kRead);
  auto interest = session->questions().Keep(Interest::kState);
  auto known = [&] {
    holder_.Advance(seconds(1));
    return session->verdict().settled_state().has_value();
  };
  ASSERT_TRUE(known());
  holder_.Leave();
  EXPECT_FALSE(session->verdict().settled_state());
  ASSERT_TRUE(known());
  session->LookAgain();
  EXPECT_FALSE(session->verdict().settled_state());
}

TEST_F(Elsewhere, ASessionGoesOnWithoutItsRelay) {
  SessionRef session = OpenWatched();
  Time cut = holder_.clock()->Now();
  holder_.Vanish();
  EXPECT_FALSE(session->finished());
  EXPECT_EQ(session->contact().away_since(), cut);
  EXPECT_EQ(session->contact().cut_off_since(), cut);
  holder_.Advance(seconds(1));
  // A relay that dies before it has greeted has not had it.
  holder_.Resume(session);
  holder_.Vanish();
  EXPECT_EQ(cut_off_, (std::vector<bool>{false, true}));
  EXPECT_EQ(session->contact().cut_off_since(), cut);
  holder_.Resume(session);
  holder_.Greet();
  holder_.Return();
  EXPECT_EQ(session->contact().away_since(), std::nullopt);
  EXPECT_EQ(session->contact().absence().lasted, seconds(1));
  holder_.Vanish();
  EXPECT_EQ(cut_off_, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(session->contact().cut_off_since(), cut + seconds(1));
}

TEST_F(Elsewhere, ARelayThatDiesMakesASessionNoLaterAway) {
  SessionRef session = OpenWatched();
  Time left = holder_.clock()->Now();
  holder_.Leave();
  holder_.Advance(seconds(3));
  holder_.Vanish();
  EXPECT_EQ(session->contact().away_since(), left);
  EXPECT_EQ(session->contact().cut_off_since(), left + seconds(3));
}

TEST_F(Elsewhere, WhatIsStoredHereIsShownWhileThereIsNoRelay) {
  holder_.PrintSilently("stored");
  SessionRef session = holder_.OpenUngreeted();
  holder_.Vanish();
  EXPECT_FALSE(session->output().replaying());
  EXPECT_EQ(session->output().terminal().TakeSnapshot().rows[0].text, "stored");
  EXPECT_FALSE(session->finished());
}

TEST_F(Elsewhere, TheNextRelayIsToldWhatIsFedAndWhatIsInDoubt) {
  SessionRef session = OpenWatched();
  holder_.Print("hello");
  uint64_t read = session->Write("read");
  holder_.Consume();
  holder_.Vanish();
  holder_.Resume(session);
  EXPECT_EQ(Last<wire::Ack>(), (wire::Ack{5, 0})) << "there are no errors";
  EXPECT_EQ(holder_.CountSent(wire::Doubt::kType), 0u);
  holder_.Greet();
  session->Write("one");
  uint64_t last = session->Write("two");
  holder_.Vanish();
  holder_.Resume(session);
  EXPECT_EQ(Last<wire::Doubt>(), (wire::Doubt{read + 1, last}));
}

TEST_F(Elsewhere, WhatIsTypedWithoutARelayIsRefused) {
  SessionRef session = OpenWatched();
  uint64_t before = session->Write("taken");
  EXPECT_EQ(session->input().FindRefusal(0, before), nullptr);
  holder_.Vanish();
  uint64_t after = session->Write(std::string(wire::kMaxPayload + 1, 'x'));
  ASSERT_EQ(after, before + 2);
  for (uint64_t serial = before + 1; serial <= after; ++serial) {
    const auto* refusal = session->input().FindRefusal(serial - 1, serial);
    ASSERT_NE(refusal, nullptr);
    EXPECT_EQ(refusal->why, wire::WriteRefusal::kAway);
    EXPECT_EQ(refusal->taken, 0u);
  }
  EXPECT_EQ(session->input().FindRefusal(before - 1, before), nullptr);
  // Only the last refusals are remembered.
  for (int i = 0; i < 63; ++i) session->Write("y");
  EXPECT_EQ(session->input().FindRefusal(before, before + 1), nullptr);
  EXPECT_NE(session->input().FindRefusal(before, before + 2), nullptr);
  // The next relay takes it, also before it has greeted.
  holder_.Resume(session);
  uint64_t next = session->Write("z");
  EXPECT_EQ(Last<wire::Write>().bytes, "z");
  EXPECT_EQ(session->input().FindRefusal(next - 1, next), nullptr);
}

TEST_F(Elsewhere, ASessionThatIsGivenUpIsLost) {
  SessionRef session = OpenWatched();
  EXPECT_EQ(session->verdict().WhyLost(), "");
  holder_.Vanish();
  ASSERT_TRUE(ReplaceFileAt(holder_.directory(), wire::kLostName,
                            "the machine was started again"));
  session->GiveUp();
  EXPECT_TRUE(session->verdict().holder_lost());
  EXPECT_EQ(session->contact().away_since(), std::nullopt);
  EXPECT_EQ(session->verdict().WhyLost(), "the machine was started again");
}

TEST_F(Elsewhere, AFileGoesThereInPieces) {
  SessionRef session = holder_.Open();
  std::string content(10'000, 'a');
  for (size_t i = 0; i < content.size(); ++i) content[i] += i % 26;
  ASSERT_TRUE(session->files()->Put("f", content).ok());
  std::string arrived;
  for (const wire::File& file : holder_.AllSent<wire::File>()) {
    EXPECT_LE(file.name.size() + 1 + file.piece.size(), wire::kMaxPayload);
    EXPECT_EQ(file.offset, arrived.size());
    EXPECT_EQ(file.size, content.size());
    EXPECT_EQ(file.name, "f");
    arrived += file.piece;
  }
  EXPECT_EQ(arrived, content);
  size_t pieces = holder_.CountSent(wire::File::kType);
  // Nothing follows a last piece that is full.
  ASSERT_TRUE(session->files()
                  ->Put("f", std::string(wire::kMaxPayload - 64, 'x'))
                  .ok());
  EXPECT_EQ(holder_.CountSent(wire::File::kType), pieces + 1);
  session->files()->Drop("f");
  EXPECT_EQ(Last<wire::File>(), (wire::File{0, 0, "f", ""}));
  EXPECT_NE(faccessat(holder_.directory(), "f", F_OK, 0), 0);
}

TEST(Here, AFileIsWrittenAndRemovedAtOnce) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  ASSERT_TRUE(session->files()->Put("f", "content").ok());
  std::string content;
  ASSERT_TRUE(ReadFileAt(holder.directory(), "f", 100, &content));
  EXPECT_EQ(content, "content");
  EXPECT_FALSE(session->files()->Put("no/f", "").ok());
  session->files()->Drop("f");
  EXPECT_NE(faccessat(holder.directory(), "f", F_OK, 0), 0);
  EXPECT_EQ(holder.CountSent(wire::File::kType), 0u);
}

// Serials rise from one server to the next where an answer may come late.
TEST(Here, WritesCountFromOneAndElsewhereFromTheTime) {
  FakeHolder here, there;
  there.LiveElsewhere();
  EXPECT_EQ(here.Open()->Write("x"), 1u);
  SessionRef session = there.Open();
  uint64_t before = session->input().last_write();
  EXPECT_GT(before, uint64_t{1'700'000'000'000} << 16);
  EXPECT_TRUE(session->input().consumed(before));
  EXPECT_EQ(session->Write("x"), before + 1);
  EXPECT_FALSE(session->input().consumed(before + 1));
}

TEST(Here, NothingIsAskedAgain) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  session->Resize({8, 10});
  holder.Return();
  EXPECT_EQ(holder.CountSent(wire::Resize::kType), 1u);
}

}  // namespace
}  // namespace glasstty::session
