// Finds, starts and connects to the shared server of a user. Both the server
// and its clients link this.
//
//   BASE/serve/socket   newline-delimited JSON-RPC, as on stdin and stdout
//   BASE/serve/lock     locked by the server while it runs (fcntl(2), F_SETLK,
//                       which reveals the process id of the server)
//
// BASE is the state directory (record/state_dir.h); `serve` is 0700 and both
// files are 0600. Errors are POSIX: an invalid descriptor, with errno.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/process_lock.h"

namespace glasstty::wire {

inline constexpr char kServeDirectory[] = "serve";
inline constexpr char kServeSocket[] = "socket";
inline constexpr char kServeLock[] = "lock";
// The files of the server that serves HTTP, if there is one: its lock, the
// secret that its clients send, and a text about its URL and that secret.
inline constexpr char kHttpLock[] = "http";
inline constexpr char kHttpToken[] = "http-token";
inline constexpr char kHttpAddress[] = "http-address";

// A server that is stopped sends this to all clients that have introduced
// themselves.
inline constexpr std::string_view kClosingLine =
    R"({"jsonrpc":"2.0","method":"notifications/glasstty/closing"})";

// These texts tell a client why its call got no answer: the server died, or it
// was stopped and sent kClosingLine. Neither text needs escapes in JSON.
inline constexpr std::string_view kDiedText =
    "the shared glasstty server ended during this call; sessions keep running: "
    "look at them (term_list), then call again";
inline constexpr std::string_view kStoppedText =
    "the shared glasstty server was stopped during this call, which closed its "
    "sessions except kept ones; the next call starts it again";

// Opens the directory; `make` creates it if it is missing. Fails with EPERM if
// the directory belongs to another user, or if others have access to it.
UniqueFd OpenServeDirectory(const std::string& base, bool make);

// Returns a blocking connection to the server. ENOENT or ECONNREFUSED means
// that no server runs.
UniqueFd ConnectServer(const std::string& base);

// Returns the process that holds `lock`, if it is another one than this.
LockOwner ServerOwner(const std::string& base, const char* lock = kServeLock);

// Returns the content of the file kHttpAddress; "" if no server serves HTTP, or
// if an older version does.
std::string HttpAddress(const std::string& base);
// Returns a message for somebody who tries to serve HTTP a second time. It says
// where HTTP is served, and how to end that server.
std::string HttpServedText(const std::string& base);

// At this signal, the server replaces itself by the installed version of the
// program, and keeps its sessions.
inline constexpr int kRestartSignal = SIGUSR1;

// The variables that contain the settings of a single client. A server that the
// client starts does not inherit them.
inline constexpr const char* kClientVariables[] = {
    "GLASSTTY_GATE",          "GLASSTTY_GATE_PATTERNS", "GLASSTTY_HOOKS",
    "GLASSTTY_PLACES",        "GLASSTTY_SECRETS",       "GLASSTTY_SHARED",
    "GLASSTTY_SHELL_HISTORY", "GLASSTTY_SIZE",          "GLASSTTY_TOOLS"};

// Starts `executable serve --background`, and waits until that server, or
// another one, listens. Returns false with errno on failure. EIO means that the
// new process has failed to serve.
bool StartServer(const std::string& executable);

// Returns the path of this executable; "" if it is unknown.
std::string OwnExecutable();

}  // namespace glasstty::wire
