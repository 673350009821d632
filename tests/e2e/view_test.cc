// Tests the server of the page on which a person watches: addresses it as a
// browser would, and as nobody should.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/secret_prompts.h"
#include "e2e/steps.h"
#include "support/text.h"
#include "testing/http_client.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "testing/source_tree.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

// Runs `glasstty view` beside a server; ended with its owner.
class Viewer {
 public:
  Viewer(const std::string& state_dir, std::vector<std::string> flags) {
    int out[2];
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    std::vector<std::string> words = {BuildPath("src/cli/glasstty"), "view"};
    words.insert(words.end(), flags.begin(), flags.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::string state = "GLASSTTY_STATE_DIR=" + state_dir;
    std::string path = std::string("PATH=") + getenv("PATH");
    std::vector<char*> environment = {state.data(), path.data(), nullptr};
    EXPECT_EQ(posix_spawn(&pid_, words[0].c_str(), &actions, nullptr,
                          argv.data(), environment.data()),
              0);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    FILE* lines = fdopen(out[0], "r");
    char line[256] = {};
    EXPECT_NE(fgets(line, sizeof(line), lines), nullptr);
    fclose(lines);
    link_ = line;
    unsigned port = 0;
    char token[64] = {};
    EXPECT_EQ(std::sscanf(line, "http://127.0.0.1:%u/#%63s", &port, token), 2)
        << line;
    port_ = static_cast<uint16_t>(port);
    token_ = token;
  }
  ~Viewer() { End(SIGTERM); }

  void Kill() { End(SIGKILL); }

  uint16_t port() const { return port_; }
  const std::string& token() const { return token_; }
  bool ended() { return waitpid(pid_, nullptr, WNOHANG) == pid_; }

 private:
  void End(int signal) {
    if (pid_ <= 0) return;
    kill(pid_, signal);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

  pid_t pid_ = -1;
  uint16_t port_ = 0;
  std::string link_;
  std::string token_;
};

class View : public ::testing::Test {
 protected:
  void Begin(std::vector<std::string> flags = {}) {
    viewer_ = std::make_unique<Viewer>(client_.state_dir(), std::move(flags));
    own_ = absl::StrFormat("http://127.0.0.1:%d", viewer_->port());
  }

  CommandResult NewLink() {
    return RunCommand({BuildPath("src/cli/glasstty"), "view", "--new-link"},
                      {"GLASSTTY_STATE_DIR=" + client_.state_dir()});
  }

  // Posts like the page's own script. Empty parts are left out.
  HttpAnswer Post(const std::string& path, const Json& body) {
    return Ask("POST", path, DumpJson(body));
  }
  HttpAnswer Ask(const std::string& method, const std::string& path,
                 const std::string& body = "") {
    return AskHttp(viewer_->port(), Request(method, path, body));
  }
  std::string Request(const std::string& method, const std::string& path,
                      const std::string& body = "") const {
    std::string host =
        host_.empty() ? own_.substr(std::string("http://").size()) : host_;
    std::string head =
        method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n";
    if (!key_.empty()) head += "Authorization: Bearer " + key_ + "\r\n";
    head += more_;
    std::string origin = origin_.value_or(method == "POST" ? own_ : "");
    if (!origin.empty()) head += "Origin: " + origin + "\r\n";
    if (method == "POST") head += "Content-Type: " + type_ + "\r\n";
    return head + absl::StrFormat("Content-Length: %d\r\n\r\n", body.size()) +
           body;
  }

  void Enter() {
    HttpAnswer answer = Post("/api/enter", {{"token", viewer_->token()}});
    ASSERT_EQ(answer.status, 200) << answer.body;
    Json pass = ParseJson(answer.body).value();
    key_ = pass["key"];
    proof_ = pass["proof"];
  }
  // Opens the stream and shows the session.
  void Show(const std::string& name) {
    stream_ = std::make_unique<JsonStream>(viewer_->port(),
                                           Request("GET", "/api/stream"));
    auto hello = stream_->Await("t", "hello");
    ASSERT_TRUE(hello);
    page_ = (*hello)["page"];
    std::string id;
    while (id.empty()) {
      auto list = stream_->Await("t", "list");
      ASSERT_TRUE(list);
      for (const Json& one : (*list)["sessions"]) {
        if (one["name"] == name) id = one["id"];
      }
    }
    session_ = id;
    HttpAnswer answer = Do("watch", {{"session", id}});
    ASSERT_EQ(answer.status, 200) << answer.body;
  }
  HttpAnswer Do(const std::string& action, Json body = Json::object()) {
    body["page"] = page_;
    return Post("/api/" + action, body);
  }
  // Waits until `text` is on the screen that the page has been told.
  bool Sees(const std::string& text) {
    for (;;) {
      auto screen = stream_->Await("t", "screen");
      if (!screen) return false;
      TakeRows(*screen);
      for (const auto& [number, row] : rows_) {
        if (row.find(text) != std::string::npos) return true;
      }
    }
  }

  // Waits until the page has been told `wanted`.
  ::testing::AssertionResult Becomes(const std::vector<std::string>& wanted) {
    while (Rows() != wanted) {
      auto screen = stream_->Await("t", "screen");
      if (!screen) {
        return ::testing::AssertionFailure() << Join(Rows()) << "instead of\n"
                                             << Join(wanted);
      }
      TakeRows(*screen);
    }
    return ::testing::AssertionSuccess();
  }
  std::vector<std::string> Rows() const {
    std::vector<std::string> rows;
    for (const auto& [number, row] : rows_) {
      rows.resize(static_cast<size_t>(number) + 1);
      rows.back() = TrimTrailingBlanks(row);
    }
    while (!rows.empty() && rows.back().empty()) rows.pop_back();
    return rows;
  }
  void TakeRows(const Json& screen) {
    // The first rows may have left the screen by its top.
    std::map<int, std::string> before = std::exchange(rows_, {});
    int moved = screen["top"].get<int>() - std::exchange(top_, screen["top"]);
    for (auto& [number, row] : before) {
      bool stays = screen["whole"] == false && number >= moved;
      if (stays) rows_[number - moved] = std::move(row);
    }
    for (const auto& [number, runs] : screen["rows"].items()) {
      std::string row;
      for (const Json& run : runs) row += run[0].get<std::string>();
      rows_[std::stoi(number)] = row;
    }
  }

  McpClient client_;
  std::unique_ptr<Viewer> viewer_;
  std::string own_;
  std::string host_;                   // empty: the right one
  std::string key_;                    // empty: not let in yet
  std::string proof_;                  // identifies the server
  std::string more_;                   // headers
  std::optional<std::string> origin_;  // nullopt: the right one
  std::string type_ = "application/json";
  std::unique_ptr<JsonStream> stream_;
  std::string page_;
  std::string session_;  // the id of what it shows
  std::map<int, std::string> rows_;
  int top_ = 0;  // the number of the first of them
};

TEST_F(View, ShowsWhatTheAgentsTerminalShows) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"sh", "-c", "echo early; cat"})));
  ASSERT_TRUE(SeesOnScreen(&client_, "main", "early"));
  Begin();
  Enter();
  Show("main");
  EXPECT_TRUE(Sees("early"));
  ASSERT_TRUE(Good(Keys(&client_, "main", "late<Enter>")));
  EXPECT_TRUE(Sees("late"));
}

TEST_F(View, APersonTakesTheKeyboardTypesAndGivesItBack) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"cat"})));
  Begin();
  Enter();
  Show("main");
  EXPECT_EQ(Do("keys", {{"keys", {{{"text", "early"}}}}}).status, 409);
  EXPECT_EQ(Do("take").status, 200);
  ASSERT_TRUE(stream_->Await("mine", true));
  EXPECT_EQ(Do("keys", {{"keys", {{{"text", "by hand"}}, {{"key", "Enter"}}}}})
                .status,
            200);
  EXPECT_TRUE(Sees("by hand"));
  EXPECT_EQ(Do("keys", {{"keys", {{{"key", "Etner"}}}}}).status, 400);
  // The agent's input does not get in between.
  Reply refused = Keys(&client_, "main", "agent<Enter>");
  EXPECT_TRUE(refused.is_error || Shows(refused, "person"));
  EXPECT_EQ(Do("give").status, 200);
  ASSERT_TRUE(stream_->Await("mine", false));
  ASSERT_TRUE(Good(Keys(&client_, "main", "agent again<Enter>")));
  EXPECT_TRUE(Sees("agent again"));
  EXPECT_EQ(RawLog(client_.state_dir(), "main").find("early"),
            std::string::npos);
}

TEST_F(View, AMouseThatAPersonMovesIsNoTyping) {
  ASSERT_TRUE(
      Good(Open(&client_, "main",
                {"sh", "-c", "printf '\\033[?1003h\\033[?1006hready'; cat -v"},
                {{"until", {{"text", "ready"}}}})));
  Begin();
  Enter();
  Show("main");
  EXPECT_EQ(Do("take").status, 200);
  ASSERT_TRUE(stream_->Await("mine", true));
  EXPECT_EQ(Do("mouse", {{"action", "press"}, {"row", 1}, {"col", 2}}).status,
            200);
  EXPECT_TRUE(Sees("[<0;3;2M"));
  EXPECT_EQ(Do("give").status, 200);
  ASSERT_TRUE(stream_->Await("mine", false));
  Reply told = Keys(&client_, "main", "agent<Enter>");
  EXPECT_TRUE(Shows(told, "a person typed nothing")) << told.text;
}

TEST_F(View, ASecretReachesTheProgramAndNothingElse) {
  constexpr char kSecret[] = "correct horse 4711";
  ASSERT_TRUE(Good(Open(&client_, "main",
                        {"bash", "-c",
                         "read -sp 'Password: ' p; echo; echo got ${#p}; "
                         "cat"})));
  Begin();
  Enter();
  Show("main");
  auto facts = stream_->Await("state", "secret");
  ASSERT_TRUE(facts);
  // Another question may stand there by the time that an answer comes.
  EXPECT_EQ(Do("secret", {{"text", "early"}, {"prompt", "1:2"}}).status, 409);
  Json answer = {{"text", kSecret}, {"prompt", (*facts)["prompt"]}};
  EXPECT_EQ(Do("secret", answer).status, 200);
  EXPECT_TRUE(Sees("got 18"));
  EXPECT_EQ(Do("secret", answer).status, 409);
  // A terminal that shows what is typed gets none.
  ASSERT_TRUE(stream_->Await("state", "input"));
  EXPECT_EQ(Do("secret", {{"text", kSecret}, {"prompt", ""}}).status, 200);
  auto refused = stream_->Await(
      "refused", "the terminal is no longer at a password prompt");
  EXPECT_TRUE(refused);
  EXPECT_EQ(FilesWith(client_.state_dir(), kSecret),
            std::vector<std::string>());
}

class ViewSecret : public View,
                   public ::testing::WithParamInterface<SecretPrompt> {};

TEST_P(ViewSecret, IsTypedIntoTheMaskedField) {
  TempDir folder;
  OpenSecretPrompt(&client_, GetParam(), folder.path());
  Begin();
  Enter();
  Show("main");
  auto facts = stream_->Await("state", "secret");
  ASSERT_TRUE(facts);
  EXPECT_EQ(
      Do("secret", {{"text", kSecretValue}, {"prompt", (*facts)["prompt"]}})
          .status,
      200);
  ASSERT_TRUE(SeesOnScreen(&client_, "main", GetParam().answer));
  EXPECT_EQ(stream_->received().find(kSecretValue), std::string::npos);
  ExpectSecretNowhere(&client_);
}

INSTANTIATE_TEST_SUITE_P(All, ViewSecret, ::testing::ValuesIn(SecretPrompts()),
                         [](const auto& prompt) { return prompt.param.name; });

// Each line that the shell gets is wholly the agent's or wholly the person's.
TEST_F(View, NeverTypesIntoALineOfTheAgentNorTheReverse) {
  TempDir folder;
  std::string file = folder.Write("lines", "");
  ASSERT_TRUE(Good(Open(&client_, "main", {"bash", "--norc"})));
  client_.Call("term_run",
               {{"session", "main"},
                {"command", "say() { echo \"$*\" >> " + file + "; }"}});
  Begin();
  Enter();
  Show("main");
  std::mt19937 random(3);
  const int rounds = Rounds(25, 100);
  for (int round = 0; round < rounds; ++round) {
    std::string number = std::to_string(round);
    int call = SendAgentLines(&client_, number, random() % 200);
    // Every third time, wait until the agent is in the middle of it.
    if (round % 3 == 0) {
      ASSERT_TRUE(Eventually(Seconds(20), [&] {
        return ReadWholeFile(file).find("a" + number) != std::string::npos;
      })) << round;
    }
    EXPECT_EQ(Do("take").status, 200);
    ASSERT_TRUE(stream_->Await("mine", true));
    std::string mine =
        "say p" + number + std::string(random() % 200, 'p') + " end";
    for (size_t at = 0; at < mine.size(); at += 50) {
      EXPECT_EQ(
          Do("keys", {{"keys", {{{"text", mine.substr(at, 50)}}}}}).status,
          200);
    }
    Do("keys", {{"keys", {{{"key", "Enter"}}}}});
    EXPECT_EQ(Do("give").status, 200);
    ASSERT_TRUE(stream_->Await("mine", false));
    client_.Await(call);
  }
  client_.Call("term_run", {{"session", "main"}, {"command", "true"}});
  int of_agent = ExpectWholeLines(file, rounds);
  // If the person came first, or in between, nothing (more) was typed.
  EXPECT_LT(of_agent, 200);
}

// ---- earlier moments

TEST_F(View, FiftyMomentsOfVimAreThoseOfTermRead) {
  TempDir folder;
  folder.Write("text", "one\ntwo\nthree\nfour\nfive\n");
  ASSERT_TRUE(Good(Open(&client_, "main", {"vim", "--clean", "-n", "text"},
                        {{"cwd", folder.path()}})));
  for (const char* keys : {"dd", "p", "oa new line<Esc>", ":split<Enter>", "G",
                           "yyP", ":set number<Enter>", "/t<Enter>", "<C-w>w",
                           "u", ":q<Enter>", "ggvG"}) {
    // This time line has moments that are far enough from each other.
    ASSERT_TRUE(Good(client_.Call(
        "term_send",
        {{"session", "main"}, {"input", {keys, {{"pause_s", 0.05}}}}})));
  }
  ASSERT_TRUE(Good(Keys(&client_, "main", "<Esc>:qa!<Enter>")));
  client_.Call("term_wait",
               {{"session", "main"}, {"until", {{"state", "exited"}}}});
  Begin();
  Enter();
  Show("main");
  double length =
      ParseJson(Do("moment", {{"at", nullptr}}).body).value()["length"];
  std::mt19937 random(50);
  std::set<std::string> seen;
  for (int i = 0; i < 50; ++i) {
    double at = length * (random() % 1000) / 1000;
    Reply then = client_.Call("term_read",
                              {{"session", "main"},
                               {"mode", "snapshot"},
                               {"at", absl::StrFormat("-%.6fs", length - at)}});
    ASSERT_TRUE(Good(then));
    EXPECT_EQ(Do("moment", {{"at", at}}).status, 200);
    std::vector<std::string> wanted = UnfoldRows(then.body);
    if (then.body == "(blank screen)") wanted.clear();
    ASSERT_TRUE(Becomes(wanted)) << at << " of " << length;
    seen.insert(then.body);
  }
  EXPECT_GE(seen.size(), 5u);
}

TEST_F(View, AnEarlierMomentIsShownAsItWas) {
  ASSERT_TRUE(Good(Open(&client_, "main",
                        {"sh", "-c",
                         "echo first; read x; sleep 0.2; "
                         "clear; echo second; read x"})));
  ASSERT_TRUE(SeesOnScreen(&client_, "main", "first"));
  Begin();
  Enter();
  Show("main");
  ASSERT_TRUE(Sees("first"));
  ASSERT_TRUE(Good(Keys(&client_, "main", "<Enter>")));
  ASSERT_TRUE(Sees("second"));
  HttpAnswer answer = Do("moment", {{"at", nullptr}});
  ASSERT_EQ(answer.status, 200);
  // The second was the last that was printed.
  double length = ParseJson(answer.body).value()["length"];
  EXPECT_EQ(Do("moment", {{"at", length - 0.001}}).status, 200);
  EXPECT_TRUE(Sees("first"));
  EXPECT_EQ(Do("moment", {{"at", nullptr}}).status, 200);
  EXPECT_TRUE(Sees("second"));
  HttpAnswer found = Do("find", {{"text", "SECOND"}});
  EXPECT_NE(found.body.find("second"), std::string::npos) << found.body;
}

TEST_F(View, ALinkIsGoodForOneVisitor) {
  Begin();
  Enter();
  key_.clear();
  HttpAnswer again = Post("/api/enter", {{"token", viewer_->token()}});
  EXPECT_EQ(again.status, 403);
  CommandResult link = NewLink();
  size_t token = link.output.find('#');
  ASSERT_NE(token, std::string::npos) << link.output;
  EXPECT_EQ(
      Post("/api/enter", {{"token", link.output.substr(token + 1, 32)}}).status,
      200);
}

// Says the same to whoever connects, until it is destroyed. It is a process,
// because the program that it fools may wait for it.
class Stranger {
 public:
  Stranger(uint16_t port, const std::string& says) {
    listener_ = UniqueFd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    int on = 1;
    setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address),
                   sizeof address),
              0);
    EXPECT_EQ(listen(listener_.get(), 8), 0);
    pid_ = fork();
    if (pid_ != 0) return;
    for (;;) {
      UniqueFd client(accept(listener_.get(), nullptr, nullptr));
      char request[4096];
      ReadSome(client.get(), request, sizeof request);
      WriteAll(client.get(), says);
    }
  }
  ~Stranger() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

 private:
  UniqueFd listener_;
  pid_t pid_ = -1;
};

TEST_F(View, AStrangerOnThePortOfAKilledPageIsNotAskedForALink) {
  Begin();
  viewer_->Kill();
  Stranger stranger(viewer_->port(),
                    "HTTP/1.1 200 OK\r\n\r\nhttp://127.0.0.1/#owned"
                    "\x1b]52;c;b3duZWQ=\a");
  CommandResult link = NewLink();
  EXPECT_NE(link.status, 0);
  EXPECT_EQ(link.output,
            "glasstty view: no page is running; start `glasstty view`\n");
  // The next page has another port and answers again.
  Begin();
  link = NewLink();
  EXPECT_EQ(link.output.find(own_ + "/#"), 0u) << link.output;
}

TEST_F(View, TheSocketForLinksIsForThisUserAlone) {
  Begin();
  struct stat status;
  std::string path = client_.state_dir() + "/view.socket";
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(View, APageThatTakesInputIsNotPassedOffAsReadOnly) {
  Begin();
  CommandResult again =
      RunCommand({BuildPath("src/cli/glasstty"), "view", "--read-only"},
                 {"GLASSTTY_STATE_DIR=" + client_.state_dir()});
  EXPECT_NE(again.status, 0);
  EXPECT_EQ(again.output.find("http://"), std::string::npos) << again.output;
}

// A page from elsewhere, or a name that was led here, can do each of these.
TEST_F(View, RefusesWhoeverIsNotItsOwnPage) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"cat"})));
  Begin();
  EXPECT_EQ(Ask("GET", "/").status, 200);
  EXPECT_EQ(Ask("GET", "/api/stream").status, 401);
  EXPECT_EQ(Post("/api/watch", {{"session", "x"}}).status, 401);
  Enter();
  for (const char* host : {"rebound.example", "127.0.0.1", "127.0.0.1:1"}) {
    host_ = host;
    EXPECT_EQ(Ask("GET", "/").status, 421) << host;
    EXPECT_EQ(Post("/api/take", Json::object()).status, 421) << host;
  }
  host_.clear();
  for (const char* origin : {"http://evil.example", "null", ""}) {
    origin_ = origin;
    EXPECT_EQ(Post("/api/take", Json::object()).status, 403) << origin;
  }
  origin_ = "http://evil.example";
  EXPECT_EQ(Ask("GET", "/api/stream").status, 401);
  origin_.reset();
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded"}) {
    type_ = type;
    EXPECT_EQ(Post("/api/take", Json::object()).status, 415) << type;
  }
  type_ = "application/json";
  EXPECT_EQ(Ask("POST", "/api/take", "{").status, 400);
  EXPECT_EQ(Post("/api/take", {{"page", "none"}}).status, 409);
  EXPECT_EQ(Post("/api/nothing", Json::object()).status, 404);
  EXPECT_EQ(Ask("GET", "/../etc/passwd").status, 404);
  EXPECT_EQ(Post("/api/link", Json::object()).status, 404);
  for (const char* method :
       {"DELETE", "PUT", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT"}) {
    int status = Ask(method, "/").status;
    EXPECT_TRUE(status == 405 || status == 501) << method << status;
  }
}

TEST_F(View, EveryAnswerForbidsWhatAPageCouldBeMadeToLoad) {
  Begin();
  for (const char* path : {"/", "/page.js", "/page.css", "/api/stream"}) {
    HttpAnswer answer = Ask("GET", path);
    EXPECT_EQ(answer.headers["content-security-policy"].find(
                  "default-src 'none'; script-src 'self'"),
              0u);
    EXPECT_EQ(answer.headers["x-content-type-options"], "nosniff");
    EXPECT_EQ(answer.headers["cache-control"], "no-store");
  }
}

// A limit would let any user of this machine end the page.
TEST_F(View, GuessingEndsNothing) {
  Begin();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(Post("/api/enter", {{"token", std::string(32, '0')}}).status,
              403);
    key_ = std::string(32, '0');
    EXPECT_EQ(Ask("GET", "/api/stream").status, 401);
    key_.clear();
  }
  EXPECT_FALSE(viewer_->ended());
  Enter();
}

// A browser sends cookies to every port of a host, and keeps URLs in its
// history.
TEST_F(View, TheKeyCountsInItsHeaderAlone) {
  Begin();
  HttpAnswer entered = Post("/api/enter", {{"token", viewer_->token()}});
  ASSERT_EQ(entered.status, 200);
  EXPECT_EQ(entered.headers.count("set-cookie"), 0u);
  std::string key = ParseJson(entered.body).value()["key"];
  for (const std::string& name :
       {absl::StrFormat("glasstty_%d", viewer_->port()),
        std::string("glasstty")}) {
    more_ = "Cookie: ";
    more_.append(name).append("=").append(key).append("\r\n");
    EXPECT_EQ(Ask("GET", "/api/stream").status, 401) << more_;
    EXPECT_EQ(Post("/api/take", Json::object()).status, 401) << more_;
  }
  more_.clear();
  for (const char* name : {"key", "token", "authorization", "page"}) {
    EXPECT_EQ(
        Ask("GET", absl::StrFormat("/api/stream?%s=%s", name, key)).status,
        401);
    EXPECT_EQ(
        Ask("GET", absl::StrFormat("/api/picture?%s=%s", name, key)).status,
        401);
    EXPECT_EQ(Post("/api/take", {{name, key}}).status, 401);
  }
  for (const char* value : {"Basic ", "bearer", "", "Bearer  "}) {
    more_ = "Authorization: " + std::string(value) + key + "\r\n";
    EXPECT_EQ(Ask("GET", "/api/stream").status, 401) << more_;
  }
  // A page on another port of this host belongs to the same site.
  key_ = key;
  for (const char* site : {"same-site", "cross-site", "none"}) {
    more_ = absl::StrFormat("Sec-Fetch-Site: %s\r\n", site);
    EXPECT_EQ(Ask("GET", "/api/stream").status, 401) << site;
    EXPECT_EQ(Post("/api/take", Json::object()).status, 401) << site;
  }
  origin_ = absl::StrFormat("http://127.0.0.1:%d", viewer_->port() ^ 1);
  more_.clear();
  EXPECT_EQ(Ask("GET", "/api/stream").status, 401);
  EXPECT_EQ(Post("/api/take", Json::object()).status, 403);
}

TEST_F(View, OnlyItsServerKnowsTheProofThatAPageAwaits) {
  Begin();
  Enter();
  JsonStream stream(viewer_->port(), Request("GET", "/api/stream"));
  auto hello = stream.Await("t", "hello");
  ASSERT_TRUE(hello);
  EXPECT_EQ((*hello)["proof"], proof_);
  EXPECT_NE(proof_, key_);
  EXPECT_EQ((*hello)["read_only"], false);
}

TEST_F(View, WhatIsMeantForOneSessionIsNotTypedIntoAnother) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"cat"})));
  Begin();
  Enter();
  Show("main");
  EXPECT_EQ(Do("take").status, 200);
  ASSERT_TRUE(stream_->Await("mine", true));
  const Json kKeys = {{{"text", "stray"}}};
  for (const char* action :
       {"take", "give", "keys", "paste", "secret", "mouse", "resize"}) {
    Json body = {{"session", "another"}, {"keys", kKeys}, {"text", "stray"}};
    EXPECT_EQ(Do(action, body).status, 409) << action;
  }
  EXPECT_EQ(Do("keys", {{"session", session_}, {"keys", kKeys}}).status, 200);
  EXPECT_EQ(Do("keys", {{"keys", {{{"key", "Enter"}}}}}).status, 200);
  EXPECT_TRUE(Becomes({"stray", "stray"}));
}

TEST_F(View, ReadOnlyIsKeptByTheServer) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"cat"})));
  Begin({"--read-only"});
  Enter();
  Show("main");
  for (const char* action :
       {"take", "give", "keys", "paste", "secret", "mouse", "resize"}) {
    EXPECT_EQ(Do(action).status, 403) << action;
  }
  EXPECT_EQ(Do("moment", {{"at", 0}}).status, 200);
}

// ---- files that a person keeps

TEST_F(View, GivesThePictureAndTheRecordingAsFiles) {
  ASSERT_TRUE(Good(Open(&client_, "a.b", {"sh", "-c", "echo early; cat"})));
  ASSERT_TRUE(SeesOnScreen(&client_, "a.b", "early"));
  Begin();
  EXPECT_EQ(Ask("GET", "/api/picture?page=x").status, 401);
  Enter();
  EXPECT_EQ(Ask("GET", "/api/recording?page=x").status, 409);
  Show("a.b");
  ASSERT_TRUE(Sees("early"));
  HttpAnswer picture = Ask("GET", "/api/picture?light=1&page=" + page_);
  EXPECT_EQ(picture.status, 200) << picture.body;
  EXPECT_EQ(picture.headers["content-type"], "image/png");
  EXPECT_EQ(picture.headers["content-disposition"],
            "attachment; filename=\"a.b.png\"");
  EXPECT_NE(picture.body.find("\x89PNG\r\n"), std::string::npos);
  EXPECT_NE(picture.body.find("IEND"), std::string::npos);
  HttpAnswer recording = Ask("GET", "/api/recording?page=" + page_);
  EXPECT_EQ(recording.status, 200) << recording.body;
  EXPECT_NE(recording.body.find("\"version\":2"), std::string::npos);
  EXPECT_NE(recording.body.find("early"), std::string::npos);
  EXPECT_EQ(recording.headers["content-disposition"],
            "attachment; filename=\"a.b.cast\"");
}

// A client that hangs up in the middle leaves room for others.
TEST_F(View, AFileThatNobodyTakesIsMadeNoLonger) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"sh", "-c", "seq 1000000; cat"})));
  ASSERT_TRUE(SeesOnScreen(&client_, "main", "1000000"));
  Begin();
  Enter();
  Show("main");
  ASSERT_TRUE(Sees("1000000"));
  for (int i = 0; i < 20; ++i) {
    UniqueFd fd = ConnectHttp(viewer_->port());
    ASSERT_TRUE(
        WriteAll(fd.get(), Request("GET", "/api/recording?page=" + page_)));
    char first[1000];
    EXPECT_GT(read(fd.get(), first, sizeof first), 0);
    EXPECT_EQ(std::string(first, 15), "HTTP/1.1 200 OK") << first;
  }
  // Four may be made at once.
  EXPECT_TRUE(Eventually(Seconds(10), [this] {
    return Ask("GET", "/api/picture?page=" + page_).status == 200;
  }));
}

// A program's name and output are data, whatever their wrapping is.
TEST_F(View, HostileTextStaysText) {
  ASSERT_TRUE(Good(Open(&client_, "main",
                        {"printf",
                         "\\033]2;<img onerror=x>\\a"
                         "</script><b>\\033]52;c;eA==\\a"})));
  Begin();
  Enter();
  Show("main");
  EXPECT_TRUE(Sees("</script><b>"));
  EXPECT_TRUE(stream_->Await("title", "<img onerror=x>"));
}

// The page has no links of programs: only their text gets there.
TEST_F(View, ALinkOfTheProgramIsOnlyItsText) {
  ASSERT_TRUE(Good(Open(&client_, "main",
                        {"printf",
                         "\\033]8;;\\152avascript:alert(1)\\033\\\\press me"
                         "\\033]8;;\\033\\\\ then\\n"})));
  Begin();
  Enter();
  Show("main");
  EXPECT_TRUE(Sees("press me then"));
  EXPECT_EQ(stream_->received().find("javascript"), std::string::npos);
}

TEST_F(View, AHostileCommandLineIsListedAsText) {
  ASSERT_TRUE(
      Good(Open(&client_, "main",
                {"sh", "-c", "cat # <script>\x1b]0;owned\a\xe2\x80\xae"})));
  Begin();
  Enter();
  Show("main");
  EXPECT_EQ(stream_->received().find('\x1b'), std::string::npos);
  EXPECT_EQ(stream_->received().find('\a'), std::string::npos);
}

// Its name is in the file.
TEST_F(View, ASessionIsListedWhateverItsFileIsLike) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"cat"})));
  ASSERT_TRUE(Good(Open(&client_, "torn", {"cat"})));
  std::string directory = SessionDirectory(client_.state_dir(), "torn");
  std::ofstream(directory + "/meta.json") << "{\"format\"";
  Begin();
  Enter();
  Show("main");
  EXPECT_NE(
      stream_->received().find(directory.substr(directory.rfind('/') + 1)),
      std::string::npos);
  EXPECT_NE(stream_->received().find("\"state\":\"left\""), std::string::npos);
}

TEST_F(View, OfALineOfAMegabyteOnlyWhatIsAroundAMatchIsSent) {
  ASSERT_TRUE(
      Good(Open(&client_, "main",
                {"sh", "-c",
                 "head -c 500000 /dev/zero | tr '\\0' a; printf NEEDLE; "
                 "head -c 500000 /dev/zero | tr '\\0' b; echo; echo done; cat"},
                {{"until", {{"text", "done"}}}})));
  Begin();
  Enter();
  Show("main");
  ASSERT_TRUE(Sees("done"));
  HttpAnswer found = Do("find", {{"text", "needle"}});
  EXPECT_EQ(found.status, 200);
  EXPECT_NE(found.body.find("aaaNEEDLEbbb"), std::string::npos);
  EXPECT_LT(found.body.size(), 1'000u);
}

TEST_F(View, NothingListensUnlessAskedAndThenOnThisMachineOnly) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"cat"})));
  EXPECT_EQ(TcpListenersOf(client_.state_dir()), std::set<std::string>());
  Begin();
  const std::set<std::string> kLoopback = {"0100007F",
                                           "00000000000000000000000001000000"};
  std::set<std::string> listening = TcpListenersOf(client_.state_dir());
  EXPECT_TRUE(listening.count("0100007F"));
  EXPECT_TRUE(std::includes(kLoopback.begin(), kLoopback.end(),
                            listening.begin(), listening.end()));
}

TEST_F(View, ASessionSurvivesItsWatcher) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"cat"})));
  Begin();
  Enter();
  Show("main");
  EXPECT_EQ(Do("take").status, 200);
  ASSERT_TRUE(stream_->Await("mine", true));
  viewer_.reset();
  EXPECT_TRUE(Eventually(Seconds(10), [this] {
    return !Keys(&client_, "main", "still here<Enter>").is_error;
  }));
  EXPECT_TRUE(SeesOnScreen(&client_, "main", "still here"));
}

}  // namespace
}  // namespace glasstty::testing
