// Where the shared server of a user listens, how to reach it and how to start
// it. Both the server and its clients link this.
//
//   BASE/serve/socket   newline-delimited JSON-RPC, as on stdin and stdout
//   BASE/serve/lock     locked by the server while it runs (fcntl(2), F_SETLK,
//                       which tells others its process id)
//
// BASE is the state directory (record/state_dir.h); `serve` is 0700 and both
// files are 0600. Errors are POSIX: an invalid descriptor, with errno.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/fd.h"

namespace glasstty::wire {

inline constexpr char kServeDirectory[] = "serve";
inline constexpr char kServeSocket[] = "socket";
inline constexpr char kServeLock[] = "lock";
// Of the one that serves HTTP, where somebody does; and the secret that its
// clients send.
inline constexpr char kHttpLock[] = "http";
inline constexpr char kHttpToken[] = "http-token";

// Sent by the server to who has introduced itself, before it ends in order.
inline constexpr std::string_view kClosingLine =
    R"({"jsonrpc":"2.0","method":"notifications/glasstty/closing"})";

// The directory, opened. `make`: created when it is missing. EPERM: it is not
// ours alone.
UniqueFd OpenServeDirectory(const std::string& base, bool make);

// The peer of a unix socket is a process of this user.
bool IsOwnPeer(int fd);

// A blocking connection to the server. ENOENT or ECONNREFUSED: none runs.
UniqueFd ConnectServer(const std::string& base);

// The process that holds the lock; 0: none does.
pid_t ServerPid(const std::string& base, const char* lock = kServeLock);

// Starts `glasstty serve --background` from this executable and waits until it
// listens, or until another one does. False with errno when it could not be
// started; EIO when it says that it cannot serve.
bool StartServer(const std::string& executable);

// The line by which somebody says for whom it speaks: where that one works, and
// the name under which it comes back ("" for a lasting connection).
std::string IntroductionLine(std::string_view directory, std::string_view name);

// The working directory; "" when it is gone.
std::string WorkingDirectory();

// The path of this executable; "" when it is not known.
std::string OwnExecutable();

}  // namespace glasstty::wire
