// The parts of a holder in the process of a test: a program over pipes, the
// server's end of its connection, and observers.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "holder/grace.h"
#include "holder/keyboard.h"
#include "holder/peers.h"
#include "holder/program.h"
#include "holder/session_end.h"
#include "testing/system.h"
#include "wire/launch.h"
#include "wire/packets.h"

namespace glasstty::holder {

struct PartsWorld {
  static wire::LaunchSpec SpecOf(std::vector<std::string> argv) {
    wire::LaunchSpec spec;
    spec.argv = std::move(argv);
    spec.environment = {"PATH=/usr/bin:/bin"};
    spec.cwd = "/";
    spec.pipe = true;
    spec.grace_ms = 60'000;
    return spec;
  }

  explicit PartsWorld(std::vector<std::string> argv = {"cat"})
      : program(SpecOf(std::move(argv)), dir.get(), dir.get()) {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC,
                         0, ends),
              0);
    server.Reset(ends[0]);
    peers.emplace(dir.get(), UniqueFd(ends[1]), &program);
    keyboard.emplace(&program, &*peers, &grace);
    end.emplace(&program, &*peers, &*keyboard, &grace);
    EXPECT_TRUE(program.OpenLogs());
    EXPECT_TRUE(peers->Listen());
    peers->link()->SetGreeted();
  }

  // Connects an observer and returns the holder's side of it; `theirs` keeps
  // the other side.
  Observer* Observe() {
    theirs.push_back(wire::ConnectObserver(dir.get()));
    peers->observers()->Accept(now);
    Observer* last = nullptr;
    for (const auto& observer : peers->observers()->all()) {
      if (observer != nullptr) last = observer.get();
    }
    if (last != nullptr) last->SetGreeted();
    return last;
  }

  // Returns the types of all packets that came to `fd`.
  static std::vector<wire::PacketType> Heard(int fd) {
    std::vector<wire::PacketType> types;
    static char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
    wire::Packet packet;
    while (wire::ReceivePacket(fd, buffer, sizeof buffer, &packet) ==
           wire::Receive::kPacket) {
      types.push_back(packet.header.type);
    }
    return types;
  }
  bool ServerHears(wire::PacketType type) {
    auto types = Heard(server.get());
    return std::find(types.begin(), types.end(), type) != types.end();
  }
  std::string Log() const {
    return testing::ReadWholeFile(folder.Join("out.0000000000000000"));
  }

  testing::TempDir folder;
  UniqueFd dir{open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  Time now = MonotonicNow();
  UniqueFd server;
  std::vector<UniqueFd> theirs;
  Grace grace{60'000};
  Program program;
  std::optional<Peers> peers;
  std::optional<Keyboard> keyboard;
  std::optional<SessionEnd> end;
};

}  // namespace glasstty::holder
