#include "e2e/private_etc.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "e2e/steps.h"

namespace glasstty::testing {
namespace {

constexpr char kPassword[] = "correct-horse-7";
constexpr char kOtherPassword[] = "battery-Staple-9";
constexpr uid_t kAlice = 60'001;
constexpr uid_t kBob = 60'002;

// Runs the words behind the folder as alice.
constexpr char kBegin[] = R"sh(
set -e
D=$1; shift
mount --bind "$D/etc" /etc
mount -t tmpfs -o mode=755 run /run
mkdir /run/sshd
/usr/sbin/sshd -f "$D/sshd_config"
exec setpriv --reuid=60001 --regid=60001 --clear-groups env -C "$D/alice" "$@"
)sh";

void Append(const std::string& path, const std::string& line) {
  std::ofstream(path, std::ios::app) << line << '\n';
}

}  // namespace

PrivateEtc::PrivateEtc(Sudo sudo) {
  bool can_mount = geteuid() == 0 && RunCommand({"unshare", "--mount", "mount",
                                                 "-t", "tmpfs", "x", "/mnt"})
                                             .status == 0;
  if (!can_mount) {
    problem_ = "takes root, and a machine on which it may mount";
    return;
  }
  chmod(folder_.path().c_str(), 0755);
  WriteUsers(sudo);
  WriteSsh();
  WriteServer();
}

PrivateEtc::~PrivateEtc() {
  std::string pid = ReadWholeFile(folder_.Join("sshd.pid"));
  if (!pid.empty()) kill(std::atoi(pid.c_str()), SIGTERM);
}

void PrivateEtc::WriteUsers(Sudo sudo) {
  std::string etc = folder_.Join("etc");
  CommandResult copied = RunCommand({"cp", "-a", "/etc", etc});
  if (copied.status != 0) problem_ = copied.output;
  std::string hash(absl::StripAsciiWhitespace(
      RunCommand({"openssl", "passwd", "-6", kPassword}).output));
  for (const auto& [name, id] : {std::pair("alice", kAlice), {"bob", kBob}}) {
    std::string home = folder_.Join(name);
    mkdir(home.c_str(), 0700);
    if (chown(home.c_str(), id, id) != 0) problem_ = "chown " + home;
    Append(etc + "/passwd",
           absl::StrCat(name, ":x:", id, ":", id, "::", home, ":/bin/bash"));
    Append(etc + "/shadow",
           absl::StrCat(name, ":", hash, ":19000:0:99999:7:::"));
    Append(etc + "/group", absl::StrCat(name, ":x:", id, ":"));
  }
  // The start-up files of the real root may do anything.
  std::string root = folder_.Join("root");
  mkdir(root.c_str(), 0700);
  RunCommand({"sed", "-i", "s|^root:.*|root:x:0:0:root:" + root + ":/bin/bash|",
              etc + "/passwd"});
  std::string rules = etc + "/sudoers";
  std::ofstream(rules) << "Defaults !lecture, timestamp_timeout=0, "
                       << (sudo == Sudo::kOwnTerminal ? "" : "!")
                       << "use_pty\nroot ALL=(ALL:ALL) ALL\n"
                          "alice ALL=(ALL:ALL) ALL\n";
  chmod(rules.c_str(), 0440);
}

void PrivateEtc::WriteSsh() {
  const std::string& d = folder_.path();
  std::string port = std::to_string(FreePort());
  RunCommand({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f",
              folder_.Join("hostkey")});
  folder_.Write("sshd_config",
                "Port " + port + "\nListenAddress 127.0.0.1\nHostKey " + d +
                    "/hostkey\nPidFile " + d +
                    "/sshd.pid\nUsePAM no\nPasswordAuthentication yes\n"
                    "KbdInteractiveAuthentication no\nStrictModes no\n");
  std::ofstream(folder_.Join("etc/ssh/ssh_config"))
      << "Host host\n HostName 127.0.0.1\n User bob\n Port " << port << '\n';
}

void PrivateEtc::WriteServer() {
  // The build directory may be root's own.
  std::string server = folder_.Join("glasstty");
  std::string holder = folder_.Join("glasstty-holder");
  RunCommand({"cp", ServerPath(), server});
  RunCommand({"cp", HolderPath(), holder});
  std::string home = folder_.Join("alice");
  options_.state_dir = folder_.Join("state");
  mkdir(options_.state_dir.c_str(), 0700);
  if (chown(options_.state_dir.c_str(), kAlice, kAlice) != 0)
    problem_ = "chown " + options_.state_dir;
  options_.environment = DefaultEnvironment(home);
  for (const std::string& variable :
       {std::string("USER=alice"), std::string("LOGNAME=alice"),
        absl::StrCat("PASSWORD=", kPassword),
        absl::StrCat("OTHER_PASSWORD=", kOtherPassword),
        "GLASSTTY_HOLDER=" + holder}) {
    options_.environment.push_back(variable);
  }
  options_.binary = "/usr/bin/unshare";
  options_.arguments = {"--mount",      "sh",   "-c",  kBegin,   "x",
                        folder_.path(), server, "mcp", "--alone"};
}

}  // namespace glasstty::testing
