#include "e2e/ssh_server.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sstream>

#include "e2e/steps.h"

namespace glasstty::testing {

namespace {

void MakeKey(const std::string& file, const std::string& passphrase) {
  RunCommand(
      {"ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", file});
}

}  // namespace

SshServer::SshServer(const std::string& passphrase, bool known)
    : port_(FreePort()) {
  WriteKeys(passphrase, known);
  WriteConfigurations();
  WriteClient();
  Start();
}

SshServer::~SshServer() {
  std::string pid = ReadWholeFile(folder_.Join("pid"));
  for (pid_t child : Connections()) kill(child, SIGKILL);
  if (!pid.empty()) kill(std::stoi(pid), SIGTERM);
}

void SshServer::WriteKeys(const std::string& passphrase, bool known) {
  MakeKey(folder_.Join("hostkey"), "");
  MakeKey(folder_.Join("key"), passphrase);
  if (!known) return;
  folder_.Write("known", "[127.0.0.1]:" + std::to_string(port_) + " " +
                             ReadWholeFile(folder_.Join("hostkey.pub")));
}

void SshServer::WriteConfigurations() {
  const std::string& d = folder_.path();
  std::string port = std::to_string(port_);
  folder_.Write("sshd_config", "Port " + port +
                                   "\nListenAddress 127.0.0.1\nHostKey " + d +
                                   "/hostkey\nAuthorizedKeysFile " + d +
                                   "/key.pub\nPidFile " + d +
                                   "/pid\nPasswordAuthentication no\n"
                                   "StrictModes no\nUsePAM no\n"
                                   "MaxStartups 100\n"
                                   // The start-up files of the user who runs
                                   // the test may do anything.
                                   "SetEnv HOME=" +
                                   d + "/home\n");
  mkdir(folder_.Join("home").c_str(), 0700);
  folder_.Write("config", "Host db\n HostName 127.0.0.1\n Port " + port +
                              "\n IdentityFile " + d +
                              "/key\n IdentitiesOnly yes\n"
                              " UserKnownHostsFile " +
                              d + "/known\n GlobalKnownHostsFile /dev/null\n");
}

void SshServer::WriteClient() {
  std::string client =
      folder_.Write("client", "#!/bin/sh\nexec /usr/bin/ssh -F " +
                                  folder_.Join("config") + " \"$@\"\n");
  mkdir(bin().c_str(), 0700);
  rename(client.c_str(), (bin() + "/ssh").c_str());
  chmod((bin() + "/ssh").c_str(), 0700);
}

void SshServer::Start() {
  // root's sshd insists on this directory.
  if (geteuid() == 0) mkdir("/run/sshd", 0755);
  CommandResult started =
      RunCommand({"/usr/sbin/sshd", "-f", folder_.Join("sshd_config"), "-E",
                  folder_.Join("log")});
  bool runs = started.status == 0 && Eventually(Seconds(10), [this] {
                return !ReadWholeFile(folder_.Join("pid")).empty();
              });
  if (!runs) problem_ = "sshd does not start: " + started.output;
}

std::vector<pid_t> SshServer::Connections() const {
  std::string pid = ReadWholeFile(folder_.Join("pid"));
  if (pid.empty()) return {};
  std::istringstream found(
      RunCommand({"pgrep", "-P", std::to_string(std::stoi(pid))}).output);
  std::vector<pid_t> pids;
  for (pid_t child; found >> child;) pids.push_back(child);
  return pids;
}

std::vector<pid_t> SshServer::Clients() const {
  std::vector<pid_t> pids;
  for (const ProcessRow& row : ProcessesWith(folder_.Join("config"))) {
    if (row.command.starts_with("/usr/bin/ssh ")) pids.push_back(row.pid);
  }
  return pids;
}

}  // namespace glasstty::testing
