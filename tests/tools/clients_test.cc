// Several clients of one server.
#include "tools/clients.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <vector>

#include "testing/fake_holder.h"
#include "typing/turn.h"

namespace glasstty {

using record::CountUnread;

namespace {

constexpr Time kNow = Time(std::chrono::hours(1));

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

  // A relay's client.
  static mcp::RequestContext Relayed(const std::string& info,
                                     const std::string& directory,
                                     pid_t parent) {
    mcp::RequestContext context = Named(info);
    context.directory = directory;
    context.introduction =
        std::make_shared<const Json>(Json{{"parent", parent}});
    return context;
  }
  void Read(const mcp::ToolCall& call) {
    clients_.MarkOf(call, *session_);
    clients_.SetMark(call.connection(), session_->origin().id,
                     record::MarkNow(session_->output().terminal()));
  }
  int64_t Unread(const mcp::ToolCall& call) {
    return CountUnread(session_->output().terminal(),
                       clients_.MarkOf(call, *session_));
  }
  // A process that has ended.
  static pid_t DeadProcess() {
    pid_t pid = fork();
    if (pid == 0) _exit(0);
    waitpid(pid, nullptr, 0);
    return pid;
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
                   record::MarkNow(session_->output().terminal()));
  EXPECT_EQ(CountUnread(session_->output().terminal(),
                        clients_.MarkOf(*codex_, *session_)),
            0);
  EXPECT_EQ(CountUnread(session_->output().terminal(),
                        clients_.MarkOf(*claude_, *session_)),
            1);
}

TEST_F(ClientsTest, TheNextServerBeginsWhereTheSlowestReaderIs) {
  EXPECT_FALSE(clients_.LeastMark(*session_));
  holder_.Print("one\r\n");
  uint64_t first = session_->output().feed().consumed();
  Read(*shell_);  // nobody owns the session
  EXPECT_EQ(clients_.LeastMark(*session_)->offset, first);
  clients_.Opened(*codex_, *session_);
  EXPECT_EQ(clients_.LeastMark(*session_)->offset, 0u);
  Read(*codex_);
  EXPECT_EQ(clients_.LeastMark(*session_)->offset, first);
  holder_.Print("two\r\n");
  uint64_t second = session_->output().feed().consumed();
  Read(*codex_);  // the shell only looks
  EXPECT_EQ(clients_.LeastMark(*session_)->offset, second);
  clients_.Adopt(*shell_, *session_);
  EXPECT_EQ(clients_.LeastMark(*session_)->offset, first);
  Read(*shell_);
  EXPECT_EQ(clients_.LeastMark(*session_)->offset, second);
}

// pytest's dots: the letter of the failure comes later.
TEST_F(ClientsTest, AFailureIsSeenOnceItsPartOfTheLineIs) {
  lookout::Event failure{
      .watch = lookout::kError, .text = "a.py ..F", .line = 0};
  holder_.Print("a.py ..");
  Read(*codex_);
  EXPECT_FALSE(clients_.HasSeen(*codex_, *session_, failure));
  holder_.Print("F");
  EXPECT_FALSE(clients_.HasSeen(*codex_, *session_, failure));
  Read(*codex_);
  EXPECT_TRUE(clients_.HasSeen(*codex_, *session_, failure));
  EXPECT_FALSE(clients_.HasSeen(*claude_, *session_, failure));
}

TEST_F(ClientsTest, AFailureOnTheScreenThatWasShownIsSeen) {
  lookout::Event failure{.watch = lookout::kError, .text = "api 0/1 Evicted 9"};
  EXPECT_FALSE(clients_.HasSeen(*codex_, *session_, failure));
  view::ReaderMark mark = clients_.MarkOf(*codex_, *session_);
  auto screen = std::make_shared<view::ScreenText>();
  screen->rows = {"", "api 0/1 Evicted 5"};
  mark.screen = screen;
  clients_.SetMark(codex_->connection(), session_->origin().id, mark);
  EXPECT_TRUE(clients_.HasSeen(*codex_, *session_, failure));
}

TEST_F(ClientsTest, EachKeepsWhatItsWaitsHaveLearned) {
  clients_.MemoryOf(*codex_, *session_)->Tell("0% [Working]");
  EXPECT_TRUE(
      clients_.MemoryOf(*codex_, *session_)->kinds.Recognize("9% [Working]"));
  EXPECT_FALSE(
      clients_.MemoryOf(*claude_, *session_)->kinds.Recognize("9% [Working]"));
  clients_.ForgetSession(session_->origin().id);
  EXPECT_TRUE(clients_.MemoryOf(*codex_, *session_)->kinds.empty());
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
  clients_.Leave(1, kNow);
  EXPECT_EQ(clients_.DefaultSession(*claude_, &note_), "main");
}

TEST_F(ClientsTest, WhoSaysGoodbyeComesBackAsSomebodyElse) {
  holder_.Print("one\r\n");
  Read(*shell_);
  clients_.LeaveForGood("nobody");
  EXPECT_EQ(Unread(*shell_), 0);
  // Its connection is still there.
  clients_.LeaveForGood("shell");
  EXPECT_EQ(Unread(*shell_), 1);
}

TEST_F(ClientsTest, WhoComesBackFindsWhatItHadRead) {
  holder_.Print("one\r\n");
  clients_.MarkOf(*shell_, *session_);
  clients_.SetMark(3, session_->origin().id,
                   record::MarkNow(session_->output().terminal()));
  clients_.Leave(3, kNow);
  auto again = Call(9, Named("", "shell"));
  EXPECT_EQ(CountUnread(session_->output().terminal(),
                        clients_.MarkOf(*again, *session_)),
            0);
  auto other = Call(10, Named("", "another shell"));
  EXPECT_EQ(CountUnread(session_->output().terminal(),
                        clients_.MarkOf(*other, *session_)),
            1);
}

TEST_F(ClientsTest, OnlySoManyThatComeBackAreRemembered) {
  holder_.Print("one\r\n");
  for (uint64_t i = 0; i < 3 * Clients::kMostRecurring; ++i) {
    auto call = Call(100 + i, Named("", "shell " + std::to_string(i)));
    clients_.MarkOf(*call, *session_);
    clients_.Leave(100 + i, kNow);
  }
  EXPECT_LE(clients_.mark_count(), Clients::kMostRecurring + 1);
}

TEST_F(ClientsTest, ACallMayOutliveItsForgottenClient) {
  clients_.Use(shell_.get(), *session_);
  clients_.Leave(3, kNow);
  for (uint64_t i = 0; i <= Clients::kMostRecurring; ++i) {
    auto call = Call(100 + i, Named("", "shell " + std::to_string(i)));
    clients_.MarkOf(*call, *session_);
    clients_.Leave(100 + i, kNow);
  }
  EXPECT_TRUE(clients_.OthersAt(*codex_, *session_).waiting.empty());
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
  ASSERT_TRUE(session_->mutable_input()->turn()->Take(codex_->cancellation()));
  session_->mutable_input()->turn()->Wait(claude_->cancellation());
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

// As when an editor reloads its window: what it has read tells who it is.
TEST_F(ClientsTest, OneThatComesBackIsKnownByNameDirectoryAndParent) {
  clients_.SetPatience(std::chrono::minutes(5));
  pid_t dead = DeadProcess(), alive = getpid();
  struct Case {
    mcp::RequestContext before;
    mcp::RequestContext after;
    bool is_same;
  };
  const Case cases[] = {
      {Relayed("code 1", "/p", alive), Relayed("code 1", "/p", alive), true},
      {Relayed("code 1", "/p", alive), Relayed("code 2", "/p", alive), true},
      {Relayed("code 1", "/p", dead), Relayed("code 1", "/p", alive), true},
      {Relayed("code 1", "/p", alive), Relayed("code 1", "/p", dead), false},
      {Relayed("code 1", "/p", dead), Relayed("code 1", "/q", dead), false},
      {Relayed("code 1", "/p", dead), Relayed("codex 1", "/p", dead), false},
      {Named("code 1"), Named("code 1"), false},
  };
  holder_.Print("one\r\n");
  uint64_t connection = 100;
  for (const Case& c : cases) {
    auto before = Call(++connection, c.before);
    clients_.Opened(*before, *session_);
    Read(*before);
    clients_.Leave(connection, kNow);
    auto after = Call(++connection, c.after);
    EXPECT_EQ(Unread(*after) == 0, c.is_same) << connection;
    clients_.Leave(connection, kNow);
    clients_.ForgetAway(kNow + std::chrono::minutes(6));
  }
}

// Among several of one parent, such as the conversations of one program.
TEST_F(ClientsTest, AfterTheServersDeathTheProcessTellsWhoItIs) {
  clients_.SetPatience(std::chrono::minutes(5));
  EXPECT_EQ(Clients::OpenerOf(Relayed("code 1", "/p", 7)),
            (record::Opener{"code", "/p", 7, 0}));
  auto context = Relayed("code 1", "/p", 7);
  context.introduction =
      std::make_shared<const Json>(Json{{"parent", 7}, {"process", 8}});
  EXPECT_EQ(Clients::OpenerOf(context), (record::Opener{"code", "/p", 7, 8}));
  EXPECT_EQ(Clients::OpenerOf(Named("", "shell")),
            (record::Opener{"shell", "", 0, 0}));
  EXPECT_EQ(Clients::OpenerOf(Named("code 1")), record::Opener());
}

TEST_F(ClientsTest, OneThatIsStillThereIsNobodyElse) {
  clients_.SetPatience(std::chrono::minutes(5));
  holder_.Print("one\r\n");
  auto one = Call(11, Relayed("code 1", "/p", getpid()));
  Read(*one);
  auto two = Call(12, Relayed("code 1", "/p", getpid()));
  EXPECT_EQ(Unread(*one), 0);
  EXPECT_EQ(Unread(*two), 1);
}

TEST_F(ClientsTest, OnlySoLongIsWaitedForOneThatHasLeft) {
  clients_.SetPatience(std::chrono::minutes(5));
  EXPECT_EQ(clients_.NextForget(), Time::max());
  auto one = Call(11, Relayed("code 1", "/p", getpid()));
  clients_.Opened(*one, *session_);
  clients_.MarkOf(*one, *session_);
  clients_.Leave(11, kNow);
  EXPECT_EQ(clients_.NextForget(), kNow + std::chrono::minutes(5));
  clients_.ForgetAway(kNow + std::chrono::minutes(4));
  EXPECT_EQ(clients_.mark_count(), 1u);
  clients_.ForgetAway(kNow + std::chrono::minutes(5));
  EXPECT_EQ(clients_.mark_count(), 0u);
  EXPECT_EQ(clients_.NextForget(), Time::max());
}

// A handler that was cancelled runs to its end after its client has left.
TEST_F(ClientsTest, NothingIsKeptOfOneThatHasLeft) {
  clients_.MarkOf(*codex_, *session_);
  clients_.Use(codex_.get(), *session_);
  codex_->cancellation()->Cancel();
  clients_.Leave(1, kNow);
  clients_.MarkOf(*codex_, *session_);
  clients_.SetMark(1, session_->origin().id, view::ReaderMark());
  EXPECT_EQ(clients_.mark_count(), 0u);
}

// ---- hooks

class ClientsHooks : public ClientsTest {
 protected:
  // An agent's own connection, and that of a process which its hook started.
  std::unique_ptr<mcp::ToolCall> Agent(uint64_t connection,
                                       std::vector<pid_t> ancestors) {
    return Call(connection, From("claude-code 2", "", std::move(ancestors)));
  }
  std::unique_ptr<mcp::ToolCall> Hook(uint64_t connection,
                                      std::vector<pid_t> ancestors) {
    return Call(connection, From("", Clients::kHookName, std::move(ancestors)));
  }
  static mcp::RequestContext From(const std::string& info,
                                  const std::string& recurring,
                                  std::vector<pid_t> ancestors) {
    mcp::RequestContext context = Named(info, recurring);
    Json list = Json::array();
    for (pid_t pid : ancestors) list.push_back(pid);
    context.introduction = std::make_shared<const Json>(
        Json{{"parent", ancestors[0]}, {"ancestors", std::move(list)}});
    return context;
  }
  // Says that the agent has this session.
  void Give(const mcp::ToolCall& agent) { clients_.Opened(agent, *session_); }
  bool Has(const mcp::ToolCall& hook) {
    return !clients_.IsOthers(hook, *session_);
  }
};

TEST_F(ClientsHooks, AHookSpeaksForTheNearestAgent) {
  auto outer = Agent(11, {500, 100});
  auto inner = Agent(12, {700, 600, 500, 100});
  Give(*inner);
  clients_.MarkOf(*outer, *session_);
  auto hook = Hook(13, {710, 600, 500});
  ASSERT_TRUE(clients_.FindAgent(*hook));
  EXPECT_TRUE(Has(*hook));
  auto other = Hook(14, {510, 500, 100});
  ASSERT_TRUE(clients_.FindAgent(*other));
  EXPECT_FALSE(Has(*other));
}

TEST_F(ClientsHooks, AnAgentThatIsFarAwayIsNobodysAgent) {
  auto agent = Agent(11, {500});
  Give(*agent);
  auto hook = Hook(12, {710, 709, 708, 707, 706, 705, 500});
  EXPECT_FALSE(clients_.FindAgent(*hook));
  auto stranger = Hook(13, {810, 800});
  EXPECT_FALSE(clients_.FindAgent(*stranger));
}

TEST_F(ClientsHooks, ProcessOneIsAnAgentOnlyIfItIsAParent) {
  auto agent = Agent(11, {500, 1});
  Give(*agent);
  auto hook = Hook(12, {710, 1});
  EXPECT_FALSE(clients_.FindAgent(*hook));
  auto contained = Agent(13, {1});
  Give(*contained);
  EXPECT_TRUE(clients_.FindAgent(*hook));
}

TEST_F(ClientsHooks, AnAgentsOwnConnectionSpeaksForItself) {
  auto agent = Agent(11, {500});
  Give(*agent);
  ASSERT_TRUE(clients_.FindAgent(*agent));
  EXPECT_EQ(clients_.OwnOf(*agent).size(), 0u);  // the manager has none
  EXPECT_TRUE(Has(*agent));
}

TEST_F(ClientsHooks, TheEndOfAHookIsNotTheEndOfItsAgent) {
  auto agent = Agent(11, {500});
  Give(*agent);
  auto hook = Hook(12, {510, 500});
  ASSERT_TRUE(clients_.FindAgent(*hook));
  EXPECT_TRUE(clients_.Leave(12, kNow).empty());
  EXPECT_EQ(clients_.NextForget(), Time::max());
  EXPECT_TRUE(Has(*agent));
}

TEST_F(ClientsHooks, AHookOutlivesItsAgent) {
  auto agent = Agent(11, {500});
  clients_.MarkOf(*agent, *session_);
  auto hook = Hook(12, {510, 500});
  ASSERT_TRUE(clients_.FindAgent(*hook));
  clients_.Leave(11, kNow);
  EXPECT_FALSE(clients_.FindAgent(*hook));
}

TEST_F(ClientsHooks, WhatAHookHasSaidIsOverOnceAReplyShowsSomethingElse) {
  auto agent = Agent(11, {500});
  const std::string& id = session_->origin().id;
  ToldState::News asks{session::Activity::kInput, 7};
  clients_.StateOf(*agent, *session_)->said = asks;
  clients_.SetShown(11, id, asks);
  EXPECT_EQ(clients_.StateOf(*agent, *session_)->said, asks);
  clients_.SetShown(11, id, {session::Activity::kBusy, 0});
  EXPECT_FALSE(clients_.StateOf(*agent, *session_)->said);
  EXPECT_EQ(clients_.StateOf(*agent, *session_)->shown->activity,
            session::Activity::kBusy);
}

TEST_F(ClientsHooks, EachAgentGetsAHintOnce) {
  auto one = Agent(11, {500});
  auto two = Agent(12, {600});
  EXPECT_TRUE(clients_.TakeHint(*one));
  EXPECT_FALSE(clients_.TakeHint(*one));
  EXPECT_TRUE(clients_.TakeHint(*two));
}

}  // namespace
}  // namespace glasstty
