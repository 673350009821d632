// Kills or freezes every part of a connection over sshd, at random moments of
// floods and of typing.
//
// GLASSTTY_STORM_ROUNDS=200 plays 200 rounds of each (2; 4 in a long run), and
// GLASSTTY_STORM_SEED=2 chooses other moments.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "e2e/far_world.h"
#include "e2e/ssh_server.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

using SteadyClock = std::chrono::steady_clock;

enum class Part { kClient, kSshd, kFarRelay, kNearRelay, kServer };
constexpr const char* kPartNames[] = {"client", "sshd", "far relay",
                                      "near relay", "server"};

int Setting(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::atoi(value) : otherwise;
}

class FarStorm : public FarWorld {
 protected:
  std::vector<std::string> Environment() const override {
    // All output is examined, even in the last of many rounds.
    return {"GLASSTTY_GRACE_S=60", "GLASSTTY_LOG_MIB=4096",
            "GLASSTTY_STATE_MIB=8192",
            "PATH=" + ssh_.bin() + ":" + std::getenv("PATH"),
            "GLASSTTY_FAR_DIR=" + there_.path()};
  }

  // A holder over there would outlive the test by hours.
  void TearDown() override {
    EXPECT_TRUE(Eventually(Seconds(60), [this] {
      client_->Call("term_close", {{"all", true}, {"force", true}});
      return LiveHolders(there_.Join("glasstty/sessions")).empty();
    }));
  }

  int Random(int below) {
    return static_cast<int>(random_() % static_cast<unsigned>(below));
  }

  // A moment is random by its time alone.
  static void Linger(double seconds) {
    Eventually(Seconds(seconds), [] { return false; });
  }

  // Returns the processes that are this part now.
  std::vector<pid_t> Of(Part part) const {
    std::vector<pid_t> pids;
    switch (part) {
      case Part::kClient:
        return ssh_.Clients();
      case Part::kSshd:
        return ssh_.Connections();
      case Part::kFarRelay:
        for (const ProcessRow& end : FarEnds()) pids.push_back(end.pid);
        return pids;
      case Part::kNearRelay:
        if (auto pid = NearRelay()) pids.push_back(*pid);
        return pids;
      case Part::kServer:
        return {client_->pid()};
    }
    return {};
  }

  // Kills or freezes a part of the connection.
  void Strike() {
    part_ = static_cast<Part>(Random(5));
    kills_ = Random(2) == 0;
    struck_ = Of(part_);
    for (pid_t pid : struck_) kill(pid, kills_ ? SIGKILL : SIGSTOP);
    what_ = std::string(kills_ ? "kill " : "stop ") +
            kPartNames[static_cast<int>(part_)];
  }

  // Removes the cause: thaws what was frozen, after a while, and starts the
  // next server.
  void Relieve() {
    if (!kills_) {
      Linger(Random(1500) / 1000.0);
      for (pid_t pid : struck_) kill(pid, SIGCONT);
    } else if (part_ == Part::kServer) {
      client_->WaitForExit(Seconds(10));
      Start();
    }
    relieved_ = SteadyClock::now();
  }

  void TakeTime() {
    auto took = SteadyClock::now() - relieved_;
    took_.push_back(std::chrono::duration<double>(took).count());
  }

  bool ServerDied() const { return kills_ && part_ == Part::kServer; }

  void TellTimes() {
    if (took_.empty()) return;
    std::sort(took_.begin(), took_.end());
    std::printf("back after s: median %.2f, most %.2f\n",
                took_[took_.size() / 2], took_.back());
  }

  SshServer ssh_{"", true};
  const int rounds_ = Setting("GLASSTTY_STORM_ROUNDS", Rounds(2, 4));
  std::mt19937 random_{
      static_cast<unsigned>(Setting("GLASSTTY_STORM_SEED", 1))};
  Part part_{};
  bool kills_ = false;
  std::vector<pid_t> struck_;
  std::string what_;  // of this round
  SteadyClock::time_point relieved_;
  std::vector<double> took_;
};

class FarStormFlood : public FarStorm {
 protected:
  struct Flood {
    std::string command;
    std::string prints;
    int status;
  };
  Flood MakeFlood(int round) {
    std::string tag = std::to_string(round);
    int lines = 50'000 + Random(400'000);
    int status = 1 + Random(200);
    std::string prints = "begin" + tag + "\r\n";
    for (int i = 1; i <= lines; ++i) prints += std::to_string(i) + "\r\n";
    // Quoted, so that the echo of the command is not mistaken for its output.
    return {"echo beg''in" + tag + "; seq " + std::to_string(lines) +
                "; echo en''d" + tag + "; (exit " + std::to_string(status) +
                ")",
            prints + "end" + tag + "\r\n", status};
  }

  // Returns the end of a command as the present server reports it.
  Reply EndOf(int call) {
    if (!ServerDied()) return client_->Await(call);
    client_->Call("term_wait", {{"session", "db"},
                                {"until", {{"state", "prompt"}}},
                                {"timeout_s", 50}});
    return client_->Call("term_read", {{"session", "db"}, {"mode", "command"}});
  }
};

TEST_F(FarStormFlood, ArrivesWholeAndEndsAsItDid) {
  ASSERT_EQ(ssh_.problem(), "");
  ASSERT_TRUE(
      Good(client_->Call("term_open", {{"on", "ssh:db"}, {"name", "db"}})));
  for (int round = 0; round < rounds_ && !HasFailure(); ++round) {
    // A part that was struck when everything had arrived may not be back yet.
    Reply back;
    ASSERT_TRUE(Eventually(Seconds(30), [&] {
      back = Run("db", ":");
      return !back.is_error;
    })) << back.text;
    Flood flood = MakeFlood(round);
    size_t from = RawLog(state_.path(), "db").size();
    size_t moment = from + static_cast<size_t>(
                               Random(static_cast<int>(flood.prints.size())));
    int call = client_->SendCall("term_run", {{"session", "db"},
                                              {"command", flood.command},
                                              {"max_lines", 3},
                                              {"timeout_s", 50}});
    ASSERT_TRUE(Eventually(Seconds(30), [&] {
      return RawLog(state_.path(), "db").size() >= moment;
    })) << round;
    Strike();
    SCOPED_TRACE("round " + std::to_string(round) + ": " + what_);
    Relieve();
    EXPECT_TRUE(Shows(EndOf(call), "exit=" + std::to_string(flood.status)));
    std::string log = RawLog(state_.path(), "db");
    size_t at = log.find("begin" + std::to_string(round) + "\r\n", from);
    ASSERT_NE(at, std::string::npos);
    EXPECT_TRUE(log.compare(at, flood.prints.size(), flood.prints) == 0);
  }
}

class FarStormTyping : public FarStorm {
 protected:
  enum class Told { kTyped, kNotTyped, kNothing };
  struct Line {
    std::string text;
    Told told;
  };

  void OpenReader() {
    ASSERT_EQ(ssh_.problem(), "");
    ASSERT_TRUE(Good(client_->Call(
        "term_open",
        {{"on", "ssh:db"},
         {"name", "db"},
         {"argv", {"sh", "-c", "stty -echo; exec cat >> " + file_}},
         {"until", {{"state", "input"}}}})));
  }
  int SendLine(const std::string& line) {
    return client_->SendCall("term_send", {{"session", "db"},
                                           {"input", line + "\n"},
                                           {"until", {{"quiet_s", 0.01}}},
                                           {"timeout_s", 20}});
  }

  // Types lines, and strikes a part in the middle of one of them.
  std::vector<Line> TypeInStorm(int round) {
    constexpr int kLines = 6;
    std::vector<Line> lines;
    int moment = Random(kLines);
    for (int i = 0; i < kLines; ++i) {
      std::string text = "r" + std::to_string(round) + "-" + std::to_string(i);
      int call = SendLine(text);
      bool struck = i == moment;
      if (struck) {
        Linger(Random(8) / 1000.0);
        Strike();
        Relieve();
      }
      Told told = Told::kNothing;
      if (!struck || !ServerDied()) told = ToldBy(client_->Await(call));
      lines.push_back({text, told});
      ++counts_[static_cast<size_t>(told)];
    }
    return lines;
  }
  Told ToldBy(const Reply& reply) {
    if (!reply.is_error) return Told::kTyped;
    EXPECT_TRUE(Shows(reply, "connection"));
    if (reply.text.find("is not known") != std::string::npos) {
      return Told::kNothing;
    }
    return Told::kNotTyped;
  }

  // Later lines have arrived, so everything has that ever will.
  void AwaitBack(int round) {
    std::string last = "last" + std::to_string(round);
    Reply reply;
    ASSERT_TRUE(Eventually(Seconds(30), [&] {
      reply = client_->Await(SendLine(last));
      return !reply.is_error;
    })) << reply.text;
    TakeTime();
    ASSERT_TRUE(Eventually(Seconds(10), [&] {
      return ReadWholeFile(file_).ends_with(last + "\n");
    })) << ReadWholeFile(file_);
  }

  const std::string file_ = there_.Join("typed");
  size_t counts_[3] = {};
};

TEST_F(FarStormTyping, ArrivesOnceOrIsSaidNotToHave) {
  OpenReader();
  for (int round = 0; round < rounds_ && !HasFailure(); ++round) {
    std::vector<Line> typed = TypeInStorm(round);
    SCOPED_TRACE("round " + std::to_string(round) + ": " + what_);
    AwaitBack(round);
    std::vector<std::string> arrived = Lines(ReadWholeFile(file_));
    for (const Line& line : typed) {
      auto times = std::count(arrived.begin(), arrived.end(), line.text);
      EXPECT_LE(times, 1) << line.text;
      if (line.told != Told::kNothing) {
        EXPECT_EQ(times, line.told == Told::kTyped ? 1 : 0) << line.text;
      }
    }
  }
  std::printf("typed %zu, said not to be typed %zu, nothing said %zu\n",
              counts_[0], counts_[1], counts_[2]);
  TellTimes();
}

}  // namespace
}  // namespace glasstty::testing
