// Tests what a place must have: containers of busybox, made of namespaces, each
// of which lacks something. Needs root, who may make them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

// The client runs this in the container, as `docker exec -i` does, with the
// words of a test's line after it. Busybox and, for a build that is linked
// dynamically, the C library are all that there is.
constexpr char kMakeRoot[] = R"sh(
set -e
R=$1; HOLDER=$2
mkdir -p $R/bin $R/proc $R/dev/shm $R/dev/pts $R/tmp $R/root $R/var/tmp $R/etc
chmod 1777 $R/tmp $R/var/tmp
cp "$(command -v busybox)" $R/bin/busybox
ldd $HOLDER $R/bin/busybox 2>/dev/null | grep -o '/[^ ]*' | grep -v ':$' |
while read -r F; do
  [ -f "$F" ] && mkdir -p $R$(dirname $F) && cp -Ln $F $R$F
done
chroot $R /bin/busybox --install -s /bin
echo root:x:0:0:root:/root:/bin/sh >$R/etc/passwd
)sh";

// $1 is the root, $2 what is different in this container.
constexpr char kBegin[] = R"sh(
set -e
R=$1
mount --make-rprivate /
mount --bind $R $R
mount -t tmpfs -o mode=755 dev $R/dev
mkdir -p $R/dev/pts $R/dev/shm
for D in null zero tty urandom; do touch $R/dev/$D; mount --bind /dev/$D $R/dev/$D; done
mount -t devpts -o newinstance,ptmxmode=666 devpts $R/dev/pts
ln -s pts/ptmx $R/dev/ptmx
mount -t tmpfs -o mode=1777 shm $R/dev/shm
mount -t proc proc $R/proc
eval "$2"
touch $3
exec chroot $R /bin/busybox sleep 1000
)sh";

class Container {
 public:
  // Runs `different` in its mount namespace, with its root as $R.
  Container(const std::string& root, const std::string& different) {
    std::string ready = folder_.Join("ready");
    pid_ = fork();
    if (pid_ == 0) {
      int log = open(folder_.Join("log").c_str(), O_CREAT | O_WRONLY, 0600);
      dup2(log, STDOUT_FILENO);
      dup2(log, STDERR_FILENO);
      execlp("unshare", "unshare", "--mount", "--pid", "--fork", "--kill-child",
             "sh", "-c", kBegin, "x", root.c_str(), different.c_str(),
             ready.c_str(), nullptr);
      _exit(127);
    }
    bool runs = Eventually(Seconds(10), [&] {
      if (access(ready.c_str(), F_OK) != 0) return false;
      std::istringstream found(
          RunCommand({"pgrep", "-P", std::to_string(pid_)}).output);
      return static_cast<bool>(found >> init_);
    });
    if (!runs) problem_ = "no: " + ReadWholeFile(folder_.Join("log"));
  }
  ~Container() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  // Empty if it runs.
  const std::string& problem() const { return problem_; }
  // Returns a client for term_open. Programs get only `environment`.
  std::vector<std::string> Client(std::vector<std::string> environment) const {
    std::vector<std::string> words = {
        "nsenter",  "-t",       std::to_string(init_),
        "-m",       "-p",       "-r",
        "-w",       "/bin/env", "-i",
        "PATH=/bin"};
    words.insert(words.end(), environment.begin(), environment.end());
    return words;
  }
  // Returns what `line` prints there.
  std::string Run(const std::string& line) const {
    std::vector<std::string> words = Client({});
    words.insert(words.end(), {"/bin/busybox", "sh", "-c", line});
    return RunCommand(words).output;
  }

 private:
  TempDir folder_;
  pid_t pid_ = -1;
  pid_t init_ = -1;
  std::string problem_;
};

class FarContainer : public ::testing::Test {
 protected:
  void SetUp() override {
    if (RunCommand({"unshare", "--mount", "--pid", "--fork", "true"}).status !=
        0) {
      GTEST_SKIP() << "takes root, and a machine on which it may unshare";
    }
    CommandResult made = RunCommand(
        {"sh", "-c", kMakeRoot, "x", root_.Join("new"), HolderPath()});
    ASSERT_EQ(made.status, 0) << made.output;
    Tidy();
    ServerOptions options;
    options.state_dir = state_.path();
    client_ = std::make_unique<McpClient>(options);
  }
  // Restores the root to its initial state, with no container in it.
  void Tidy() {
    container_.reset();
    CommandResult made = RunCommand({"sh", "-c", "rm -rf $1 && cp -a $2 $1",
                                     "x", root_.Join("r"), root_.Join("new")});
    ASSERT_EQ(made.status, 0) << made.output;
  }
  void Begin(const std::string& different) {
    container_ = std::make_unique<Container>(root_.Join("r"), different);
    ASSERT_EQ(container_->problem(), "");
  }
  Reply OpenIn(std::vector<std::string> environment) {
    return Open(client_.get(), "in", {"/bin/busybox", "sh"},
                {{"on", container_->Client(std::move(environment))},
                 {"env", {{"PS1", "$ "}}}});
  }
  void End() {
    client_->Call("term_close", {{"all", true}, {"force", true}});
    client_->Call("term_close", {{"session", "@nsenter"}});
  }
  // Returns where our program is there.
  std::string Found() {
    std::string found = container_->Run(
        "find / -xdev -name holder-\\* 2>/dev/null; "
        "for D in root tmp var/tmp dev/shm; do "
        "find /$D -name holder-\\* 2>/dev/null; done");
    std::istringstream lines(found);
    std::string line;
    std::getline(lines, line);
    return line.substr(0, line.rfind('/'));
  }

  TempDir root_;
  TempDir state_;
  std::unique_ptr<Container> container_;
  std::unique_ptr<McpClient> client_;
};

constexpr char kNoexec[] = "mount -t tmpfs -o noexec,mode=1777 t $R";
std::string Noexec(const std::vector<std::string>& directories) {
  std::string lines;
  for (const std::string& one : directories) lines += kNoexec + one + "; ";
  return lines;
}

TEST_F(FarContainer, TheFirstDirectoryThatMayHoldAProgramIsTaken) {
  const std::string kReadOnly = "mount -o remount,bind,ro $R $R";
  struct Row {
    std::string different;
    std::vector<std::string> environment;
    std::string directory;
  };
  const std::vector<Row> rows = {
      {":", {"HOME=/root"}, "/root/.cache/glasstty"},
      {":", {}, "/tmp/glasstty-0/glasstty"},
      {":", {"HOME=/nowhere", "TMPDIR=/var/tmp"}, "/nowhere/.cache/glasstty"},
      {Noexec({"/root"}), {"HOME=/root"}, "/tmp/glasstty-0/glasstty"},
      {Noexec({"/root", "/tmp", "/var/tmp"}),
       {"HOME=/root"},
       "/dev/shm/glasstty-0/glasstty"},
      {kReadOnly, {"HOME=/root"}, "/dev/shm/glasstty-0/glasstty"},
      // There is room for the probe, and for nothing else.
      {"mount -t tmpfs -o size=64k t $R/root",
       {"HOME=/root"},
       "/tmp/glasstty-0/glasstty"},
  };
  for (const Row& row : Sample(rows, 3)) {
    SCOPED_TRACE(row.different);
    Begin(row.different);
    Reply opened = OpenIn(row.environment);
    ASSERT_TRUE(Good(opened));
    Json run = {{"session", "in"}, {"command", "echo $((6*7)); false"}};
    Reply ran = client_->Call("term_run", run);
    EXPECT_TRUE(Shows(ran, "exit=1"));
    EXPECT_EQ(ran.body, "42");
    EXPECT_EQ(Found(), row.directory);
    End();
    Tidy();
  }
}

TEST_F(FarContainer, WhatIsMissingThereIsSaid) {
  const std::string kAll = Noexec({"/root", "/tmp", "/var/tmp", "/dev/shm"});
  auto uname = [](const std::string& system) {
    return "rm $R/bin/uname; printf \"#!/bin/sh\\necho " + system +
           "\\n\" >$R/bin/uname; chmod 755 $R/bin/uname";
  };
  struct Row {
    std::string different;
    std::string words;
  };
  const std::vector<Row> rows = {
      {kAll, "no directory there may hold a program"},
      {"umount $R/dev/shm; mount -o remount,ro $R/dev; "
       "mount -o remount,bind,ro $R $R",
       "Set GLASSTTY_FAR_DIR to one that may"},
      {Noexec({"/root", "/var/tmp", "/dev/shm"}) +
           "mount -t tmpfs -o size=64k t $R/tmp",
       "there is no room there for a program of 1 MB"},
      {"umount $R/proc", "there is no /proc there"},
      {"umount $R/dev/pts; rm $R/dev/ptmx", "no pseudoterminal"},
      {uname("Darwin arm64"),
       "Linux on x86_64 or aarch64 is needed there, it is \"Darwin arm64\""},
      {uname("Linux riscv64"),
       "Linux on x86_64 or aarch64 is needed there, it is \"Linux riscv64\""},
      {uname("MINGW64_NT-10.0 x86_64"), "it is \"MINGW64_NT-10.0 x86_64\""},
      {uname("Linux aarch64"), "this installation has no program for aarch64"},
      {"rm $R/bin/sh", "can't execute 'sh': No such file or directory"},
  };
  for (const Row& row : Sample(rows, 3)) {
    SCOPED_TRACE(row.different);
    Begin(row.different);
    Reply refused = OpenIn({"HOME=/root"});
    EXPECT_TRUE(refused.is_error);
    EXPECT_TRUE(Shows(refused, row.words));
    End();
    Tidy();
  }
}

}  // namespace
}  // namespace glasstty::testing
