// Contains the table of subcommands and flags.
#include "cli/command.h"

namespace glasstty {
namespace {

constexpr FlagRow kTailFlags[] = {
    {"f", Takes::kNothing, "", "follow the session until it ends"},
    {"n", Takes::kText, "LINES",
     "begin with the last LINES lines (10); +1: with all in the log"},
};
constexpr FlagRow kDigestFlags[] = {
    {"since", Takes::kText, "TIME",
     "begin so long ago (90s, 5m, 1h) or at a time of day (14:58); the default "
     "is the beginning"},
};
constexpr FlagRow kListFlags[] = {
    {"a", Takes::kNothing, "", "list ended sessions, too"},
    {"json", Takes::kNothing, "", "print a JSON list, for programs"},
    {"follow", Takes::kNothing, "",
     "with --json: print the list again, on a line, whenever it changes"},
    {"lines", Takes::kNumber, "N", "show the last N lines of each, too"},
    {"verbose", Takes::kNothing, "",
     "show the command line, the title and the log of each, too"},
    {"session", Takes::kSession, "SESSION", "the same as SESSION alone"},
    {"q", Takes::kNothing, "", "do not say why nothing is listed"},
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
constexpr FlagRow kNewFlags[] = {
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
     "the size of the screen (24x80), for files that have none"},
};
constexpr FlagRow kPlayFlags[] = {
    {"speed", Takes::kNumber, "FACTOR", "play faster or slower (1)"},
    {"max-pause", Takes::kNumber, "SECONDS",
     "cut longer pauses to this (2); 0: keep them"},
};
constexpr FlagRow kPictureFlags[] = {
    {"o", Takes::kFile, "FILE", "write to FILE instead of stdout"},
    {"svg", Takes::kNothing, "",
     "draw an SVG document, which needs no font, instead of a PNG"},
    {"at", Takes::kNumber, "SECONDS", "show the screen after so many seconds"},
    {"from", Takes::kNumber, "SECONDS",
     "make an animated PNG or GIF (by the ending of FILE) of what happened "
     "from then on, without pauses"},
    {"to", Takes::kNumber, "BYTES",
     "show it after so many bytes of output; by default after all of them. "
     "With --from: seconds, up to which it is animated"},
    {"size", Takes::kText, "ROWSxCOLS",
     "the size of the screen (24x80), for files that have none"},
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
    {"server-only", Takes::kNothing, "",
     "add the server even if the client has plugins"},
    {"remove", Takes::kNothing, "",
     "remove glasstty from the client, and leave everything else"},
};
constexpr FlagRow kHookFlags[] = {
    {"client", Takes::kChoice, "claude-code|codex",
     "whose form the answer has (claude-code)"},
};
constexpr FlagRow kPermitFlags[] = {
    {"client", Takes::kChoice, "claude-code|codex|opencode",
     "the client whose rules and whose hook's JSON are meant"},
};
constexpr FlagRow kGenerateFlags[] = {
    {"date", Takes::kText, "YYYY-MM-DD", "the date in the man page"},
};

constexpr FlagRow kMcpFlags[] = {
    {"alone", Takes::kNothing, "",
     "use a private server instead of the shared one"},
    {"shared", Takes::kNothing, "",
     "join the shared server even if the setting `shared` is off"},
};
constexpr FlagRow kServeFlags[] = {
    {"stop", Takes::kNothing, "", "end the running server"},
    {"restart", Takes::kNothing, "",
     "let the running server be the installed version; sessions go on"},
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
    {"json", Takes::kNothing, "", "print the facts as JSON"},
    {"q", Takes::kNothing, "", "print neither the state nor why it is refused"},
};
constexpr FlagRow kWaitFlags[] = {
    {"exec", Takes::kText, "COMMAND",
     "let sh run COMMAND once the condition holds"},
    {"exit-status", Takes::kNothing, "",
     "with --state exited: exit with the program's status"},
    {"follow", Takes::kNothing, "",
     "with --event: print each event, a line each, until all have ended"},
    {"json", Takes::kNothing, "", "print the facts as JSON"},
    {"q", Takes::kNothing, "", "print neither the state nor why it is refused"},
};

// The name of a short form, as an argument of the template that makes its
// function.
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
     "glasstty does without a command if stdin is not a terminal. Everything "
     "is "
     "passed on to the user's shared server (glasstty serve), which is started "
     "if there is none. Of the settings, gate, gate-patterns, hooks, places, "
     "secrets, shell-history, size and tools can be this client's own.",
     "glasstty mcp --gate=strict", true, kMcpFlags, RunServer},
    {"serve", "For agents", "", Takes::kNothing,
     "serve all clients of this user on a unix socket",
     "All clients see the same sessions: agents that run `glasstty mcp`, and "
     "shells that run `glasstty call` or its short forms. --stop, ^C "
     "or SIGTERM ends it. With --http it prints the URL for clients that "
     "connect by URL, and where to find the token that they must send.",
     "glasstty serve --background", true, kServeFlags, RunServe},
    {"setup", "For agents", "CLIENT", Takes::kText,
     "add glasstty to a client's configuration",
     "Shows the change, asks before making it, keeps a copy of the old file, "
     "and changes nothing else in it. A client that has plugins gets the "
     "plugin, by the client's own commands. `glasstty setup` lists the "
     "clients, "
     "and `glasstty doctor` says which of them have glasstty.",
     "glasstty setup cursor", false, kSetupFlags, RunSetup},
    {"hook", "For agents", "start|wake|pretool|permit|stop", Takes::kText,
     "answer a hook of an agent's client",
     "Plugins run this; it reads the hook's JSON from stdin and never starts a "
     "server. start: which terminals are open. pretool: a hint if a shell "
     "command wants a terminal. permit: what the client's permission rules say "
     "about a call, as `glasstty permit` does, but nothing where they say "
     "nothing. stop: what asks, or has failed. wake: waits until a session "
     "that the agent has left busy asks or ends, says so on stderr and exits "
     "with 2, which wakes the agent. The setting `hooks = off` silences all, "
     "and `client-rules = off` silences permit.",
     "glasstty hook stop --client codex", false, kHookFlags, RunHook},
    {"permit", "For agents", "", Takes::kNothing,
     "answer a client's hook by the user's own permission rules",
     "Reads the JSON of a hook from stdin: a client is about to call term_run, "
     "term_open or term_send. Applies the rules for command lines that the "
     "user has given to the client (deny, ask, allow) to what the call would "
     "run, and prints the client's JSON, or nothing if the client is to "
     "decide.",
     "glasstty permit --client claude-code", false, kPermitFlags, RunPermit},
    {"call", "From a shell", "TOOL [JSON | --ARGUMENT VALUE ...]", Takes::kText,
     "call a tool on the shared server",
     "`glasstty call TOOL --help` lists the arguments of a tool. The server is "
     "started if there is none. Output goes to stdout; the session's state, "
     "hints and refusals go to stderr. Under EXIT STATUS, the man page lists "
     "what the commands of this section exit with.",
     "glasstty call send --session main --input '[\"<C-c>\"]'", false,
     kCallFlags, RunCall, true},
    {"run", "From a shell", "COMMAND...", Takes::kText,
     "run a command in a session's shell",
     "One word is a command line for the shell; several are a program and its "
     "arguments, which reach it unchanged. The exit status is the command's. "
     "Flags come before the command.",
     "glasstty run --timeout 10m make test", false, kCallFlags,
     ShortForm<"run">, true},
    {"open", "From a shell", "[COMMAND...]", Takes::kText,
     "start a program in a terminal of its own",
     "One word is a command line for the shell; several are a program and its "
     "arguments. Flags come before the command.",
     "glasstty open --name top htop", false, kCallFlags, ShortForm<"open">,
     true},
    {"send", "From a shell", "SESSION INPUT...", Takes::kSession,
     "type text and keys into a session",
     "Each INPUT is a step: text, or keys such as '<C-c>'.",
     "glasstty send top q", false, kCallFlags, ShortForm<"send">, true},
    {"wait", "From a shell", "[SESSION...]", Takes::kSession,
     "wait until a condition holds in a session",
     "The first condition to hold ends the wait. The exit status is 0 if one "
     "held: 1 if the program ended before, 3 if --stop was found, 124 if the "
     "time was up. With several states it says which one came: 10 input, 11 "
     "secret, 12 prompt or exited after a failure, 13 busy, 0 prompt or exited "
     "otherwise. --event waits, without a limit, for the next event of "
     "the sessions, or of all, and prints it: a program asks or has ended, an "
     "error, nothing moves any more, or a watch (glasstty watch).",
     "glasstty wait build --text 'BUILD OK' --stop error --timeout 2h", false,
     kWaitFlags, ShortForm<"wait">, true},
    {"watch", "From a shell", "SESSION NAME", Takes::kSession,
     "let a condition stay, and make events",
     "Each time that the condition begins to hold there is an event, for which "
     "`glasstty wait --event` waits. A NAME without a condition ends the "
     "watch. "
     "`glasstty read SESSION --mode events` lists watches and events.",
     "glasstty watch build fails --regex '^FAILED'", false, kCallFlags,
     RunWatch, true},
    {"read", "From a shell", "[SESSION]", Takes::kSession,
     "show what is new in a session", "",
     "glasstty read server --mode snapshot", false, kCallFlags,
     ShortForm<"read">, true},
    {"search", "From a shell", "REGEX [SESSION]", Takes::kText,
     "search everything that a session has printed", "",
     "glasstty search 'error|warning' build", false, kCallFlags,
     ShortForm<"search">, true},
    {"list", "From a shell", "[SESSION]", Takes::kSession,
     "list the sessions and what they are doing",
     "The sessions that need you come first: those that ask for a password, "
     "and "
     "those in which an agent asks for you. WHO has the keyboard: a person or "
     "an agent. If the output is not a terminal, it is a table with all "
     "sessions in full. The exit status is 1 if there are none. `ls` is the "
     "same.",
     "glasstty list --json", false, kListFlags, RunLs},
    {"close", "From a shell", "SESSION", Takes::kSession, "end a session", "",
     "glasstty close server", false, kCallFlags, ShortForm<"close">, true},
    {"ls", "For people", "[SESSION]", Takes::kSession,
     "list the sessions and who is using them", "The same as `glasstty list`.",
     "glasstty ls -a", false, kListFlags, RunLs},
    {"new", "For people", "[NAME [COMMAND...]]", Takes::kText,
     "open a session to work in, and to lend to an agent",
     "The session has your environment, your directory and the size of your "
     "window, and you have the keyboard. Without a command it runs your shell; "
     "one word is a command line for the shell, several are a program and its "
     "arguments. After C-\\ h agents can use it; C-\\ d leaves it running.",
     "glasstty new deploy", false, kNewFlags, RunNew, false, true},
    {"attach", "For people", "[SESSION]", Takes::kSession,
     "watch a session live, and take over its keyboard",
     "The beginning of a name is enough. Without a name it takes the only "
     "session, or shows a list to choose from. At first you only watch. Enter "
     "takes the keyboard; from then on the agent's input is refused. Commands "
     "follow C-\\: h hands the keyboard back, d leaves, k types a secret "
     "unseen, [ scrolls, / searches, arrows move over a screen that is larger "
     "than the window, ? lists all keys.",
     "glasstty attach main", false, kAttachFlags, RunAttach},
    {"secret",
     "For people",
     "SESSION",
     Takes::kSession,
     "type a secret from stdin into a program that asks for one",
     "Types the first line of stdin, but only while the session's terminal "
     "hides what is typed and nobody else has the keyboard. The secret appears "
     "in no log, recording or reply. In `glasstty attach`, C-\\ k does the "
     "same.",
     "pass show deploy | glasstty secret main",
     false,
     {},
     RunSecret},
    {"view", "For people", "", Takes::kNothing,
     "serve a web page to watch sessions and take over",
     "Prints a link that lets one browser in, and serves the page until "
     "Ctrl-C. Only this machine can reach it.",
     "glasstty view", false, kViewFlags, RunView},
    {"places", "For people", "[clean PLACE]", Takes::kText,
     "list other machines that have sessions, or remove what is left there",
     "PLACE is what was given as --on to `glasstty open`, such as ssh:db. "
     "`clean` "
     "removes glasstty's files on that machine and what is known of it here, "
     "if no session is open there. It runs the client, which may ask for a "
     "password. The exit status is 1 if there are no such machines.",
     "glasstty places clean ssh:db", false, kPlacesFlags, RunPlaces},
    {"tail", "For people", "SESSION", Takes::kSession,
     "print a session's last lines as text",
     "SESSION is the name of a live or ended session, or its directory.",
     "glasstty tail -f build", false, kTailFlags, RunTail},
    {"digest", "For people", "SESSION", Takes::kSession,
     "say what happened in a session, in at most 2 kB",
     "Commands with their status, what mattered on the screen, the first "
     "failure, progress, and the kinds of lines. SESSION is the name of a live "
     "or ended session, or its directory.",
     "glasstty digest build --since 1h", false, kDigestFlags, RunDigest},
    {"play", "For people", "SESSION|FILE", Takes::kSessionOrFile,
     "play a session or recording in this terminal",
     "FILE is an asciicast. Space pauses, + and - change the speed, arrow keys "
     "move by 5 seconds, q leaves, ? lists all keys. Your terminal gets a "
     "painted copy of the screen, and none of the recorded bytes.",
     "glasstty play build --speed 4", false, kPlayFlags, RunPlay},
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
