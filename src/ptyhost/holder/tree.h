// All processes that a session started: the descendants of this process.
//
// The holder is a subreaper, so a process that double-forks away from the
// program becomes a child of the holder, and one walk from here finds all of
// them. Keeps no state; the holder's thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "holder/proc.h"
#include "wire/packets.h"

namespace glasstty::holder {

struct Member {
  pid_t pid;
  ProcessStat stat;
};

// Returns all living processes (no zombies) below this process, parents before
// children. May miss a process that forks during the walk; callers that must
// not miss one walk again.
std::vector<Member> WalkTree();

// Returns true if this process has no child at all, dead or alive. Exact: a
// descendant always hangs below some child of a subreaper.
bool TreeIsEmpty();

// Sends `signal` to exactly this process, never to another one that got its pid
// meanwhile. Returns false with errno: ESRCH if it is gone, EPERM.
bool SignalMember(const Member& member, int signal);

// Returns true if the tree has a living member of the group.
bool GroupLives(pid_t pgrp);

// kListening: only processes that are known to listen on a port.
enum class TreeRows { kAll, kListening };

// Describes a process as wire::TreeRow does.
struct Description {
  wire::ProcessRow process;
  std::vector<wire::ListeningPort> ports;
  std::string command;
};
std::vector<Description> DescribeTree(TreeRows wanted = TreeRows::kAll);

}  // namespace glasstty::holder
