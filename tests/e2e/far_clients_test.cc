// Replaces docker and kubectl by clients that treat a stream as real ones do:
// noise before it, pieces cut anywhere, delays, output that is cut and an exit
// with 0, one direction closed and the other not.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "e2e/far_world.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

// Runs the words after those that it must have been given, and carries the
// streams itself. The file `mode` says how; it is read at each start.
constexpr char kClient[] = R"py(#!/usr/bin/env python3
import os, random, select, struct, subprocess, sys, time
folder = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[0])))
wanted = {
    "docker": ["exec", "-i", "web"],
    "podman": ["exec", "-i", "web"],
    "kubectl": ["--context", "blue", "-n", "shop", "exec", "-i", "web-1", "-c", "app", "--"],
}[os.path.basename(sys.argv[0])]
if sys.argv[1:1 + len(wanted)] != wanted:
    sys.exit("unexpected words: " + " ".join(sys.argv[1:]))
mode = open(folder + "/mode").read().split()
with open(folder + "/starts", "a") as starts:
    starts.write("x")
random.seed(os.path.getsize(folder + "/starts"))
if mode[0] == "refuse":
    sys.exit('Error from server (NotFound): pods "web-1" not found')
def crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF
def frame(kind, payload):
    head = lambda check: struct.pack("=IHHIIQ", len(payload), kind, 0, 0, check, 0)
    return head(crc(head(0) + payload)) + payload
if mode[0] in ("liar", "stranger"):
    token = sys.argv[-1].split(";")[0].split("=")[1].encode()
    hello = b"7\x008\x00" + b"\x00" * 7 + b"0\x00" + b"1\x00"
    os.write(1, b"\n" + token + b"\n" + (frame(1, hello) if mode[0] == "stranger" else b"\xff" * 100))
    os.read(0, 1)
    sys.exit(0)
os.environ["HOME"] = folder
program = subprocess.Popen(sys.argv[1 + len(wanted):], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
source, sink = program.stdout.fileno(), program.stdin.fileno()
if mode[0] == "noise":
    os.write(2, b"Defaulted container \"app\" out of: app, proxy\n")
    os.write(1, b"\x1b[1mWelcome!\x1b[0m\r\nglasstty-\nglasstty-" + b"0" * 32 + b"\nno newline here")
# How many bytes go in front of what happens then.
left = int(mode[1]) + random.randrange(int(mode[1])) if len(mode) > 1 else 1 << 62
watched = [0, source]
while watched:
    for fd in select.select(watched, [], [])[0]:
        data = os.read(fd, 7 if mode[0] == "pieces" else 65536)
        if fd == source:
            last = not data or len(data) >= left
            data = data[:left]
            left -= len(data)
        else:
            last = not data
        if mode[0] == "delays":
            time.sleep(random.random() / 50)
        if data:
            os.write(1 if fd == source else sink, data)
        if not last:
            continue
        if fd == source and left <= 0 and mode[0] == "deaf":
            # It hears nothing any more, but goes on talking.
            os.close(sink)
            watched.remove(0)
            left = 1 << 62
        elif fd == source and left <= 0 and mode[0] == "mute":
            # It says nothing any more, but stays.
            os.close(1)
            watched.remove(source)
        elif fd == source:
            program.kill()
            sys.exit(0)
        else:
            os.close(sink)
            watched.remove(0)
)py";

class FarClients : public FarWorld {
 protected:
  void SetUp() override {
    mkdir(there_.Join("bin").c_str(), 0700);
    for (const char* name : {"docker", "podman", "kubectl"}) {
      std::string path = there_.Write(std::string("bin/") + name, kClient);
      chmod(path.c_str(), 0700);
    }
    Behave("plain");
    Start();
  }
  std::vector<std::string> Environment() const override {
    return {"GLASSTTY_GRACE_S=60",
            "PATH=" + there_.Join("bin") + ":" + std::getenv("PATH")};
  }
  void Behave(const std::string& mode) { there_.Write("mode", mode); }
  size_t Starts() const { return ReadWholeFile(there_.Join("starts")).size(); }
  Reply OpenOn(const std::string& on, const std::string& name) {
    return Open(client_.get(), name, {"bash", "--norc"},
                {{"on", on}, {"env", {{"PS1", "$ "}}}});
  }
  bool Answers(const std::string& name) {
    return Eventually(Seconds(30), [&] {
      return Run(name, "echo still $kept").body == "still there";
    });
  }

  static constexpr int kLines = 300'000;
  Reply Flood(const std::string& name) {
    return Run(name, "seq " + std::to_string(kLines) + "; (exit 9)",
               {{"max_lines", 3}, {"timeout_s", 45}});
  }
  // Returns true if the flood has no hole and nothing twice.
  bool HasFlood(const std::string& name) {
    std::string all;
    for (int i = 1; i <= kLines; ++i) all += std::to_string(i) + "\r\n";
    return RawLog(state_.path(), name).find(all) != std::string::npos;
  }

  static constexpr char kPod[] = "kubectl:blue/shop/web-1/app";
};

TEST_F(FarClients, NoiseInFrontIsNotTakenForOurs) {
  Behave("noise");
  for (const std::string on : {"docker:web", "podman:web", kPod}) {
    ASSERT_TRUE(Good(OpenOn(on, "x")));
    EXPECT_EQ(Run("x", "echo fi''ne").body, "fine");
    ASSERT_TRUE(Good(client_->Call("term_close", {{"session", "x"}})));
  }
}

TEST_F(FarClients, PiecesAndDelaysChangeNothing) {
  for (const std::string mode : {"pieces", "delays"}) {
    Behave(mode);
    std::string on = mode == "pieces" ? "docker:web" : "podman:web";
    ASSERT_TRUE(Good(OpenOn(on, "x")));
    Reply run = Run("x", "seq 20000 | tee /dev/stderr | md5sum; (exit 4)",
                    {{"max_lines", 3}, {"timeout_s", 40}});
    EXPECT_TRUE(Shows(run, "exit=4"));
    std::string all;
    for (int i = 1; i <= 20'000; ++i) all += std::to_string(i) + "\r\n";
    EXPECT_NE(RawLog(state_.path(), "x").find(all), std::string::npos);
    ASSERT_TRUE(Good(client_->Call("term_close", {{"session", "x"}})));
  }
}

// In kubernetes/kubernetes#124571, the output is cut and the client ends with
// 0. The deaf client hears nothing any more, and continues to talk.
TEST_F(FarClients, OutputThatIsCutAndAnExitWithZeroLoseNothing) {
  for (const std::string& mode :
       Sample(std::vector<std::string>{"cut", "deaf"}, 2)) {
    SCOPED_TRACE(mode);
    Behave("plain");
    ASSERT_TRUE(Good(OpenOn(mode == "cut" ? kPod : "podman:web", mode)));
    Run(mode, "kept=there");
    size_t before = Starts();
    // The mode applies from the next start on, and each client carries this
    // much.
    Behave(mode + " 700000");
    ASSERT_TRUE(Cut());
    ASSERT_TRUE(Answers(mode));
    EXPECT_TRUE(Shows(Flood(mode), "] prompt exit=9"));
    EXPECT_TRUE(HasFlood(mode));
    // There is one after the cut, then those during the flood: a deaf one
    // continues to talk, and may carry all that is left of the window.
    EXPECT_GT(Starts(), before + (mode == "cut" ? 2 : 1));
    EXPECT_TRUE(Answers(mode));
    client_->Call("term_close", {{"session", mode}, {"force", true}});
  }
}

// The client stays but is silent, like a dead network.
TEST_F(FarClients, OneThatFallsSilentIsReplacedAfterHalfAMinute) {
  ASSERT_TRUE(Good(OpenOn("docker:web", "x")));
  Run("x", "kept=there");
  Behave("mute 700000");
  ASSERT_TRUE(Cut());
  ASSERT_TRUE(Answers("x"));
  Behave("plain");
  EXPECT_TRUE(Shows(Flood("x"), "] prompt exit=9"));
  EXPECT_TRUE(HasFlood("x"));
}

// It is not asked again and again.
TEST_F(FarClients, AnOtherEndThatCannotBeBelievedIsSaidToBeSo) {
  Behave("liar");
  Reply lied = OpenOn("docker:web", "x");
  EXPECT_TRUE(lied.is_error);
  EXPECT_TRUE(
      Shows(lied,
            "on docker:web: the other end sent something invalid: a frame "
            "is too long"));
  EXPECT_EQ(Starts(), 1u);
  Behave("stranger");
  Reply strange = OpenOn("podman:web", "x");
  EXPECT_TRUE(strange.is_error);
  EXPECT_TRUE(Shows(strange, "its version of glasstty, is incompatible"));
  EXPECT_EQ(Starts(), 2u);
}

TEST_F(FarClients, APodThatIsNotThereIsSaidInTheClientsWords) {
  Behave("refuse");
  Reply refused = OpenOn(kPod, "x");
  EXPECT_TRUE(refused.is_error);
  EXPECT_TRUE(Shows(refused,
                    "kubectl ended with 1 before our program ran there: "
                    "\"Error from server (NotFound): pods \\\"web-1\\\" "
                    "not found\""));
}

}  // namespace
}  // namespace glasstty::testing
