// The table of subcommands and flags.
#include "cli/command.h"

namespace glasstty {
namespace {

constexpr FlagRow kTailFlags[] = {
    {"f", Takes::kNothing, "", "follow the session until it ends"},
    {"n", Takes::kText, "LINES",
     "begin with the last LINES lines (10); +1: with all in the log"},
};
constexpr FlagRow kLsFlags[] = {
    {"a", Takes::kNothing, "", "list ended sessions, too"},
    {"json", Takes::kNothing, "", "print a JSON list, for programs"},
};
constexpr FlagRow kPlacesFlags[] = {
    {"json", Takes::kNothing, "", "print a JSON list, for programs"},
};
constexpr FlagRow kAttachFlags[] = {
    {"r", Takes::kNothing, "", "only watch"},
    {"take", Takes::kNothing, "", "take the keyboard at once"},
    {"steal", Takes::kNothing, "", "the same, even from another person"},
    {"resize", Takes::kNothing, "",
     "give the session this window's size while the keyboard is yours"},
    {"detach-key", Takes::kText, "KEY",
     "the prefix key of commands (C-\\), such as C-] or F12"},
};
constexpr FlagRow kCastFlags[] = {
    {"format", Takes::kChoice, "v2|v3", "the version of asciicast (v2)"},
    {"o", Takes::kFile, "FILE", "write to FILE instead of stdout"},
};
constexpr FlagRow kReplayFlags[] = {
    {"at", Takes::kNumber, "SECONDS", "show the screen after SECONDS seconds"},
    {"to", Takes::kNumber, "BYTES",
     "show it after BYTES bytes of output; the default is all"},
    {"size", Takes::kText, "ROWSxCOLS",
     "the size of the screen (24x80), for files of plain bytes"},
};
constexpr FlagRow kPictureFlags[] = {
    {"o", Takes::kFile, "FILE", "write to FILE instead of stdout"},
    {"svg", Takes::kNothing, "",
     "draw an SVG document, which needs no font, instead of a PNG"},
    {"at", Takes::kNumber, "SECONDS", "show the screen after so many seconds"},
    {"to", Takes::kNumber, "BYTES",
     "show it after so many bytes of output; by default after all of them"},
    {"size", Takes::kText, "ROWSxCOLS",
     "the size of the screen (24x80), for files of plain bytes"},
    {"font", Takes::kText, "FAMILY|FILE",
     "draw in this font instead of the built-in DejaVu Sans Mono"},
    {"px", Takes::kNumber, "PIXELS", "the size of the font (14)"},
    {"light", Takes::kNothing, "",
     "draw dark on white instead of light on dark"},
};
constexpr FlagRow kViewFlags[] = {
    {"port", Takes::kNumber, "N", "listen on this port; 0 (default): any"},
    {"read-only", Takes::kNothing, "",
     "let visitors watch, but not type or resize"},
    {"new-link", Takes::kNothing, "",
     "print another link to the running page, and exit"},
};
constexpr FlagRow kSetupFlags[] = {
    {"print", Takes::kNothing, "",
     "print what would be written, but write nothing"},
    {"yes", Takes::kNothing, "", "do not ask before writing"},
    {"file", Takes::kFile, "FILE",
     "the configuration to change, instead of the client's usual one"},
};
constexpr FlagRow kGenerateFlags[] = {
    {"date", Takes::kText, "YYYY-MM-DD", "the date in the man page"},
};

constexpr FlagRow kMcpFlags[] = {
    {"shared", Takes::kNothing, "",
     "join the shared server; start it if there is none"},
    {"alone", Takes::kNothing, "", "do not join a shared server"},
};
constexpr FlagRow kServeFlags[] = {
    {"stop", Takes::kNothing, "", "end the running server"},
    {"background", Takes::kNothing, "",
     "return once it listens; it then ends after 10 minutes with no client "
     "and no session"},
    {"http", Takes::kText, "PORT",
     "serve HTTP, too, on 127.0.0.1; 0: any free port"},
    {"http-open", Takes::kNothing, "", "require no token for --http"},
    {"http-address", Takes::kText, "ADDRESS",
     "listen on another address of this machine; needs --http-expose"},
    {"http-expose", Takes::kNothing, "",
     "allow an address whose traffic the network can read"},
};
constexpr FlagRow kCallFlags[] = {
    {"json", Takes::kNothing, "", "print the whole result as JSON"},
};

// The function of a short form, which has to know its own name.
template <size_t N>
struct Name {
  constexpr Name(const char (&text)[N]) {  // NOLINT: implicit
    for (size_t i = 0; i < N; ++i) letters[i] = text[i];
  }
  char letters[N];
};
template <Name name>
int ShortForm(const Options& options) {
  return RunShortForm(name.letters, options);
}

constexpr CommandRow kCommands[] = {
    {"mcp", "For agents", "", Takes::kNothing, "serve MCP on stdin and stdout",
     "The client starts it, and ends it by closing stdin. This is also what "
     "glasstty does without a command if stdin is not a terminal. If a shared "
     "server is running (glasstty serve), everything is passed on to it, "
     "unless settings are given here.",
     "glasstty mcp --max-sessions=8", true, kMcpFlags, RunServer},
    {"serve", "For agents", "", Takes::kNothing,
     "serve all clients of this user on a unix socket",
     "All clients see the same sessions: agents that run `glasstty mcp`, and "
     "shells that run `glasstty call` or its short forms. --stop, ^C "
     "or SIGTERM ends it. With --http it prints the URL for clients that "
     "connect by URL, and where to find the token that they must send.",
     "glasstty serve --background", true, kServeFlags, RunServe},
    {"setup", "For agents", "CLIENT", Takes::kText,
     "add glasstty to a client's configuration",
     "Shows the change, asks before writing it, keeps a copy of the old file, "
     "and changes nothing else in it. `glasstty setup` lists the clients.",
     "glasstty setup cursor", false, kSetupFlags, RunSetup},
    {"call", "From a shell", "TOOL [JSON | --ARGUMENT VALUE ...]", Takes::kText,
     "call a tool on the shared server",
     "`glasstty call TOOL --help` lists the arguments of a tool. The server is "
     "started if there is none. The exit status is 0 if the call succeeded, 1 "
     "if the tool refused or failed, 2 for wrong arguments, 3 if no "
     "server starts, and 124 if run or wait timed out. For run, it is the "
     "command's once the command has ended.",
     "glasstty call term_send --session main --input '[\"<C-c>\"]'", false,
     kCallFlags, RunCall, true},
    {"run", "From a shell", "COMMAND...", Takes::kText,
     "run a command in a session's shell",
     "Calls term_run. The exit status is the command's. "
     "Flags (--session, --timeout_s ...) come before the command.",
     "glasstty run --timeout_s 600 make test", false, kCallFlags,
     ShortForm<"run">, true},
    {"open", "From a shell", "[COMMAND...]", Takes::kText,
     "start a program in a terminal of its own",
     "Calls term_open. Flags (--name, --cwd, --keep ...) come before the "
     "command.",
     "glasstty open --name top htop", false, kCallFlags, ShortForm<"open">,
     true},
    {"send", "From a shell", "SESSION INPUT...", Takes::kSession,
     "type text and keys into a session",
     "Calls term_send. Each INPUT is a step: text, or keys such as '<C-c>'.",
     "glasstty send top q", false, kCallFlags, ShortForm<"send">, true},
    {"wait", "From a shell", "[SESSION]", Takes::kSession,
     "wait until a condition holds in a session",
     "Calls term_wait; the members of its `until` are given as flags.",
     "glasstty wait server --text 'listening on' --timeout_s 60", false,
     kCallFlags, ShortForm<"wait">, true},
    {"read", "From a shell", "[SESSION]", Takes::kSession,
     "show what is new in a session", "Calls term_read.",
     "glasstty read server --mode snapshot", false, kCallFlags,
     ShortForm<"read">, true},
    {"search", "From a shell", "REGEX [SESSION]", Takes::kText,
     "search everything that a session has printed", "Calls term_search.",
     "glasstty search 'error|warning' build", false, kCallFlags,
     ShortForm<"search">, true},
    {"list", "From a shell", "[SESSION]", Takes::kSession,
     "list the sessions and what they are doing", "Calls term_list.",
     "glasstty list", false, kCallFlags, ShortForm<"list">, true},
    {"close", "From a shell", "SESSION", Takes::kSession, "end a session",
     "Calls term_close.", "glasstty close server", false, kCallFlags,
     ShortForm<"close">, true},
    {"ls", "For people", "", Takes::kNothing,
     "list the sessions and who is using them",
     "The exit status is 1 if there are none.", "glasstty ls", false, kLsFlags,
     RunLs},
    {"places", "For people", "[clean PLACE]", Takes::kText,
     "list other machines that have sessions, or remove what is left there",
     "PLACE is what was given as `on` to term_open, such as ssh:db. `clean` "
     "removes glasstty's files on that machine and what is known of it here, "
     "if no session is open there. It runs the client, which may ask for a "
     "password. The exit status is 1 if there are no such machines.",
     "glasstty places clean ssh:db", false, kPlacesFlags, RunPlaces},
    {"attach", "For people", "SESSION", Takes::kSession,
     "watch a session live, and take over its keyboard",
     "At first you only watch. Enter takes the keyboard; from then on the "
     "agent's input is refused. Commands follow C-\\: h hands the keyboard "
     "back, d leaves, k types a secret unseen, [ scrolls, / searches.",
     "glasstty attach main", false, kAttachFlags, RunAttach},
    {"view", "For people", "", Takes::kNothing,
     "serve a web page to watch sessions and take over",
     "Prints a link that lets one browser in, and serves the page until "
     "Ctrl-C. Only this machine can reach it.",
     "glasstty view", false, kViewFlags, RunView},
    {"tail", "For people", "SESSION", Takes::kSession,
     "print a session's last lines as text",
     "SESSION is the name of a live or ended session, or its directory.",
     "glasstty tail -f build", false, kTailFlags, RunTail},
    {"replay", "For people", "SESSION|FILE", Takes::kSessionOrFile,
     "show the screen of a session or recording at a moment",
     "FILE is an asciicast, or a file of bytes that a program wrote; - is "
     "stdin.",
     "glasstty replay build --at 12.5", false, kReplayFlags, RunReplay},
    {"picture", "For people", "SESSION|FILE", Takes::kSessionOrFile,
     "draw the screen of a session or of a recording",
     "FILE is an asciicast, or a file of bytes that a program wrote; - is "
     "stdin.",
     "glasstty picture build -o build.png", false, kPictureFlags, RunPicture},
    {"cast", "For people", "SESSION|FILE", Takes::kSessionOrFile,
     "make an asciicast of a session",
     "FILE is an asciicast, which is converted to the other version.",
     "glasstty cast build -o build.cast", false, kCastFlags, RunCast},
    {"doctor",
     "This machine",
     "",
     Takes::kNothing,
     "check the installation and suggest fixes",
     "The exit status is 0 if everything is all right.",
     "glasstty doctor",
     false,
     {},
     RunDoctor},
    {"config",
     "This machine",
     "",
     Takes::kNothing,
     "list the settings and where they come from",
     "",
     "glasstty config",
     true,
     {},
     RunConfig},
    {"dump",
     "For developers",
     "FILE",
     Takes::kFile,
     "list a program's output as named tokens",
     "FILE holds bytes that a program wrote; - is stdin.",
     "printf '\\033[1mbold' | glasstty dump -",
     false,
     {},
     RunDump},
    {"generate", "For developers", "man|bash|zsh|fish|sessions", Takes::kText,
     "print the man page, a completion script, or the names of sessions", "",
     "glasstty generate bash > ~/.local/share/bash-completion/completions/"
     "glasstty",
     false, kGenerateFlags, RunGenerate},
};

}  // namespace

std::span<const CommandRow> Commands() { return kCommands; }

const CommandRow* FindCommand(std::string_view name) {
  for (const CommandRow& row : kCommands) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

}  // namespace glasstty
