// The table of subcommands and flags.
#include "cli/command.h"

namespace glasstty {
namespace {

constexpr FlagRow kTailFlags[] = {
    {"f", Takes::kNothing, "", "follow the session until it ends"},
    {"n", Takes::kText, "LINES",
     "begin with the last LINES lines (10); +1: with all that the log holds"},
};
constexpr FlagRow kLsFlags[] = {
    {"a", Takes::kNothing, "", "also those that have ended"},
    {"json", Takes::kNothing, "", "print a JSON list, for programs"},
};
constexpr FlagRow kPlacesFlags[] = {
    {"json", Takes::kNothing, "", "print a JSON list, for programs"},
};
constexpr FlagRow kAttachFlags[] = {
    {"r", Takes::kNothing, "", "look on only"},
    {"take", Takes::kNothing, "", "take the keyboard at once"},
    {"steal", Takes::kNothing, "", "the same, also from another person"},
    {"resize", Takes::kNothing, "",
     "give the session this window's size while the keyboard is yours"},
    {"detach-key", Takes::kText, "KEY",
     "the key in front of commands (C-\\), such as C-] or F12"},
};
constexpr FlagRow kCastFlags[] = {
    {"format", Takes::kChoice, "v2|v3", "the version of asciicast (v2)"},
    {"o", Takes::kFile, "FILE", "write to FILE instead of stdout"},
};
constexpr FlagRow kReplayFlags[] = {
    {"at", Takes::kNumber, "SECONDS", "show the screen after so many seconds"},
    {"to", Takes::kNumber, "BYTES",
     "show it after so many bytes of output; by default after all of them"},
    {"size", Takes::kText, "ROWSxCOLS",
     "the size of the screen (24x80), for files of plain bytes"},
};
constexpr FlagRow kPictureFlags[] = {
    {"o", Takes::kFile, "FILE", "write to FILE instead of stdout"},
    {"svg", Takes::kNothing, "",
     "an SVG document instead of a PNG, which needs no font"},
    {"at", Takes::kNumber, "SECONDS", "show the screen after so many seconds"},
    {"to", Takes::kNumber, "BYTES",
     "show it after so many bytes of output; by default after all of them"},
    {"size", Takes::kText, "ROWSxCOLS",
     "the size of the screen (24x80), for files of plain bytes"},
    {"font", Takes::kText, "FAMILY|FILE",
     "draw in this font instead of the built-in DejaVu Sans Mono"},
    {"px", Takes::kNumber, "PIXELS", "the size of the font (14)"},
    {"light", Takes::kNothing, "", "dark on white instead of light on dark"},
};
constexpr FlagRow kViewFlags[] = {
    {"port", Takes::kNumber, "N", "listen on this port; 0, the default: any"},
    {"read-only", Takes::kNothing, "",
     "let visitors look, but neither type nor resize"},
    {"new-link", Takes::kNothing, "",
     "print another link to the page that is running, and end"},
};
constexpr FlagRow kSetupFlags[] = {
    {"print", Takes::kNothing, "",
     "print what would be written; write nothing"},
    {"yes", Takes::kNothing, "", "do not ask before writing"},
    {"file", Takes::kFile, "FILE",
     "the configuration to change, instead of the client's usual one"},
};
constexpr FlagRow kGenerateFlags[] = {
    {"date", Takes::kText, "YYYY-MM-DD", "the date in the man page"},
};

constexpr FlagRow kMcpFlags[] = {
    {"shared", Takes::kNothing, "",
     "join the shared server, and start it when there is none"},
    {"alone", Takes::kNothing, "", "join no shared server"},
};
constexpr FlagRow kServeFlags[] = {
    {"stop", Takes::kNothing, "", "end the server that runs"},
    {"background", Takes::kNothing, "",
     "return when it listens; it ends after 10 minutes without a client and "
     "without a session"},
    {"http", Takes::kText, "PORT",
     "serve HTTP, too, on 127.0.0.1; 0: a free port"},
    {"http-open", Takes::kNothing, "", "... without a token"},
    {"http-address", Takes::kText, "ADDRESS",
     "... on another address of this machine, with --http-expose"},
    {"http-expose", Takes::kNothing, "",
     "... although the network can read what is sent"},
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
     "The client starts it and ends it by closing stdin. This is also what "
     "glasstty does without a command when stdin is not a terminal. Where a "
     "shared server runs (glasstty serve) it passes everything on to that one, "
     "unless settings are given here.",
     "glasstty mcp --max-sessions=8", true, kMcpFlags, RunServer},
    {"serve", "For agents", "", Takes::kNothing,
     "serve all clients of this user on a unix socket",
     "The same sessions for all: agents that run `glasstty mcp`, and shells "
     "that run `glasstty call` or one of the commands below. It ends by "
     "--stop, ^C or SIGTERM. With --http it prints the URL for clients that "
     "take one, and where the token is that they must send.",
     "glasstty serve --background", true, kServeFlags, RunServe},
    {"setup", "For agents", "CLIENT", Takes::kText,
     "add glasstty to a client's configuration",
     "Shows the change, asks, keeps a copy of the file and changes nothing "
     "else in it. `glasstty setup` lists the clients.",
     "glasstty setup cursor", false, kSetupFlags, RunSetup},
    {"call", "From a shell", "TOOL [JSON | --ARGUMENT VALUE ...]", Takes::kText,
     "call a tool on the shared server",
     "The arguments are those of the tool: `glasstty call TOOL --help`. The "
     "server is started when there is none. The exit status is 0 when it is "
     "done, 1 when the tool refused or failed, 2 for wrong arguments, 3 "
     "without a server, 124 when run or wait was not in time, and for run "
     "that of the command.",
     "glasstty call term_send --session main --input '[\"<C-c>\"]'", false,
     kCallFlags, RunCall, true},
    {"run", "From a shell", "COMMAND...", Takes::kText,
     "run a command in a session's shell",
     "term_run; its exit status is the "
     "command's. Flags (--session, --timeout_s ...) come before the command.",
     "glasstty run --timeout_s 600 make test", false, kCallFlags,
     ShortForm<"run">, true},
    {"open", "From a shell", "[COMMAND...]", Takes::kText,
     "start a program in a terminal of its own",
     "term_open. Flags (--name, --cwd, --keep ...) come before the command.",
     "glasstty open --name top htop", false, kCallFlags, ShortForm<"open">,
     true},
    {"send", "From a shell", "SESSION INPUT...", Takes::kSession,
     "type text and keys into a session",
     "term_send. Each INPUT is a step: text, or keys such as '<C-c>'.",
     "glasstty send top q", false, kCallFlags, ShortForm<"send">, true},
    {"wait", "From a shell", "[SESSION]", Takes::kSession,
     "wait until something is true of a session",
     "term_wait, with the members of its `until` as flags.",
     "glasstty wait server --text 'listening on' --timeout_s 60", false,
     kCallFlags, ShortForm<"wait">, true},
    {"read", "From a shell", "[SESSION]", Takes::kSession,
     "show what is new in a session", "term_read.",
     "glasstty read server --mode snapshot", false, kCallFlags,
     ShortForm<"read">, true},
    {"search", "From a shell", "REGEX [SESSION]", Takes::kText,
     "search in all that a session has printed", "term_search.",
     "glasstty search 'error|warning' build", false, kCallFlags,
     ShortForm<"search">, true},
    {"list", "From a shell", "[SESSION]", Takes::kSession,
     "list the sessions and what they do", "term_list.", "glasstty list", false,
     kCallFlags, ShortForm<"list">, true},
    {"close", "From a shell", "SESSION", Takes::kSession, "end a session",
     "term_close.", "glasstty close server", false, kCallFlags,
     ShortForm<"close">, true},
    {"ls", "For people", "", Takes::kNothing,
     "list the sessions and who is at them",
     "The exit status is 1 when there is none.", "glasstty ls", false, kLsFlags,
     RunLs},
    {"places", "For people", "[clean PLACE]", Takes::kText,
     "list other machines that have sessions, or remove what is left there",
     "PLACE is what `on` of term_open was: ssh:db. clean removes glasstty's "
     "files there and here, once no session of the place is open; it runs the "
     "client, which may ask for a password. The exit status is 1 when there is "
     "no place.",
     "glasstty places clean ssh:db", false, kPlacesFlags, RunPlaces},
    {"attach", "For people", "SESSION", Takes::kSession,
     "watch a session live, and take over its keyboard",
     "Watches first: Enter takes the keyboard, and the agent is told and "
     "waits. "
     "Behind C-\\ come commands: h hands the keyboard back, d leaves, k types "
     "a secret unseen, [ scrolls, / searches.",
     "glasstty attach main", false, kAttachFlags, RunAttach},
    {"view", "For people", "", Takes::kNothing,
     "serve a page on which to watch sessions and take over",
     "Prints a link that lets one browser in, and serves until Ctrl-C. The "
     "page "
     "can be reached from this machine only.",
     "glasstty view", false, kViewFlags, RunView},
    {"tail", "For people", "SESSION", Takes::kSession,
     "print a session's last lines as text",
     "SESSION is the name of a session, live or ended, or its directory.",
     "glasstty tail -f build", false, kTailFlags, RunTail},
    {"replay", "For people", "SESSION|FILE", Takes::kSessionOrFile,
     "show the screen at a moment of a session or of a recording",
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
     "A FILE is an asciicast, which is written again in the other format.",
     "glasstty cast build -o build.cast", false, kCastFlags, RunCast},
    {"doctor",
     "This machine",
     "",
     Takes::kNothing,
     "check the installation and say how to mend it",
     "The exit status is 0 when everything is all right.",
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
