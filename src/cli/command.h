// The subcommands of `glasstty`, as data: the argument parser, `--help`, the
// man page and the shells' completions are derived from one table.
//
// Each subcommand is a row of commands.cc and one of the functions below. Pure
// data; any thread.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty {

// The kind of value that a flag or an operand takes, for completion.
enum class Takes {
  kNothing,  // a switch
  kNumber,
  kText,
  kFile,
  kSession,        // a session's name or directory
  kSessionOrFile,  // a session's name or directory, or a recording
  kChoice,         // one of the words in `value`, between '|'
};

struct FlagRow {
  const char* name;  // one letter: written with one dash
  Takes takes;
  const char* value;  // as help shows it: "LINES"; "" for a switch
  const char* help;
};

// The arguments of a subcommand.
struct Options {
  // Names without dashes; a switch has the value "". If a flag is given twice,
  // the last one counts.
  std::map<std::string, std::string> flags;
  std::vector<std::string> operands;
  // "--NAME=VALUE" in the given form, for subcommands that take settings.
  std::vector<std::string> settings;
  // --help or -h was given.
  bool help = false;

  bool Has(const std::string& flag) const { return flags.contains(flag); }
  // Returns `fallback` if the flag was not given.
  std::string Get(const std::string& flag,
                  const std::string& fallback = "") const {
    auto found = flags.find(flag);
    return found == flags.end() ? fallback : found->second;
  }
};

struct CommandRow {
  const char* name;
  const char* section;   // heading of `glasstty --help`
  const char* operands;  // as help shows them: "SESSION"; "" for none
  Takes operand;
  // A line that begins with a verb, without a full stop.
  const char* summary;
  // Sentences for the command's own help, or "".
  const char* details;
  const char* example;
  bool takes_settings;
  std::span<const FlagRow> flags;
  // Returns the exit status: 0 done, 1 failed, 2 invalid arguments; commands
  // that call a tool have those of exit_status.h. Prints its own errors to
  // stderr.
  int (*run)(const Options&);
  // All words after the name are passed to `run` as operands, unparsed, because
  // they include flags of a tool.
  bool is_raw = false;
  // Flags end at the first word, because the following ones may belong to
  // another command.
  bool flags_first = false;
};

// Returns the rows in the order of `glasstty --help`.
std::span<const CommandRow> Commands();
// Returns null if there is no command of that name.
const CommandRow* FindCommand(std::string_view name);

int RunServer(const Options& options);    // mcp
int RunServe(const Options& options);     // serve
int RunCall(const Options& options);      // call
int RunHook(const Options& options);      // hook
int RunConfig(const Options& options);    // config
int RunReplay(const Options& options);    // replay
int RunPlay(const Options& options);      // play
int RunPicture(const Options& options);   // picture
int RunCast(const Options& options);      // cast
int RunLs(const Options& options);        // list, ls
int RunPlaces(const Options& options);    // places
int RunAttach(const Options& options);    // attach
int RunNew(const Options& options);       // new
int RunSecret(const Options& options);    // secret
int RunTail(const Options& options);      // tail
int RunDigest(const Options& options);    // digest
int RunView(const Options& options);      // view
int RunDump(const Options& options);      // dump
int RunDoctor(const Options& options);    // doctor
int RunSetup(const Options& options);     // setup
int RunPermit(const Options& options);    // permit
int RunGenerate(const Options& options);  // generate

// Runs a short form of `call`, by its name.
int RunShortForm(const std::string& name, const Options& options);
int RunWatch(const Options& options);

}  // namespace glasstty
