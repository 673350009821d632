// Reads a text as a shell would, without running anything.
//
// It makes one pass over the text with a stack of frames: one for each open
// group, substitution or "${". A callback receives each command and returns the
// command's output, so that "$(echo rm) -rf /" becomes "rm -rf /". The reader
// implements enough of sh, bash and zsh to find every command in a text, in all
// branches of an "if". Known values (assignments in the text, $HOME) are
// substituted; unknown values are marked.
//
// Never fails: a text that no shell would accept is read as far as possible.
// Time, depth and copied bytes are bounded. Changes only the ShellState.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gate/paths.h"
#include "gate/word.h"

namespace glasstty::gate {

// The text that a command gets from a pipe, or prints.
struct Piped {
  bool known = true;  // if false, `text` has no meaning
  std::string text;
  bool downloads = false;  // a part of it was downloaded

  static Piped Known(std::string text) { return {true, std::move(text)}; }
  static Piped Unknown(bool downloads = false) {
    return {false, "", downloads};
  }
  void Add(const Piped& more) {
    *this = {known && more.known, text + more.text,
             downloads || more.downloads};
  }
};

// A command. An output redirection counts as a command of two words: "> file".
struct SimpleCommand {
  Words words;
  Piped input;
  // The operator that ended the command: '|', '&', ')' ...; '\0': the end of
  // the text.
  char end = '\0';
  // The command is in a group or a substitution.
  bool nested = false;
};

// A variable, as far as its value is known.
struct Variable {
  Word word;
  // The variable of a loop: its value is split at blanks even in quotes.
  bool is_list = false;
};

// The state that a text shares with the texts that it runs; a child shell
// inherits it.
struct ShellState {
  std::map<std::string, Variable> variables;
  PathContext place;
  bool comments = true;       // a "#" begins a comment
  bool has_comments = false;  // a comment was skipped
  // The number of copied bytes of values and of input.
  size_t copied = 0;
  // A limit was exceeded, so a part of the text was not read.
  bool too_deep = false;
};

// Reads one text. Used once. Borrows the text, the state and the callback.
class ShellReader {
 public:
  using Run = std::function<Piped(SimpleCommand*)>;

  // `input` is the stdin of commands into which nothing is piped.
  ShellReader(std::string_view text, ShellState* state, const Run* run,
              const Piped& input = {});

  // Reads a text of commands.
  void Read();
  // Reads the text of a here-document, in which only substitutions run.
  void ReadHereText();

  // Returns whether a shell would ask for more, because a construct is still
  // open.
  bool unfinished() const { return unfinished_; }
  // The here-documents in which substitutions run; the caller must read each of
  // them next, with ReadHereText.
  const std::vector<std::string>& here_texts() const { return here_texts_; }

 private:
  enum class Kind {
    kText,
    kGroup,
    kBraces,
    kOutput,
    kProcess,
    kBackquotes,
    kParameter
  };

  // A part that is being read: the text itself, or a bracket such as "$(" in
  // it.
  struct Frame {
    Kind kind = Kind::kText;
    // The bracket is in double quotes.
    bool quoted = false;
    // The position is between double quotes that began inside the bracket.
    bool in_quotes = false;
    // The words into which the unfinished word has been split so far, and its
    // rest. If `begun`, the rest is a word even if it is "".
    Words done;
    Word word;
    bool begun = false;
    // The operator of a redirection whose target has not been read yet.
    std::string op;
    SimpleCommand command;
    // The input of the frame's pipelines, the output of the current command,
    // and the output of all commands.
    Piped input, printed, output;
    // Set after an operator that requires another command: "|", "&&", "||".
    bool wants_command = false;
    // The number of `case`s without their `esac`.
    int cases = 0;
    // The directories to return to after a subshell.
    PathContext place;
    // For kParameter: the parameter's name, and the operator after it: '-',
    // '=', '?' or '\0'.
    std::string name;
    char operation = '\0';
  };

  static constexpr std::string_view kNameBytes =
      "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

  // Commands are implemented in shell_reader.cc.
  void Step();
  void TakeOperator(char c);
  void TakeParenthesis();
  void TakeRedirect();
  std::string TakeHereText(std::string_view delimiter, bool strips_tabs);
  bool TakeArithmetic();
  // Returns false if the budget for copies is used up.
  bool Charge(size_t bytes);
  void Push(Kind kind, bool quoted = false);
  void Pop();
  void EndWord();
  void TakeWord(Word word);
  void TakeTarget(const std::string& op, Word target);
  bool TakeReserved(const Word& word);
  bool TakeAssignment(const Word& word);
  void EndCommand(char end);
  // Handles for and select; returns true if the words begin such a loop.
  bool TakeLoop(const Words& words);

  // Words are implemented in shell_words.cc.
  void ReadEscape();
  void ReadQuoted();
  void ReadAnsiQuoted();
  void ReadDollar();
  void ReadParameter();
  void EndParameter(const Frame& parameter);
  void Append(std::string_view more, Mark mark);
  // Appends the next byte, and the bytes after it up to one of `ends`.
  void AppendUpTo(std::string_view ends, Mark mark);
  void Split();
  void AddOutput(const Piped& output, bool quoted);
  void AddVariable(const std::string& name, bool quoted);
  void AddValue(const Word& value, bool quoted);
  std::string ReadName();

  Frame& top() { return frames_.back(); }
  bool InQuotes() { return top().in_quotes || top().kind == Kind::kParameter; }
  // Returns whether the byte `ahead` bytes further on exists and is in `set`.
  bool PeekIs(std::string_view set, size_t ahead = 0) const {
    return at_ + ahead < text_.size() &&
           set.find(text_[at_ + ahead]) != std::string_view::npos;
  }
  bool Sees(std::string_view token) const {
    return text_.substr(at_, token.size()) == token;
  }
  bool Take(std::string_view token) {
    if (!Sees(token)) return false;
    at_ += token.size();
    return true;
  }

  const std::string_view text_;
  ShellState* const state_;  // borrowed
  const Run* const run_;     // borrowed
  size_t at_ = 0;
  std::vector<Frame> frames_;
  // The text is a here-document, in which double quotes are ordinary.
  bool is_here_text_ = false;
  // The position after the here-documents of this line; 0: there are none.
  size_t behind_here_ = 0;
  std::vector<std::string> here_texts_;
  bool unfinished_ = false;
};

}  // namespace glasstty::gate
