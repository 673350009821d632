// Describes a session in the words that headers and lists share: its state, its
// directory, its processes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "session/left_sessions.h"
#include "session/session.h"

namespace glasstty {

// The maximum length of a path in a header, in code points; the JSON contains
// the whole path.
inline constexpr size_t kMostPath = 1000;

// Returns "exited=0", "exited signal=KILL", "exited (holder lost, status
// unknown)", or the activity with its evidence: "prompt(kernel)".
std::string StateWord(const session::Session& session);
// The note that lists add to the state of a session whose log is being
// replayed.
inline constexpr char kReadingNote[] = ", its log is still being read";
// Returns why a session that an earlier server left cannot be used now.
std::string DescribeLeft(const session::LeftSessions::Left& left);
// Returns the processes whose working directory may be taken for the session's,
// best first.
std::vector<int> DirectoryProcesses(const session::Session& session);
// Returns the directory of the shell at its prompt or of the foreground
// program, as the kernel reports it. If the kernel reports none, or the program
// has ended, returns the directory in which the session started. On another
// machine: the directory that the shell has reported, or "".
std::string WorkingDirectory(const session::Session& session);
// Like WorkingDirectory, but quoted if a header requires it.
std::string CurrentDirectory(const session::Session& session);
// Describes a process that survived a close: `pid 812 listening on 5173: "node
// server.js"`.
std::string DescribeProcess(const session::ProcessInfo& process);

}  // namespace glasstty
