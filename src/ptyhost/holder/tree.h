// All processes that a session started: the descendants of this process.
//
// The holder is a subreaper: a process that double-forks away from the program
// becomes a child of the holder. So one walk from here finds all processes.
// Keeps no state. Holder thread only.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "holder/proc.h"
#include "wire/packets.h"

namespace glasstty::holder {

// The number of threads of this process.
inline constexpr int kOwnThreads = 1;

struct Member {
  pid_t pid;
  ProcessStat stat;
};

// Returns all living processes (no zombies) below this process, parents before
// children. May miss a process that is forked during the walk; callers that
// must not miss any walk again.
std::vector<Member> WalkTree();

// Returns the state of a thread of the process, or nothing if the thread has
// gone. If the process has one thread, this is the state that the walk found.
std::optional<char> ReadState(const Member& member, pid_t tid);

// Returns true if this process has no child at all, dead or alive. This is
// exact, because a subreaper with living descendants has a child.
bool TreeIsEmpty();

// Sends `signal` to this process, but never to another one that has got its pid
// meanwhile. Returns false with errno on failure, for example ESRCH if the
// process is gone, or EPERM.
bool SignalMember(const Member& member, int signal);

// Returns true if the tree has a living member of the group.
bool GroupLives(pid_t pgrp);

// Selects processes. kListening selects only those that are known to listen on
// a port.
enum class TreeRows { kAll, kListening };

// Describes a process as wire::TreeRow does.
struct Description {
  wire::ProcessRow process;
  std::vector<wire::ListeningPort> ports;
  std::string command;
};
std::vector<Description> DescribeTree(TreeRows wanted = TreeRows::kAll);

}  // namespace glasstty::holder
