// Opening, where the disk refuses. What needs a real holder is tested end to
// end.
#include "session/session_manager.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <filesystem>
#include <string>

#include "support/status.h"

namespace glasstty {
namespace {

namespace fs = std::filesystem;

class SessionManagerTest : public testing::Test {
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
    fs::remove_all(base_);
  }

  std::string base_;
  ManualClock clock_;
  Loop loop_{&clock_};
};

// No later server could take such a session over.
TEST_F(SessionManagerTest, StartsNoSessionWhoseDescriptionCannotBeWritten) {
  SessionManager manager(&loop_, {});
  ASSERT_TRUE(manager.Prepare().ok());
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit none{0, before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &none);
  auto session = manager.Open("", {.argv = {"cat"}});
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_DFL);
  ASSERT_FALSE(session.ok());
  EXPECT_NE(Message(session.status()).find("meta.json"), std::string::npos)
      << session.status();
  EXPECT_TRUE(manager.All().empty());
  for (const auto& entry : fs::directory_iterator(base_)) {
    std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "ended" || name == "claims") << name;
  }
}

}  // namespace
}  // namespace glasstty
