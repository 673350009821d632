// What a shell would make of a text: commands, pipes, redirections, as values.
//
// Enough of the grammar of sh, bash and zsh to find every command in a text,
// wherever it hides; not enough to run one. Reserved words vanish, so the
// bodies of loops and conditions are commands like others. Values that the text
// itself gives (assignments, $HOME, `echo rm`) are put in; what nobody can know
// from here is marked. Pure functions; nothing here does anything.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty {

// How a byte of a word came about; decides whether it can be special.
enum class ByteMark : char {
  kQuoted,    // stands for itself
  kLive,      // unquoted: may be a glob, a tilde, a brace
  kUnknown,   // of an expansion whose value is not known and may be empty
  kNonEmpty,  // the same, but not empty
};

// One word after quotes and known expansions. `$X` stays as it is where the
// value is not known.
struct ShellWord {
  std::string text;
  // One for each byte of `text`.
  std::vector<ByteMark> marks;
  // Holds the output of a program that fetches from the network.
  bool downloads = false;

  bool IsKnown() const;
  void Append(std::string_view more, ByteMark mark);
};
ShellWord LiteralWord(std::string_view text);

struct Redirect {
  std::string op;  // "<", ">", ">>", ">|", "&>", "<>" ...
  ShellWord target;
};

struct ShellStage;
// Stages that are joined by "|".
struct ShellPipeline {
  std::vector<ShellStage> stages;
  bool background = false;
};

// A here-document or here-string; its text may come after the command.
struct HereText {
  std::string text;
  // What the shell runs while it reads it.
  std::vector<ShellPipeline> substitutions;
};

// One command, or one group of commands in ( ), { } or a function.
struct ShellStage {
  std::vector<ShellWord> words;
  std::vector<Redirect> redirects;
  std::shared_ptr<HereText> here;  // null: none
  std::vector<ShellPipeline> body;
  // What a `cd` in the body does stays there.
  bool subshell = false;
  // The body is this function's; empty: of none.
  std::string function;
  // What stands in $( ), ` ` and <( ) of its words.
  std::vector<ShellPipeline> substitutions;
};

// Variables as far as the text tells them.
struct ShellValue {
  ShellWord word;
  // Of a loop: each blank-separated part by itself, also in quotes.
  bool is_list = false;
};
using ShellVariables = std::map<std::string, ShellValue>;

struct ShellScript {
  std::vector<ShellPipeline> pipelines;
  // A quote, bracket, here-document or pipe is open: a shell would ask for
  // more.
  bool unfinished = false;
  // Nested deeper than anything sane; the rest was not looked at.
  bool too_deep = false;
};

// Reads `text`, and adds what it assigns to `variables`.
ShellScript ParseShell(std::string_view text, ShellVariables* variables);

}  // namespace glasstty
