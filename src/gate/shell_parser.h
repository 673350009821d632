// The parser behind ParseShell. Used by shell_parser.cc and shell_words.cc
// only.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gate/shell_syntax.h"

namespace glasstty {

// Reads one text from its beginning to its end. Borrows the text and the
// variables.
class ShellParser {
 public:
  ShellParser(std::string_view text, ShellVariables* variables)
      : text_(text), variables_(variables) {}

  ShellScript Parse();
  // Of the text of a here-document.
  std::vector<ShellPipeline> ParseHereSubstitutions();

 private:
  // Deeper is no text that anybody has written by hand.
  static constexpr int kMaxDepth = 40;
  // What a word with braces may become.
  static constexpr size_t kMaxBraces = 64;
  // Bytes that values may add to a text: A=$A$A doubles with every line.
  static constexpr size_t kMaxValues = 1 << 20;

  // A here-document whose text is still to come.
  struct Pending {
    std::string delimiter;
    bool strips_tabs;
    // Its delimiter is not quoted.
    bool expands;
    std::shared_ptr<HereText> here;
  };
  // Words in the making: one may become several.
  struct Builder {
    std::vector<ShellWord> done;
    ShellWord word;
    // Also an empty word, "", is one.
    bool begun = false;
    void Append(std::string_view more, ByteMark mark);
    void Split();
  };

  // Lists and commands (shell_parser.cc).
  std::vector<ShellPipeline> ParseList(char close);
  ShellPipeline ParsePipeline(char close);
  ShellStage ParseStage(char close);
  bool TakeGroup(ShellStage* stage);
  void TakeParenthesis(ShellStage* stage, char close);
  void TakeFunction(std::string name, ShellStage* stage, char close);
  bool TakeReserved(const ShellWord& word, ShellStage* stage, char close);
  void TakeLoop();
  bool TakeAssignment(const ShellWord& word, const ShellStage& stage);
  bool TakeRedirect(ShellStage* stage);
  void ReadHereTexts();
  void SkipBlanks();
  void SkipLines();
  bool TakeArithmetic();

  // Words (shell_words.cc).
  std::vector<ShellWord> ReadWord();
  void ReadQuoted(Builder* word);
  void ReadAnsiQuoted(Builder* word);
  void ReadDoubleQuoted(Builder* word);
  void ReadDollar(bool quoted, Builder* word);
  void ReadBraced(bool quoted, Builder* word);
  void ReadBackticks(bool quoted, Builder* word);
  void AddSubstitution(std::vector<ShellPipeline> inner, bool quoted,
                       Builder* word);
  void AddVariable(const std::string& name, bool quoted, Builder* word);
  void AddValue(const ShellWord& value, bool quoted, Builder* word);
  std::string ReadName();

  bool AtEnd() const { return at_ >= text_.size(); }
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
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
  ShellVariables* const variables_;  // borrowed
  size_t at_ = 0;
  int depth_ = 0;
  bool unfinished_ = false;
  bool too_deep_ = false;
  size_t value_bytes_ = 0;
  std::vector<Pending> pending_;
  // Of the command that is being read.
  std::vector<ShellPipeline> substitutions_;
};

// What a substitution is known to give: `echo rm`, `pwd`, `which rm`. False:
// nobody knows.
bool KnownOutput(const std::vector<ShellPipeline>& pipelines,
                 const ShellVariables& variables, ShellWord* output);
// True when a program in it fetches from the network.
bool Downloads(const std::vector<ShellPipeline>& pipelines);
bool IsDownloader(std::string_view program);
// "rm" of "/bin/rm".
std::string BaseName(std::string_view path);
// "{a,b}" in words: "x{a,b}" becomes "xa" and "xb".
void ExpandBraces(const ShellWord& word, size_t limit,
                  std::vector<ShellWord>* out);

}  // namespace glasstty
