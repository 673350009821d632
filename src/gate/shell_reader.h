// Reads a text as a shell would, without running anything.
//
// One pass over the text, byte by byte, with a stack of frames: one for each
// group, substitution or "${" that is open. Each command is handed to a
// callback as soon as it has been read, and the callback says what it would
// print, so that "$(echo rm) -rf /" becomes "rm -rf /". Knows enough of the
// grammar of sh, bash and zsh to find every command in a text, wherever it
// hides; not enough to run one. All branches of an "if" are read. Values that
// the text itself gives (assignments, $HOME) are put in; those that nobody can
// know are marked.
//
// Never fails: a text that no shell would take is read as far as it makes
// sense. Every step takes at least one byte; the depth of the stack and the
// bytes that variables may add are bounded. Pure; any thread.
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

// What a command gets from a pipe, or prints.
struct Piped {
  bool known = true;  // or else `text` says nothing
  std::string text;
  // Some of it was fetched from the network.
  bool downloads = false;

  static Piped Known(std::string text) { return {true, std::move(text)}; }
  static Piped Unknown(bool downloads = false) {
    return {false, "", downloads};
  }
  // `more` comes behind it.
  void Add(const Piped& more) {
    *this = {known && more.known, text + more.text,
             downloads || more.downloads};
  }
};

// As in POSIX, "Simple Commands". A redirection to a file counts as a command
// of two words: "> file".
struct SimpleCommand {
  Words words;
  Piped input;
  // What ended it: '|', '&', ')' ...; '\0': the end of the text.
  char end = '\0';
  // It stands in a group or a substitution.
  bool nested = false;
};

// A variable, as far as the text tells it.
struct Variable {
  Word word;
  // Of a loop: falls apart at blanks also in quotes.
  bool is_list = false;
};

// What texts that run each other share: a child shell inherits it.
struct ShellState {
  std::map<std::string, Variable> variables;
  PathContext place;
  // Bytes of values and of input that were copied.
  size_t copied = 0;
  // One of the bounds was met, and something was not read.
  bool too_deep = false;
};

// Reads one text, once. Borrows all that it gets.
class ShellReader {
 public:
  using Run = std::function<Piped(SimpleCommand*)>;

  ShellReader(std::string_view text, ShellState* state, const Run* run);

  // A text of commands.
  void Read();
  // The text of a here-document, of which only substitutions run.
  void ReadHereText();

  // A quote, bracket, here-document or pipe is open: a shell would ask for
  // more.
  bool unfinished() const { return unfinished_; }
  // Here-documents of the text in which substitutions run, to be read next.
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

  // What is being read: the text itself, or a bracket in it.
  struct Frame {
    Kind kind = Kind::kText;
    // The bracket stands in double quotes.
    bool quoted = false;
    // Between double quotes of its own.
    bool in_quotes = false;
    // The word in the making, which may become several; also "" is one.
    Words done;
    Word word;
    bool begun = false;
    // The operator of a redirection that waits for its word.
    std::string op;
    SimpleCommand command;
    // What each of its pipelines reads, what the command in the making prints
    // so far, and what all of them print.
    Piped input, printed, output;
    // Behind an operator that wants another command: "|", "&&", "||".
    bool wants_command = false;
    // `case`s without their `esac`.
    int cases = 0;
    // To come back to behind a subshell.
    std::string directory;
    // kParameter: its name, and the operator behind it: '-', '=', '?' or '\0'.
    std::string name;
    char operation = '\0';
  };

  // Commands (shell_reader.cc).
  void Step();
  void TakeOperator(char c);
  void TakeParenthesis();
  void TakeRedirect();
  std::string TakeHereText(std::string_view delimiter, bool strips_tabs);
  bool TakeArithmetic();
  // False: the budget for copies is used up.
  bool Charge(size_t bytes);
  void Push(Kind kind, bool quoted = false);
  void Pop();
  void EndWord();
  void TakeWord(Word word);
  void TakeTarget(const std::string& op, Word target);
  bool TakeReserved(const Word& word);
  bool TakeAssignment(const Word& word);
  void EndCommand(char end);
  // for, select: true if it is one.
  bool TakeLoop(const Words& words);
  void Finish();

  // Words (shell_words.cc).
  void ReadEscape();
  void ReadQuoted();
  void ReadAnsiQuoted();
  void ReadDollar();
  void ReadParameter();
  void EndParameter(Frame parameter);
  void Append(std::string_view more, Mark mark);
  void Split();
  void AddOutput(const Piped& output, bool quoted);
  void AddVariable(const std::string& name, bool quoted);
  void AddValue(const Word& value, bool quoted);
  std::string ReadName();

  Frame& top() { return frames_.back(); }
  bool InQuotes() { return top().in_quotes || top().kind == Kind::kParameter; }
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  // The byte ahead is one of `set`; false at the end.
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
  // Of a here-document: double quotes stand for themselves.
  bool is_here_text_ = false;
  // Where the line behind the here-documents of this line begins; 0: this line
  // has none.
  size_t behind_here_ = 0;
  std::vector<std::string> here_texts_;
  bool unfinished_ = false;
};

}  // namespace glasstty::gate
