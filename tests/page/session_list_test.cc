// The list of sessions of the page, with real holders and a manual clock.
#include "page/session_list.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "session/manager_fixtures.h"
#include "wire/session_files.h"

namespace glasstty::testing {
namespace {

class SessionListTest : public LiveSessions {
 protected:
  // Returns what the list says about the only session.
  std::string State(const page::SessionList& list) const {
    return list.json().empty() ? "" : list.json()[0].value("state", "");
  }
};

// A session is known a moment before its holder accepts observers. Without a
// connection, a program that has been quiet for a while is taken for one that
// waits for input.
TEST_F(SessionListTest, FindsTheHolderOfASessionThatWasJustBeingOpened) {
  Begin({});
  auto session = manager_->Open("x", {.argv = {"sleep", "1000"}, .cwd = "/"});
  ASSERT_TRUE(session.ok()) << session.status();
  Until([&] { return (*session)->life().started(); });
  const std::string socket =
      base_ + "/" + (*session)->origin().id + "/" + wire::kWatchName;
  const std::string hidden = socket + "-later";
  fs::rename(socket, hidden);
  page::SessionList list(&loop_, [] {});
  list.SetWanted(true);
  Until([&] {
    Advance(std::chrono::seconds(1));
    return State(list) == "input";
  });
  fs::rename(hidden, socket);
  Until([&] {
    Advance(std::chrono::seconds(1));
    return State(list) == "busy";
  });
}

}  // namespace
}  // namespace glasstty::testing
