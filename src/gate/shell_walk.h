// Walks through a text as a shell would, without running anything.
//
// Reads words, follows assignments, and hands each command, in the order of the
// text, to a callback, which says what the command would print. Knows enough of
// the grammar of sh, bash and zsh to find every command in a text, wherever it
// hides; not enough to run one. Reserved words are passed over, so all branches
// of an "if" are walked. Values that the text itself gives (assignments, $HOME,
// `echo rm`) are put in; those that nobody can know are marked.
//
// Every reader moves on by at least one byte and never fails: a text that no
// shell would take is read as far as it makes sense. Nesting and the bytes that
// variables may add are bounded. Pure; loop thread or any other.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gate/paths.h"
#include "gate/word.h"

namespace glasstty {

// What a command gets from a pipe, or prints, as far as it is known.
struct Piped {
  enum class Kind { kNone, kKnown, kUnknown };
  Kind kind = Kind::kNone;
  std::string text;  // kKnown
  // Some of it was fetched from the network.
  bool downloads = false;

  static Piped Known(std::string text);
  static Piped Unknown(bool downloads = false);
  // `more` comes behind it.
  void Add(const Piped& more);
};

struct Redirect {
  std::string op;  // "<", ">", ">>", ">|", "&>", "<>" ...
  Word target;
};

// As in POSIX, "Simple Commands".
struct SimpleCommand {
  std::vector<Word> words;
  std::vector<Redirect> redirects;
  Piped input;
  // Its output goes into a pipe, or it does not hold the shell up.
  bool piped = false;
  bool background = false;
  // It stands in a group or a substitution.
  bool nested = false;
};

// A variable, as far as the text tells it.
struct Variable {
  Word word;
  // Of a loop: falls apart at blanks also in quotes.
  bool is_list = false;
};

// What nested texts share: a child shell inherits it.
struct ShellState {
  std::map<std::string, Variable> variables;
  PathContext place;
  // Bounds, used up by all nested texts together.
  int depth = 0;
  size_t value_bytes = 0;
  bool too_deep = false;
  // The functions whose bodies are being read, the innermost last.
  std::vector<std::string> functions;
  // A function that starts itself twice, or in the background; "": none does.
  std::string fork_bomb;
};

// Walks one text, once. Borrows all that it gets.
class ShellWalk {
 public:
  using Run = std::function<Piped(SimpleCommand*)>;

  ShellWalk(std::string_view text, ShellState* state, const Run* run)
      : text_(text), state_(state), run_(run) {}

  // What the text as a whole prints.
  Piped Walk(const Piped& input);
  // Of the text of a here-document, only substitutions run.
  void WalkHereText();
  // A quote, bracket, here-document or pipe is open: a shell would ask for
  // more.
  bool unfinished() const { return unfinished_; }

 private:
  // Nothing that people write by hand is nested deeper.
  static constexpr int kMaxDepth = 40;
  // Bytes that values may add to a text: A=$A$A doubles with every line.
  static constexpr size_t kMaxValues = 1 << 20;

  // Words in the making: one may become several.
  struct Builder {
    std::vector<Word> done;
    Word word;
    // Also an empty word, "", is one.
    bool begun = false;
    void Append(std::string_view more, Mark mark);
    void Split();
  };

  // Lists and commands (shell_walk.cc).
  Piped List(char close, const Piped& input);
  Piped Pipeline(char close, const Piped& input);
  // `self_calls`: gets the name of a function that calls itself.
  Piped Stage(char close, const Piped& input,
              std::vector<std::string>* self_calls);
  bool TakeGroup(const Piped& input, Piped* output);
  bool TakeFunction(std::vector<Word>* words);
  bool TakeReserved(const Word& word);
  void TakeLoop();
  bool TakeAssignment(const Word& word, const std::vector<Word>& before);
  bool TakeRedirect(SimpleCommand* command);
  std::string TakeHereText(std::string_view delimiter, bool strips_tabs);
  bool TakeArithmetic();
  void SkipBlanks();
  void SkipLines();
  void NextLine();
  // False: too deep, and the rest of the text is given up.
  bool Descend();

  // Words (shell_words.cc).
  std::vector<Word> ReadWord();
  void ReadQuoted(Builder* word);
  void ReadAnsiQuoted(Builder* word);
  void ReadDoubleQuoted(Builder* word);
  void ReadDollar(bool quoted, Builder* word);
  void ReadBraced(bool quoted, Builder* word);
  void ReadBackticks(bool quoted, Builder* word);
  void AddOutput(const Piped& output, bool quoted, Builder* word);
  void AddVariable(const std::string& name, bool quoted, Builder* word);
  void AddValue(const Word& value, bool quoted, Builder* word);
  std::string ReadName();

  bool AtEnd() const { return at_ >= text_.size(); }
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  // The character ahead is one of `set`; false at the end.
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
  bool unfinished_ = false;
  // Where the line behind the here-documents of this line begins; 0: this line
  // has none.
  size_t behind_here_ = 0;
};

}  // namespace glasstty
