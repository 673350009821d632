// Several clients of one server.
#include "tools/clients.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/fake_holder.h"
#include "typing/turn.h"

namespace glasstty {

using record::CountUnread;

namespace {

class ClientsTest : public testing::Test {
 protected:
  static mcp::RequestContext Named(const std::string& info,
                                   const std::string& recurring = "") {
    mcp::RequestContext context;
    context.client_info = info;
    context.recurring = recurring;
    return context;
  }
  std::unique_ptr<mcp::ToolCall> Call(uint64_t connection,
                                      mcp::RequestContext context) {
    return std::make_unique<mcp::ToolCall>(holder_.loop(), std::move(context),
                                           connection, nullptr);
  }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open();
  session::SessionManager manager_{holder_.loop(), {}};
  Clients clients_{&manager_};
  std::unique_ptr<mcp::ToolCall> codex_ = Call(1, Named("codex 1"));
  std::unique_ptr<mcp::ToolCall> claude_ = Call(2, Named("claude-code 2"));
  std::unique_ptr<mcp::ToolCall> shell_ = Call(3, Named("", "shell"));
  std::string note_;
};

TEST_F(ClientsTest, EachHasReadForItself) {
  holder_.Print("one\r\n");
  clients_.MarkOf(*codex_, *session_);
  clients_.SetMark(1, session_->origin().id,
                   record::MarkNow(session_->terminal()));
  EXPECT_EQ(
      CountUnread(session_->terminal(), clients_.MarkOf(*codex_, *session_)),
      0);
  EXPECT_EQ(
      CountUnread(session_->terminal(), clients_.MarkOf(*claude_, *session_)),
      1);
}

TEST_F(ClientsTest, TheFirstHasMainAndTheNextIsToldOfMain2) {
  EXPECT_EQ(clients_.DefaultSession(*codex_, &note_), "main");
  EXPECT_EQ(note_, "");
  EXPECT_EQ(clients_.DefaultSession(*claude_, &note_), "main-2");
  EXPECT_EQ(note_,
            "your default session is 'main-2': 'main' is another client's");
  note_.clear();
  EXPECT_EQ(clients_.DefaultSession(*claude_, &note_), "main-2");
  EXPECT_EQ(note_, "") << "said once";
  EXPECT_EQ(clients_.DefaultSession(*codex_, &note_), "main");
}

TEST_F(ClientsTest, MainIsFreeAgainWhenItsClientHasLeft) {
  clients_.DefaultSession(*codex_, &note_);
  clients_.Leave(1);
  EXPECT_EQ(clients_.DefaultSession(*claude_, &note_), "main");
}

TEST_F(ClientsTest, WhoComesBackFindsWhatItHadRead) {
  holder_.Print("one\r\n");
  clients_.MarkOf(*shell_, *session_);
  clients_.SetMark(3, session_->origin().id,
                   record::MarkNow(session_->terminal()));
  clients_.Leave(3);
  auto again = Call(9, Named("", "shell"));
  EXPECT_EQ(
      CountUnread(session_->terminal(), clients_.MarkOf(*again, *session_)), 0);
  auto other = Call(10, Named("", "another shell"));
  EXPECT_EQ(
      CountUnread(session_->terminal(), clients_.MarkOf(*other, *session_)), 1);
}

TEST_F(ClientsTest, OnlySoManyThatComeBackAreRemembered) {
  holder_.Print("one\r\n");
  for (uint64_t i = 0; i < 3 * Clients::kMostRecurring; ++i) {
    auto call = Call(100 + i, Named("", "shell " + std::to_string(i)));
    clients_.MarkOf(*call, *session_);
    clients_.Leave(100 + i);
  }
  EXPECT_LE(clients_.mark_count(), Clients::kMostRecurring + 1);
}

TEST_F(ClientsTest, OthersAreShownAndNeverOneself) {
  clients_.Opened(*codex_, *session_);
  clients_.Use(codex_.get(), *session_);
  auto own = clients_.OthersAt(*codex_, *session_);
  EXPECT_EQ(own.opened_by, "");
  EXPECT_TRUE(own.waiting.empty());
  clients_.MarkOf(*claude_, *session_);
  auto seen = clients_.OthersAt(*claude_, *session_);
  EXPECT_EQ(seen.opened_by, "codex 1 #1");
  EXPECT_EQ(seen.waiting, std::vector<std::string>{"codex 1 #1"});
  EXPECT_TRUE(seen.typing.empty());
}

TEST_F(ClientsTest, WhoHasTheTurnTypesAndWhoStandsInLineToo) {
  clients_.Use(codex_.get(), *session_);
  clients_.Use(claude_.get(), *session_);
  ASSERT_TRUE(session_->turn()->Take(codex_->cancellation()));
  session_->turn()->Wait(claude_->cancellation());
  auto seen = clients_.OthersAt(*shell_, *session_);
  EXPECT_EQ(seen.typing,
            (std::vector<std::string>{"codex 1 #1", "claude-code 2 #2"}));
  EXPECT_TRUE(seen.waiting.empty());
}

TEST_F(ClientsTest, ACallIsShownUntilItsEnd) {
  clients_.Use(codex_.get(), *session_);
  codex_.reset();
  EXPECT_TRUE(clients_.OthersAt(*claude_, *session_).waiting.empty());
}

// A handler that was cancelled runs to its end after its client has left.
TEST_F(ClientsTest, NothingIsKeptOfOneThatHasLeft) {
  clients_.MarkOf(*codex_, *session_);
  clients_.Use(codex_.get(), *session_);
  codex_->cancellation()->Cancel();
  clients_.Leave(1);
  clients_.MarkOf(*codex_, *session_);
  clients_.SetMark(1, session_->origin().id, view::ReaderMark());
  EXPECT_EQ(clients_.mark_count(), 0u);
}

}  // namespace
}  // namespace glasstty
