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

namespace glasstty::holder {

struct Member {
  pid_t pid;
  ProcessStat stat;
};

// All that lives (no zombies) below this process, parents before children.
// A process that forks during the walk may be missed; callers that must not
// miss one walk again.
std::vector<Member> WalkTree();

// True when this process has no child at all, dead or alive. Exact: a
// descendant always hangs below some child of a subreaper.
bool TreeIsEmpty();

// Sends `signal` to exactly this process, never to another one that got its
// pid meanwhile. False with errno: ESRCH when it is gone, EPERM.
bool SignalMember(const Member& member, int signal);

// True when the tree holds a living member of the group.
bool GroupLives(pid_t pgrp);

// kListening: only processes that are known to listen on a port.
enum class TreeRows { kAll, kListening };

// Payloads of the kTreeRow packets: a TreeRow, its ports, the command line.
std::vector<std::string> DescribeTree(TreeRows wanted = TreeRows::kAll);

}  // namespace glasstty::holder
