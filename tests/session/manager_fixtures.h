// A session manager on a state directory of its own, with real holders and a
// manual clock.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/fd.h"
#include "session/session_manager.h"
#include "testing/system.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::testing {

using session::SessionRef;

namespace fs = std::filesystem;

class SessionManagerTest : public ::testing::Test {
 protected:
  SessionManagerTest() {
    std::string path = (fs::temp_directory_path() / "manager-XXXXXX").string();
    base_ = mkdtemp(path.data());
    setenv("GLASSTTY_STATE_DIR", base_.c_str(), 1);
    // Never reached.
    setenv("GLASSTTY_HOLDER", "/bin/false", 1);
  }
  ~SessionManagerTest() override {
    unsetenv("GLASSTTY_STATE_DIR");
    unsetenv("GLASSTTY_HOLDER");
    RemoveAll(base_);
  }

  std::string base_;
  ManualClock clock_;
  Loop loop_{&clock_};
};

class LiveSessions : public SessionManagerTest {
 protected:
  LiveSessions() {
    std::string holder = BuildPath("src/ptyhost/far/glasstty-holder");
    setenv("GLASSTTY_HOLDER", holder.c_str(), 1);
  }
  ~LiveSessions() override {
    if (!manager_) return;
    for (const SessionRef& session : manager_->All()) {
      if (!session->finished()) End(session);
    }
  }

  void Begin(const session::SessionSettings& settings) {
    manager_.emplace(&loop_, settings);
    ASSERT_TRUE(manager_->Prepare().ok());
  }
  SessionRef Open(const std::string& name, bool keep = false) {
    auto session =
        manager_->Open(name, {.argv = {"cat"}, .cwd = "/", .keep = keep});
    EXPECT_TRUE(session.ok()) << session.status();
    Until([&] { return (*session)->life().started(); });
    return *session;
  }
  void End(const SessionRef& session) {
    session->Close(std::chrono::seconds(1), true, true);
    Until([&] { return session->finished(); });
  }
  void Until(const std::function<bool()>& condition) {
    EXPECT_TRUE(Eventually(Seconds(20), [&] {
      loop_.RunReady();
      return condition();
    }));
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const SessionRef& session : manager_->All()) {
      names.push_back(session->name());
    }
    return names;
  }
  void Advance(Duration by) {
    clock_.Advance(by);
    loop_.RunReady();
  }

  std::optional<session::SessionManager> manager_;
};

// A process that ends loses its memory, and with it the mark that
// ProcessesWith looks for, before its sockets are closed; then it is a zombie.
inline bool IsDead(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string stat;
  std::getline(file, stat);
  size_t name_end = stat.rfind(") ");
  return name_end == std::string::npos || stat[name_end + 2] == 'Z';
}

// Sessions on other machines, which are this one: their clients run the line
// that they are given.
class SessionsElsewhere : public LiveSessions {
 protected:
  SessionsElsewhere() {
    setenv("GLASSTTY_FAR_DIR", (base_ + "/far").c_str(), 1);
    Begin({});
  }
  ~SessionsElsewhere() override {
    manager_.reset();
    KillAll();
    unsetenv("GLASSTTY_FAR_DIR");
  }

  void KillAll() {
    std::set<pid_t> killed;
    EXPECT_TRUE(Eventually(Seconds(20), [&] {
      std::vector<ProcessRow> left = ProcessesWith(base_);
      for (const ProcessRow& row : left) {
        kill(row.pid, SIGKILL);
        killed.insert(row.pid);
      }
      return left.empty() && std::all_of(killed.begin(), killed.end(), IsDead);
    }));
  }
  session::ReachedPlace Reach(const std::string& client) {
    place::Place place;
    std::string error;
    EXPECT_TRUE(place::PlaceOfPrefix({client}, &place, &error)) << error;
    auto reached = manager_->remote()->Reach(place);
    EXPECT_TRUE(reached.ok()) << reached.status();
    return *reached;
  }
  SessionRef OpenThere(const std::string& client) {
    session::PlaceLink* link = Reach(client).link.get();
    Until([link] { return link->up(); });
    auto session =
        manager_->Open("on-" + client, {.argv = {"cat"}, .cwd = "/"}, link);
    EXPECT_TRUE(session.ok()) << session.status();
    Until([&] { return (*session)->life().started(); });
    return *session;
  }
  // As a command of term_run whose shell has not read them. Returns their file.
  static std::string LeaveVariables(const session::Session& session) {
    std::string file =
        session.origin().directory_there + "/" + wire::kEnvironmentName;
    std::ofstream(file) << "TOKEN=x";
    return file;
  }
  // As another server does; the relay of the only place stays meanwhile.
  UniqueFd ConnectToRelay() {
    const fs::path place = *fs::directory_iterator(base_ + "/places");
    UniqueFd directory(open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    UniqueFd connection = wire::ConnectHolder(directory.get());
    EXPECT_TRUE(connection.valid());
    return connection;
  }
  std::vector<int> ClientPids() {
    std::vector<int> pids;
    for (const session::ReachedPlace& place : manager_->remote()->places()) {
      Until([&] { return place.client->life().started(); });
      pids.push_back(place.client->life().leader_pid());
    }
    return pids;
  }
  // Those that live.
  std::vector<std::string> Clients() {
    std::vector<std::string> names;
    for (const SessionRef& session : manager_->All()) {
      bool is_client = session->name()[0] == '@' && !session->finished();
      if (is_client) names.push_back(session->name());
    }
    return names;
  }
};

}  // namespace glasstty::testing
