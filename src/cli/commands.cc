// The table of subcommands and flags.
#include "cli/command.h"

namespace glasstty {
namespace {

constexpr FlagRow kTailFlags[] = {
    {"f", Takes::kNothing, "", "follow the session until it ends"},
    {"n", Takes::kText, "LINES",
     "begin with the last LINES lines (10); +1: with all that the log holds"},
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

constexpr CommandRow kCommands[] = {
    {"mcp",
     "For agents",
     "",
     Takes::kNothing,
     "serve MCP on stdin and stdout",
     "The client starts it and ends it by closing stdin. This is also what "
     "glasstty does without a command when stdin is not a terminal.",
     "glasstty mcp --max-sessions=8",
     true,
     {},
     RunServer},
    {"setup", "For agents", "CLIENT", Takes::kText,
     "add glasstty to a client's configuration",
     "Shows the change, asks, keeps a copy of the file and changes nothing "
     "else in it. `glasstty setup` lists the clients.",
     "glasstty setup cursor", false, kSetupFlags, RunSetup},
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
