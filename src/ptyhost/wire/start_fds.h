// The descriptors that a holder or a near relay inherits: the contract between
// LaunchWith and the main() of the new process.
#pragma once

namespace glasstty::wire {

inline constexpr int kFirstStartFd = 3;
inline constexpr int kControlFd = 3;  // the connection to the first server, a
                                      // SOCK_SEQPACKET
inline constexpr int kDirFd = 4;      // the session's directory
inline constexpr int kSpecFd = 5;     // the text of MakeStart (launch.h)
inline constexpr int kLockFd = 6;     // already locked with flock(2)
inline constexpr int kStartFds = 4;

}  // namespace glasstty::wire
