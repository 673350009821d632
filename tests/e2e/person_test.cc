// Tests an agent and a person who share a terminal: what the agent is told,
// word by word, and that neither types into what the other has typed.
//
// The person is an observer of the holder here; attach_test.cc has the same
// with `glasstty attach`.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>
#include <regex>
#include <string>

#include "e2e/steps.h"
#include "testing/observer_client.h"
#include "testing/rounds.h"
#include "wire/session_files.h"

namespace glasstty::testing {
namespace {

class Person : public ::testing::Test {
 protected:
  void SetUp() override {
    Json more = {{"env", {{"PS1", "$ "}, {"HISTFILE", ""}}}};
    ASSERT_TRUE(Good(Open(&client_, "main", {"bash", "--norc"}, more)));
    Comes();
  }

  // Somebody begins to watch.
  void Comes() {
    std::string path = SessionDirectory(client_.state_dir(), "main");
    UniqueFd directory(open(path.c_str(), O_PATH | O_DIRECTORY));
    person_.emplace(directory.get());
    ASSERT_TRUE(person_->Greet("attach pts/3"));
  }

  void Takes() {
    ASSERT_TRUE(person_->Take());
    // The server knows it: from here on, calls are refused.
    Reply here = client_.Call("term_wait", {{"until", {{"person", "here"}}}});
    ASSERT_TRUE(Good(here));
  }

  void Gives() {
    person_->Send(wire::Give{});
    ASSERT_TRUE(person_->AwaitLease(0));
  }

  void Types(const std::string& keys) {
    for (char key : keys) person_->Type(std::string(1, key));
  }

  Reply Call(const std::string& tool, Json arguments = Json::object()) {
    arguments["session"] = "main";
    return client_.Call(tool, arguments);
  }

  // Returns the header after its '|', with times as N.
  static std::string Note(const Reply& reply) {
    size_t bar = reply.header.find(" | ");
    if (bar == std::string::npos) return "";
    return std::regex_replace(reply.header.substr(bar + 3),
                              std::regex("\\b[0-9]+ s\\b"), "N s");
  }

  McpClient client_;
  std::optional<ObserverClient> person_;
};

TEST_F(Person, StopsTheAgentWithNothingTyped) {
  Takes();
  const std::string refusal =
      "not typed: a person has the keyboard (attach, N s); term_wait "
      "{\"until\": {\"person\": \"gone\"}} waits until it is free";
  Reply sent = Call("term_send", {{"input", "echo never\n"}});
  EXPECT_TRUE(sent.is_error);
  EXPECT_EQ(Note(sent), refusal);
  EXPECT_EQ(sent.header.find("[main] "), 0u);
  Reply run = Call("term_run", {{"command", "echo never"}});
  EXPECT_TRUE(run.is_error);
  EXPECT_EQ(Note(run), refusal);
  // Reading works as before.
  Reply read = Call("term_read", {{"mode", "snapshot"}});
  EXPECT_TRUE(Shows(read, "| a person has the keyboard (attach, "));
  EXPECT_EQ(read.text.find("never"), std::string::npos);
  Reply list = client_.Call("term_list");
  EXPECT_TRUE(std::regex_search(
      list.text, std::regex("\\[main\\] [a-z()]+ person=attach bash")))
      << list.text;
}

TEST_F(Person, IsSaidInJsonToo) {
  Takes();
  Reply read = Call("term_read", {{"format", "json"}});
  Json facts = read.message["result"]["structuredContent"];
  EXPECT_EQ(facts["person"]["via"], "attach");
  EXPECT_GE(facts["person"]["since_s"].get<int>(), 0);
  Types("ab");
  Gives();
  Call(
      "term_wait",
      {{"until", {{"person", "gone"}}}, {"show", "match"}, {"format", "json"}});
  // That reply has told it.
  read = Call("term_read", {{"format", "json"}});
  facts = read.message["result"]["structuredContent"];
  EXPECT_FALSE(facts.contains("person"));
  EXPECT_FALSE(facts.contains("handed_back"));
}

TEST_F(Person, HandsBackAndTheAgentIsToldOnce) {
  Takes();
  Types("echo from-a-person\n");
  person_->Send(wire::Resize{30, 100});
  ASSERT_TRUE(SeesOnScreen(&client_, "main", "from-a-person"));
  int wait = client_.SendCall(
      "term_wait", {{"session", "main"}, {"until", {{"person", "gone"}}}});
  Gives();
  Reply told = client_.Await(wait);
  EXPECT_TRUE(Good(told));
  EXPECT_EQ(Note(told).find("handed back after N s: a person typed 19 keys, "
                            "size 24x80 -> 30x100; look before you type"),
            0u)
      << told.header;
  EXPECT_EQ(told.header.find("reason="), std::string::npos);
  Reply again = Call("term_read");
  EXPECT_EQ(again.header.find("handed back"), std::string::npos);
  // It is met at once if nobody is there.
  EXPECT_TRUE(Good(Call("term_wait", {{"until", {{"person", "gone"}}}})));
}

TEST_F(Person, AnyOtherReplyTellsToo) {
  Takes();
  Types("x");
  Gives();
  ASSERT_TRUE(
      client_
          .Call("term_wait",
                {{"until", {{"person", "gone"}}}, {"format", "json"}})
          .message["result"]["structuredContent"]["handed_back"]["keys"] == 1);
  Takes();
  Types("\x15");
  person_->Disconnect();
  Reply read;
  ASSERT_TRUE(Eventually(Seconds(10), [&] {
    read = Call("term_read", {{"mode", "snapshot"}});
    return read.header.find("a person has") == std::string::npos;
  }));
  EXPECT_EQ(
      Note(read).find("handed back, because the person's terminal went away, "
                      "after N s: a person typed 1 key"),
      0u)
      << read.header;
}

TEST_F(Person, EndsAPlanInItsMiddle) {
  int call =
      client_.SendCall("term_send", {{"session", "main"},
                                     {"input",
                                      {{{"text", "echo on''e\n"}},
                                       {{"until", {{"text", "the-word"}}}},
                                       {{"text", "echo two\n"}},
                                       {{"text", "echo three\n"}},
                                       {{"text", "echo four\n"}}}}});
  ASSERT_TRUE(SeesOnScreen(&client_, "main", "one"));
  Takes();
  Types("echo the''-word\n");
  Gives();
  Reply reply = client_.Await(call);
  EXPECT_FALSE(reply.is_error) << "a part was typed, and has had effects";
  // The wait may not have begun when the person came.
  EXPECT_TRUE(std::regex_search(
      reply.header,
      std::regex("typed [12] of 5 steps: a person took the keyboard")))
      << reply.header;
  Reply next = Call("term_wait", {{"until", {{"person", "gone"}}}});
  EXPECT_NE((reply.header + next.header).find("a person typed 16 keys"),
            std::string::npos)
      << next.header;
  Reply screen = Call("term_read", {{"mode", "snapshot"}});
  EXPECT_EQ(screen.text.find("echo two"), std::string::npos) << screen.text;
}

TEST_F(Person, MayTypeWhileACommandOfTheAgentRuns) {
  TempDir folder;
  std::string go = folder.Join("go");
  int call = client_.SendCall(
      "term_run", {{"session", "main"},
                   {"command", "echo beg''un; until [ -e " + go +
                                   " ]; do sleep 0.02; done; echo done"}});
  ASSERT_TRUE(SeesOnScreen(&client_, "main", "begun"));
  Takes();
  Types("abc");
  Gives();
  folder.Write("go", "");
  Reply reply = client_.Await(call);
  EXPECT_TRUE(Shows(reply, "a person typed while it ran"));
  EXPECT_TRUE(Shows(reply, "exit=0"));
  // The text at the prompt is not the agent's: the next command displaces it,
  // and the reply says so.
  Reply next = Call("term_run", {{"command", "echo next"}});
  EXPECT_EQ(next.body, "next") << next.text;
}

TEST_F(Person, KeepsTheSessionUnlessForceSaysOtherwise) {
  Takes();
  Reply closed = Call("term_close");
  EXPECT_TRUE(closed.is_error);
  EXPECT_EQ(std::regex_replace(closed.text, std::regex("[0-9]+ s"), "N s"),
            "[main] not closed: a person has the keyboard (attach, N s); "
            "\"force\": true closes it anyway");
  Reply signal = Call("term_close", {{"signal", "INT"}});
  EXPECT_TRUE(signal.is_error);
  EXPECT_TRUE(Shows(signal, "not signalled: a person has the keyboard"));
  EXPECT_TRUE(Shows(Call("term_close", {{"force", true}}), "closed"));
}

TEST_F(Person, IsAskedAndTypesTheSecret) {
  ASSERT_TRUE(Good(Keys(&client_, "main", "read -s -p 'Key: ' x<Enter>")));
  int wait = client_.SendCall("term_wait",
                              {{"session", "main"},
                               {"until", {{"person", "gone"}}},
                               {"ask", "type the\npassphrase of the key"}});
  auto asked = Expect<wire::Asked>(&*person_);
  EXPECT_EQ(asked.text.find("type the"), 0u);
  EXPECT_EQ(asked.text.find('\n'), std::string::npos);
  ASSERT_TRUE(person_->Take(0, wire::kTakeOnce));
  person_->Type("Qx7person94\n", wire::kWriteSecret);
  Reply told = client_.Await(wait);
  EXPECT_TRUE(
      Shows(told, "a person typed the secret; it is in no log and no reply"));
  asked = Expect<wire::Asked>(&*person_);
  EXPECT_EQ(asked.text, "") << "it is no longer asked";
  Reply length = Call("term_run", {{"command", "echo ${#x}"}});
  EXPECT_TRUE(Shows(length, "11"));
  EXPECT_EQ(FilesWith(client_.state_dir(), "Qx7person94").size(), 0u);
}

TEST_F(Person, IsAskedOnlyTogetherWithAWaitForThem) {
  Reply reply =
      Call("term_wait", {{"until", {{"text", "x"}}}, {"ask", "come"}});
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "'ask' needs one session and until {\"person\""));
}

TEST_F(Person, IsKnownToAServerThatComesLater) {
  ServerOptions options;
  options.state_dir = client_.state_dir();
  Takes();
  client_.Signal(SIGKILL);
  ASSERT_TRUE(client_.WaitForExit(Seconds(10)));
  McpClient next(options);
  Reply refused =
      next.Call("term_send", {{"session", "main"}, {"input", "echo never\n"}});
  EXPECT_TRUE(refused.is_error);
  EXPECT_TRUE(Shows(refused, "not typed: a person has the keyboard (attach"));
  Types("echo ty''ped\n");
  Gives();
  Reply told = next.Call(
      "term_wait", {{"session", "main"}, {"until", {{"person", "gone"}}}});
  EXPECT_TRUE(Shows(told, "a person typed 13 keys"));
  Reply after =
      next.Call("term_run", {{"session", "main"}, {"command", "echo after"}});
  EXPECT_EQ(after.body, "after") << after.text;
}

// Somebody has opened the modes of everything that protects the session.
TEST_F(Person, AnotherUserCannotLookOn) {
  if (geteuid() != 0) GTEST_SKIP() << "takes root to be somebody else";
  std::string directory = SessionDirectory(client_.state_dir(), "main");
  std::string socket = directory + "/" + wire::kWatchName;
  for (const std::string& path : {client_.state_dir(), directory, socket}) {
    ASSERT_EQ(chmod(path.c_str(), 0777), 0) << path;
  }
  CommandResult result =
      RunCommand({"python3", "-c",
                  "import os, socket, sys\n"
                  "os.chdir(sys.argv[1]); os.setgid(65534); os.setuid(65534)\n"
                  "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
                  "s.settimeout(20); s.connect('watch')\n"
                  "try: print('got', s.recv(100))\n"
                  "except ConnectionResetError: print('got', b'')\n",
                  directory});
  EXPECT_EQ(result.output, "got b''\n");
}

// Each line that bash gets is wholly the agent's or wholly the person's. A line
// of either is one argument of `say`, which writes what it gets to a file.
TEST_F(Person, NeverTypesIntoALineOfTheAgentNorTheReverse) {
  TempDir folder;
  std::string file = folder.Write("lines", "");
  ASSERT_TRUE(Good(Call(
      "term_run", {{"command", "say() { echo \"$*\" >> " + file + "; }"}})));
  std::mt19937 random(19);
  auto text = [&random](const char* who, int round) {
    return std::string("say ") + who + std::to_string(round) +
           std::string(random() % 300, who[0]) + " end";
  };
  const int rounds = Rounds(25, 100);
  for (int round = 0; round < rounds; ++round) {
    int call =
        client_.SendCall("term_send", {{"session", "main"},
                                       {"input",
                                        {{{"text", text("a", round) + "\n"}},
                                         {{"text", text("a", round) + "\n"}},
                                         {{"text", text("a", round) + "\n"}}}},
                                       {"until", {{"state", "prompt"}}}});
    // The person types before, in the middle or after it.
    if (random() % 2 == 0) {
      std::string seen = ReadWholeFile(file);
      Eventually(Seconds(random() % 3 / 100.0),
                 [&] { return ReadWholeFile(file).size() > seen.size(); });
    }
    ASSERT_TRUE(person_->Take());
    Types(text("p", round) + "\n");
    if (random() % 2 == 0) Types(text("p", round) + "\n");
    Gives();
    client_.Await(call);
  }
  // This runs after everything that was typed.
  Call("term_run", {{"command", "true"}});
  int agent = 0, person = 0;
  for (const std::string& line : Lines(ReadWholeFile(file))) {
    bool whole =
        std::regex_match(line, std::regex("a[0-9]+a* end|p[0-9]+p* end"));
    EXPECT_TRUE(whole) << line;
    (line[0] == 'a' ? agent : person) += 1;
  }
  EXPECT_GE(person, rounds);
  EXPECT_GT(agent, 0);
  RecordProperty("agent", agent);
  RecordProperty("person", person);
}

}  // namespace
}  // namespace glasstty::testing
