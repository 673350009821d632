// The subcommands of `glasstty`, as data: one table from which the parser of
// arguments, `--help`, the man page and the shells' completions are made.
//
// A subcommand is a row of commands.cc and a function in a file of that name.
// Pure data; any thread.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty {

// What a flag or an operand takes, for completion.
enum class Takes {
  kNothing,  // a switch
  kNumber,
  kText,
  kFile,
  kSession,        // a session's name or directory
  kSessionOrFile,  // the same, or a recording
  kChoice,         // one of `value`, with '|' between
};

struct FlagRow {
  const char* name;  // of one letter: written with one dash
  Takes takes;
  const char* value;  // as help shows it: "LINES"; "" for a switch
  const char* help;
};

// What a subcommand was called with.
struct Options {
  // The last one counts when a flag is given twice. Without the dashes; "" for
  // a switch.
  std::map<std::string, std::string> flags;
  std::vector<std::string> operands;
  // "--NAME=VALUE", as given, of subcommands that take settings.
  std::vector<std::string> settings;
  // --help or -h was among them.
  bool help = false;

  bool Has(const std::string& flag) const { return flags.contains(flag); }
  // `fallback` when the flag was not given.
  std::string Get(const std::string& flag, std::string fallback = "") const {
    auto found = flags.find(flag);
    return found == flags.end() ? std::move(fallback) : found->second;
  }
};

struct CommandRow {
  const char* name;
  const char* section;   // heading of `glasstty --help`
  const char* operands;  // as help shows them: "SESSION"; "" for none
  Takes operand;
  // One line that begins with a verb, without a full stop.
  const char* summary;
  // Sentences for the command's own help; may be "".
  const char* details;
  const char* example;
  bool takes_settings;
  std::span<const FlagRow> flags;
  // The exit status: 0 done, 1 failed, 2 wrongly called. Prints its own errors
  // on stderr.
  int (*run)(const Options&);
  // What is behind the name goes to `run` as operands, unread: it has flags of
  // a tool.
  bool is_raw = false;
};

// In the order of `glasstty --help`.
std::span<const CommandRow> Commands();
// Null if there is no command of that name.
const CommandRow* FindCommand(std::string_view name);

int RunServer(const Options& options);    // mcp
int RunServe(const Options& options);     // serve
int RunCall(const Options& options);      // call
int RunConfig(const Options& options);    // config
int RunReplay(const Options& options);    // replay
int RunPicture(const Options& options);   // picture
int RunCast(const Options& options);      // cast
int RunLs(const Options& options);        // ls
int RunPlaces(const Options& options);    // places
int RunAttach(const Options& options);    // attach
int RunTail(const Options& options);      // tail
int RunView(const Options& options);      // view
int RunDump(const Options& options);      // dump
int RunDoctor(const Options& options);    // doctor
int RunSetup(const Options& options);     // setup
int RunGenerate(const Options& options);  // generate

// A short form of `call`, by its name.
int RunShortForm(const std::string& name, const Options& options);

}  // namespace glasstty
