// Several private servers of one user (`glasstty mcp --alone`) beside each
// other and beside a shell, as where `shared = off` is set or where a sandbox
// does not let clients join: a session that another server keeps is read,
// waited for and closed where it is.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "e2e/desk.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/observer_client.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

class PrivateServers : public ::testing::Test {
 protected:
  ~PrivateServers() override {
    clients_.clear();
    if (pid_t pid = wire::ServerOwner(state_.path()).pid; pid > 0) {
      kill(pid, SIGKILL);
    }
  }

  McpClient* Start() {
    ServerOptions options;
    options.state_dir = state_.path();
    return clients_.emplace_back(std::make_unique<McpClient>(options)).get();
  }
  // A command in a terminal or a script, which uses the shared server.
  CommandResult Shell(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), ServerPath());
    std::vector<std::string> environment = DefaultEnvironment(home_.path());
    environment.push_back("GLASSTTY_STATE_DIR=" + state_.path());
    return RunCommand(arguments, environment);
  }
  ::testing::AssertionResult ShellShows(std::vector<std::string> arguments,
                                        const std::string& text) {
    CommandResult result = Shell(std::move(arguments));
    if (result.status == 0 && result.output.find(text) != std::string::npos) {
      return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure()
           << "status " << result.status << ": " << result.output;
  }
  static void Kill(McpClient* client) {
    client->Signal(SIGKILL);
    ASSERT_TRUE(client->WaitForExit(Seconds(10)));
  }
  static void Leave(McpClient* client) {
    client->CloseStdin();
    ASSERT_TRUE(client->WaitForExit(Seconds(20)));
  }
  // Reads the session from the beginning, whatever was read before.
  static Reply ReadAll(McpClient* client, const std::string& name) {
    return client->Call("term_read", {{"session", name}, {"mode", "history"}});
  }
  static Reply AwaitsInput(McpClient* client, const std::string& name) {
    return client->Call("term_wait", {{"session", name},
                                      {"until", {{"state", "input"}}},
                                      {"timeout_s", 30}});
  }
  static Json UntilText(const std::string& name, const std::string& text) {
    return {{"session", name}, {"until", {{"text", text}}}, {"timeout_s", 30}};
  }
  // The file `go` lets the program of OpenWaiting print "late".
  void Go() { home_.Write("go", ""); }
  void OpenWaiting(McpClient* client, const std::string& name) {
    ASSERT_TRUE(Good(Open(
        client, name,
        {"sh", "-c",
         "echo early; until [ -e go ]; do sleep 0.01; done; echo late; cat"},
        {{"cwd", home_.path()}, {"until", {{"text", "early"}}}})));
  }

  TempDir state_;
  TempDir home_;
  std::vector<std::unique_ptr<McpClient>> clients_;
};

TEST_F(PrivateServers, OnlyTheOwnersServerKnowsTheEventsOfASession) {
  McpClient* owner = Start();
  McpClient* reader = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"cat"})));
  Json event = {{"session", "job"}, {"until", {{"event", true}}}};
  Json list = {{"session", "job"}, {"mode", "events"}};
  for (const Reply& reply :
       {reader->Call("term_wait", event), reader->Call("term_read", list)}) {
    EXPECT_TRUE(reply.is_error);
    EXPECT_TRUE(Shows(reply, "which keeps its watches and events"));
  }
}

TEST_F(PrivateServers, ASessionOfAnotherIsReadWhereItIs) {
  McpClient* owner = Start();
  McpClient* reader = Start();
  ASSERT_TRUE(Good(RunIn(reader, "main", "true")));
  // It is opened after the other has looked around.
  ASSERT_TRUE(Good(Open(owner, "job", {"cat"})));
  Keys(owner, "job", "one word<Enter>");
  Reply read = reader->Call("term_read", {{"session", "job"}});
  EXPECT_TRUE(Good(read));
  EXPECT_TRUE(Shows(read, "one word"));
  EXPECT_TRUE(Shows(AwaitsInput(reader, "job"), "[job] input"));
  EXPECT_TRUE(Shows(
      reader->Call("term_search", {{"session", "job"}, {"regex", "o.e w"}}),
      "one word"));
  std::string file = home_.Join("output");
  EXPECT_TRUE(Good(
      reader->Call("term_write_file",
                   {{"session", "job"}, {"path", file}, {"output", "all"}})));
  EXPECT_NE(ReadWholeFile(file).find("one word"), std::string::npos);
  Reply list = reader->Call("term_list");
  EXPECT_TRUE(Shows(list, "[job] ")) << list.text;
  EXPECT_TRUE(Shows(list, "open in another server")) << list.text;
  // The owner has lost nothing by it.
  Keys(owner, "job", "two<Enter>");
  EXPECT_TRUE(SeesOnScreen(owner, "job", "two"));
  EXPECT_TRUE(Shows(reader->Call("term_read", {{"session", "job"}}), "two"));
}

TEST_F(PrivateServers, AWaitOnASessionOfAnotherSeesWhatIsTypedThere) {
  McpClient* owner = Start();
  McpClient* readers[] = {Start(), Start()};
  ASSERT_TRUE(Good(Open(owner, "job", {"cat"})));
  int waits[2];
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(Good(readers[i]->Call("term_read", {{"session", "job"}})));
    waits[i] = readers[i]->SendCall("term_wait", UntilText("job", "later"));
  }
  Keys(owner, "job", "later<Enter>");
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(Shows(readers[i]->Await(waits[i]), "later"));
  }
  EXPECT_TRUE(Shows(AwaitsInput(readers[0], "job"), "[job] input"));
}

TEST_F(PrivateServers, AShellReadsWaitsForAndClosesTheSessionOfAPrivateServer) {
  McpClient* owner = Start();
  OpenWaiting(owner, "job");
  EXPECT_TRUE(ShellShows({"read", "job"}, "early"));
  Go();
  EXPECT_TRUE(ShellShows({"wait", "job", "--text", "late"}, "late"));
  EXPECT_TRUE(ShellShows({"list"}, "job"));
  EXPECT_TRUE(ShellShows({"close", "job"}, "closed"));
  EXPECT_TRUE(Shows(owner->Call("term_list"), "[job] exited"));
  EXPECT_TRUE(Shows(ReadAll(owner, "job"), "late"));
}

TEST_F(PrivateServers, ASessionOfAnotherIsClosedWhereItIs) {
  McpClient* owner = Start();
  McpClient* other = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"cat"})));
  ASSERT_TRUE(Good(Open(owner, "left",
                        {"sh", "-c", "setsid -f sleep 1009; echo up; cat"},
                        {{"until", {{"text", "up"}}}})));
  int wait = owner->SendCall("term_wait", {{"session", "job"},
                                           {"until", {{"state", "exited"}}},
                                           {"timeout_s", 30}});
  EXPECT_TRUE(Shows(other->Call("term_close", {{"session", "job"}}),
                    "none of its processes is left"));
  EXPECT_TRUE(Shows(owner->Await(wait), "exited"));
  Reply reply = other->Call("term_close", {{"session", "left"}});
  EXPECT_TRUE(Shows(reply, "1 still running")) << reply.text;
  EXPECT_TRUE(Shows(reply, "sleep 1009")) << reply.text;
  reply =
      other->Call("term_close", {{"session", "left"}, {"survivors", "kill"}});
  EXPECT_TRUE(Shows(reply, "none of its processes is left")) << reply.text;
  EXPECT_TRUE(Shows(owner->Call("term_list"), "[left] exited"));
  // Those of others do not go with one's own.
  ASSERT_TRUE(Good(Open(owner, "stays", {"cat"})));
  EXPECT_TRUE(Good(other->Call("term_close", {{"all", true}})));
  EXPECT_TRUE(Shows(AwaitsInput(owner, "stays"), "[stays] input"));
}

TEST_F(PrivateServers, ANewSessionOfTheSameNameGetsItsOwn) {
  McpClient* owner = Start();
  McpClient* other = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"cat"})));
  Keys(owner, "job", "of the owner<Enter>");
  EXPECT_TRUE(Shows(ReadAll(other, "job"), "of the owner"));
  ASSERT_TRUE(Good(Open(other, "job", {"cat"})));
  Keys(other, "job", "of the other<Enter>");
  EXPECT_TRUE(SeesOnScreen(other, "job", "of the other"));
  EXPECT_EQ(ReadAll(other, "job").text.find("of the owner"), std::string::npos);
  // The list has the name by which the first is still reached.
  std::string list = other->Call("term_list").text;
  size_t begin = list.find("[job@");
  ASSERT_NE(begin, std::string::npos) << list;
  std::string full = list.substr(begin + 1, list.find(']', begin) - begin - 1);
  EXPECT_TRUE(Shows(ReadAll(other, full), "of the owner"));
  EXPECT_TRUE(Shows(other->Call("term_close", {{"session", full}}), "closed"));
  EXPECT_TRUE(Shows(owner->Call("term_list"), "[job] exited"));
  EXPECT_TRUE(Shows(AwaitsInput(other, "job"), "[job] input"));
}

TEST_F(PrivateServers, OfSeveralWithOneNameTheFullNamesAreTold) {
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(Good(Open(Start(), "job", {"cat"})));
  McpClient* reader = Start();
  Reply reply = reader->Call("term_read", {{"session", "job"}});
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "job@"));
  // Once one of them has ended, the other is meant.
  ASSERT_TRUE(Good(clients_[0]->Call("term_close", {{"session", "job"}})));
  EXPECT_TRUE(Good(reader->Call("term_read", {{"session", "job"}})));
}

TEST_F(PrivateServers, EveryLineOfALongOutputIsThere) {
  McpClient* owner = Start();
  McpClient* reader = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"sh", "-c", "seq 30000; echo up; cat"},
                        {{"until", {{"text", "up"}}}})));
  Reply history = reader->Call("term_read", {{"session", "job"},
                                             {"mode", "history"},
                                             {"from_line", 2},
                                             {"lines", 2}});
  EXPECT_EQ(history.body, "2\n3") << history.text;
  EXPECT_TRUE(
      Shows(reader->Call("term_search", {{"session", "job"}, {"regex", "^7$"}}),
            "7: 7"));
  std::string directory = SessionDirectory(state_.path(), "job");
  Leave(reader);
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    EXPECT_FALSE(file.path().filename().string().starts_with("guest"));
  }
}

TEST_F(PrivateServers, AScreenHasTheSizeThatTheOwnerGivesIt) {
  McpClient* owner = Start();
  McpClient* reader = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"cat"})));
  ASSERT_TRUE(Good(reader->Call("term_read", {{"session", "job"}})));
  owner->Call("term_send", {{"session", "job"},
                            {"input", Json::array({{{"resize", {10, 33}}}})}});
  Keys(owner, "job", "sized<Enter>");
  ASSERT_TRUE(Good(reader->Call("term_wait", UntilText("job", "sized"))));
  EXPECT_TRUE(Shows(reader->Call("term_list"), "10x33"));
  // A later one learns all sizes from the files.
  EXPECT_TRUE(Shows(Start()->Call("term_list"), "10x33"));
}

// Its state is a guess until there is a place.
TEST_F(PrivateServers, WithoutAPlaceAmongTheObserversTheFilesAreRead) {
  McpClient* owner = Start();
  McpClient* reader = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"cat"})));
  UniqueFd directory(open(SessionDirectory(state_.path(), "job").c_str(),
                          O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::vector<std::unique_ptr<ObserverClient>> observers;
  for (size_t i = 0; i < wire::kMaxObservers; ++i) {
    observers.push_back(std::make_unique<ObserverClient>(directory.get()));
    ASSERT_TRUE(observers.back()->Greet());
  }
  Keys(owner, "job", "first<Enter>");
  EXPECT_TRUE(Shows(reader->Call("term_read", {{"session", "job"}}), "first"));
  int wait = reader->SendCall("term_wait", UntilText("job", "second"));
  Keys(owner, "job", "second<Enter>");
  EXPECT_TRUE(Shows(reader->Await(wait), "second"));
  observers.clear();
  EXPECT_TRUE(Shows(AwaitsInput(reader, "job"), "[job] input"));
}

TEST_F(PrivateServers, WhatAPersonDoesIsNotEndedByAnother) {
  McpClient* owner = Start();
  McpClient* other = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"cat"})));
  UniqueFd directory(open(SessionDirectory(state_.path(), "job").c_str(),
                          O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ObserverClient person(directory.get());
  ASSERT_TRUE(person.Greet("attach"));
  ASSERT_TRUE(person.Take());
  Reply reply = other->Call("term_close", {{"session", "job"}});
  EXPECT_TRUE(reply.is_error) << reply.text;
  EXPECT_TRUE(Shows(reply, "not closed"));
  EXPECT_TRUE(Shows(AwaitsInput(owner, "job"), "[job] input"));
}

TEST_F(PrivateServers, WhatIsTypedIntoASessionOfAnotherReachesItsProgram) {
  McpClient* owner = Start();
  McpClient* guest = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"cat"})));
  Reply reply = Keys(guest, "job", "of the guest<Enter>");
  EXPECT_TRUE(Shows(reply, "[job] input")) << reply.text;
  EXPECT_TRUE(Shows(reply, "of the guest"));
  reply = Keys(guest, "job", "again<Enter>");
  EXPECT_FALSE(Shows(reply, "has typed here")) << "it was this client";
  EXPECT_TRUE(ShellShows({"send", "job", "of a shell", "<Enter>"}, "shell"));
  // Its owner is told once.
  reply = owner->Call("term_read", {{"session", "job"}});
  EXPECT_TRUE(Shows(reply, "another server's client has typed here"));
  EXPECT_TRUE(Shows(reply, "of the guest"));
  reply = Keys(owner, "job", "of the owner<Enter>");
  EXPECT_TRUE(Shows(reply, "of the owner")) << reply.text;
  EXPECT_FALSE(Shows(reply, "has typed here")) << reply.text;
}

TEST_F(PrivateServers, NobodyTypesBetweenTheStepsOfAnOwnersCall) {
  McpClient* owner = Start();
  McpClient* guest = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"sed", "-u", "s/^/got: /"})));
  ASSERT_TRUE(Good(Open(owner, "sign", {"cat"})));
  ASSERT_TRUE(Good(guest->Call("term_read", {{"session", "job"}})));
  Json until = {{"until", {{"session", "sign"}, {"text", "go"}}}};
  int owners = owner->SendCall(
      "term_send", {{"session", "job"},
                    {"input", Json::array({"first ", until, "half<Enter>"})}});
  ASSERT_TRUE(SeesOnScreen(guest, "job", "first"));
  int guests = guest->SendCall(
      "term_send",
      {{"session", "job"}, {"input", Json::array({"one ", "whole<Enter>"})}});
  Keys(owner, "sign", "go<Enter>");
  Reply reply = owner->Await(owners);
  EXPECT_FALSE(reply.is_error) << reply.text;
  reply = guest->Await(guests);
  EXPECT_FALSE(reply.is_error) << reply.text;
  // The guest's text may be echoed before the owner's line is answered.
  reply = ReadAll(owner, "job");
  EXPECT_TRUE(Shows(reply, "got: first half")) << reply.text;
  EXPECT_TRUE(Shows(reply, "got: one whole")) << reply.text;
}

TEST_F(PrivateServers, CallsOfManyServersTakeTurnsInOneSession) {
  McpClient* owner = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"sed", "-u", "s/^/got: /"})));
  std::vector<McpClient*> all = {owner, Start(), Start()};
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<int> calls;
    for (McpClient* client : all) {
      std::string word = "c" + std::to_string(calls.size());
      Json steps = Json::array({word, "-" + word, "-" + word + "<Enter>"});
      calls.push_back(client->SendCall("term_send",
                                       {{"session", "job"}, {"input", steps}}));
    }
    for (size_t i = 0; i < all.size(); ++i) {
      Reply reply = all[i]->Await(calls[i]);
      EXPECT_FALSE(reply.is_error) << i << ": " << reply.text;
      EXPECT_FALSE(Shows(reply, "not typed")) << reply.text;
    }
  }
  std::string text = ReadAll(owner, "job").body;
  for (size_t i = 0; i < all.size(); ++i) {
    std::string word = "c" + std::to_string(i);
    Reply found = owner->Call(
        "term_search",
        {{"session", "job"},
         {"regex", "got: " + word + "-" + word + "-" + word + "$"}});
    EXPECT_TRUE(Shows(found, std::to_string(kRounds) + " matches")) << text;
  }
}

TEST_F(PrivateServers, NothingIsTypedWhereAPersonTypes) {
  McpClient* owner = Start();
  McpClient* guest = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"cat"})));
  UniqueFd directory(open(SessionDirectory(state_.path(), "job").c_str(),
                          O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ObserverClient person(directory.get());
  ASSERT_TRUE(person.Greet("attach"));
  ASSERT_TRUE(person.Take());
  for (int i = 0; i < 2; ++i) {
    Reply reply = Keys(guest, "job", "refused<Enter>");
    EXPECT_TRUE(reply.is_error) << reply.text;
    EXPECT_TRUE(Shows(reply, "a person has the keyboard")) << reply.text;
  }
  person.Send(wire::Give{});
  EXPECT_TRUE(Good(guest->Call("term_wait", {{"session", "job"},
                                             {"until", {{"person", "gone"}}},
                                             {"timeout_s", 30}})));
  EXPECT_TRUE(Good(Keys(guest, "job", "typed<Enter>")));
  EXPECT_EQ(ReadAll(owner, "job").body, "typed\ntyped");
}

TEST_F(PrivateServers, APersonTakesTheKeyboardFromACallOfAnotherServer) {
  McpClient* owner = Start();
  McpClient* guest = Start();
  ASSERT_TRUE(Good(Open(owner, "job", {"cat"})));
  Desk desk(state_.path(), {"attach", "job"});
  ASSERT_TRUE(desk.Sees("Enter takes the keyboard"));
  Json until = {{"until", {{"text", "never"}}}};
  int call = guest->SendCall(
      "term_send", {{"session", "job"},
                    {"input", Json::array({"one<Enter>", until, "two"})}});
  ASSERT_TRUE(desk.Sees("one"));
  EXPECT_TRUE(desk.Sees("Enter takes the keyboard"));
  desk.Type("\r");
  ASSERT_TRUE(desk.Sees("you have the keyboard"));
  desk.Type("never\r");
  Reply reply = guest->Await(call);
  EXPECT_TRUE(Shows(reply, "a person took the keyboard")) << reply.text;
  EXPECT_EQ(ReadAll(owner, "job").text.find("two"), std::string::npos);
}

TEST_F(PrivateServers, TheGateJudgesWhatIsTypedIntoASessionOfAnother) {
  McpClient* owner = Start();
  McpClient* guest = Start();
  ASSERT_TRUE(
      Good(Open(owner, "job", {"bash", "--norc"}, {{"cwd", home_.path()}})));
  Reply reply = Keys(guest, "job", "rm -rf ~<Enter>");
  EXPECT_TRUE(reply.is_error) << reply.text;
  EXPECT_TRUE(Shows(reply, "refused")) << reply.text;
  // So is a line that the owner has begun.
  ASSERT_TRUE(Good(Keys(owner, "job", "rm -rf ")));
  ASSERT_TRUE(SeesOnScreen(guest, "job", "rm -rf"));
  reply = Keys(guest, "job", "~<Enter>");
  EXPECT_TRUE(reply.is_error) << reply.text;
  EXPECT_TRUE(Shows(reply, "refused")) << reply.text;
  ASSERT_TRUE(Good(Keys(guest, "job", "<C-c>")));
  EXPECT_TRUE(Shows(Keys(guest, "job", "echo $((41+1))<Enter>"), "42"));
  // The owner's next command finds an empty line.
  ASSERT_TRUE(Good(Keys(guest, "job", "half a line")));
  reply = RunIn(owner, "job", "echo whole");
  EXPECT_EQ(reply.body, "whole") << reply.text;
  EXPECT_TRUE(Shows(reply, "half a line")) << reply.text;
}

TEST_F(PrivateServers, SecretsAndAnswersReachASessionOfAnother) {
  McpClient* owner = Start();
  McpClient* guest = Start();
  ASSERT_TRUE(Good(Open(
      owner, "job",
      {"bash", "-c",
       "read -p 'Start? ' x; echo \"[$x]\"; read -sp 'Password: ' p; echo; "
       "echo \"size ${#p}\"; cat"})));
  // No secret is typed where it would be shown.
  Json secret = {{"secret", "hidden-word"}};
  Reply reply = guest->Call(
      "term_send", {{"session", "job"}, {"input", Json::array({secret})}});
  EXPECT_TRUE(reply.is_error) << reply.text;
  EXPECT_TRUE(Shows(reply, "password prompt")) << reply.text;
  reply = guest->Call(
      "term_send",
      {{"session", "job"},
       {"input", "yes\n"},
       {"answers", {{{"when", "Password"}, {"input", Json::array({secret})}}}},
       {"until", {{"text", "size"}}},
       {"timeout_s", 30}});
  EXPECT_TRUE(Shows(reply, "[yes]")) << reply.text;
  EXPECT_TRUE(Shows(reply, "size 11")) << reply.text;
  EXPECT_TRUE(FilesWith(state_.path(), "hidden-word").empty());
}

TEST_F(PrivateServers,
       AWaitGoesOnWhenTheOwnerIsKilledAndTheSessionIsTakenOver) {
  McpClient* owner = Start();
  McpClient* reader = Start();
  OpenWaiting(owner, "job");
  ASSERT_TRUE(Shows(reader->Call("term_read", {{"session", "job"}}), "early"));
  int wait = reader->SendCall("term_wait", UntilText("job", "late"));
  Kill(owner);
  Go();
  EXPECT_TRUE(Shows(reader->Await(wait), "late"));
  // From the next call on it is the reader's own.
  EXPECT_TRUE(Good(Keys(reader, "job", "typed<Enter>")));
  EXPECT_TRUE(SeesOnScreen(reader, "job", "typed"));
  EXPECT_FALSE(Shows(reader->Call("term_list"), "another server"));
}

TEST_F(PrivateServers, AWaitEndsWithTheSessionOfAnOwnerThatEnds) {
  McpClient* owner = Start();
  McpClient* reader = Start();
  OpenWaiting(owner, "job");
  ASSERT_TRUE(Good(reader->Call("term_read", {{"session", "job"}})));
  int wait = reader->SendCall("term_wait", UntilText("job", "late"));
  Leave(owner);
  Reply ended = reader->Await(wait);
  EXPECT_FALSE(ended.is_error) << ended.text;
  EXPECT_TRUE(Shows(ended, "signal=")) << ended.text;
  EXPECT_TRUE(Shows(ReadAll(reader, "job"), "early"));
}

// Each of several servers, which begin and end in some order.
class ManyPrivateServers : public PrivateServers,
                           public ::testing::WithParamInterface<int> {
 protected:
  // Checks what each server does while the others of `names` run.
  void WorksBeside(McpClient* client, const std::string& own,
                   const std::vector<std::string>& names) {
    Reply run = client->Call("term_run", {{"command", "echo its-$((40 + 2))"}});
    EXPECT_TRUE(Good(run));
    EXPECT_EQ(run.body, "its-42");
    for (const std::string& name : names) {
      EXPECT_TRUE(Shows(ReadAll(client, name), "hello of " + name));
    }
    Keys(client, own, "again<Enter>");
    EXPECT_TRUE(SeesOnScreen(client, own, "again"));
  }
};

TEST_P(ManyPrivateServers, WorkBesideAShellHoweverTheyEnd) {
  std::vector<McpClient*> clients;
  std::vector<std::string> names;
  for (int i = 0; i < GetParam(); ++i) {
    names.push_back("job" + std::to_string(i));
    clients.push_back(Start());
    ASSERT_TRUE(Good(Open(clients.back(), names.back(), {"cat"})));
    Keys(clients.back(), names.back(), "hello of " + names.back() + "<Enter>");
    EXPECT_TRUE(ShellShows({"run", "echo shell"}, "shell"));
  }
  // The first to begin ends first in one half, the last in the other.
  for (int ended = 0; !clients.empty(); ++ended) {
    for (size_t i = 0; i < clients.size(); ++i) {
      WorksBeside(clients[i], names[i], names);
    }
    for (const std::string& name : names) {
      EXPECT_TRUE(
          ShellShows({"read", name, "--mode", "history"}, "hello of " + name));
    }
    EXPECT_TRUE(ShellShows({"run", "echo shell"}, "shell"));
    size_t which = ended % 2 == 0 ? 0 : clients.size() - 1;
    McpClient* client = clients[which];
    std::string name = names[which];
    clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(which));
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(which));
    if (ended % 3 != 2) {
      Leave(client);
    } else {
      Kill(client);
      // Somebody takes over what is left, and nobody is turned away.
      EXPECT_TRUE(
          ShellShows({"read", name, "--mode", "history"}, "hello of " + name));
      EXPECT_TRUE(ShellShows({"close", name}, "closed"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Servers, ManyPrivateServers, ::testing::Values(2, 5));

}  // namespace
}  // namespace glasstty::testing
