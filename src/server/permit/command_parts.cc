#include "permit/command_parts.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <utility>

#include "gate/judge.h"
#include "gate/rules.h"
#include "gate/shell_call.h"
#include "gate/shell_reader.h"
#include "support/text.h"

namespace glasstty::permit {
namespace {

using gate::Piped;
using gate::Word;
using gate::Words;

// The budget of one call; people write far less.
constexpr size_t kMostText = 64 << 10;
constexpr size_t kMostTexts = 50;
constexpr size_t kMostParts = 500;

constexpr char kSets[] = "it sets variables";

Part::Words PlainWords(const Words& words) {
  Part::Words plain;
  plain.reserve(words.size());
  for (const Word& word : words) plain.push_back(word.text);
  return plain;
}

// Output into these changes no file.
bool IsHarmlessTarget(const std::string& op, const std::string& target) {
  bool is_descriptor =
      op.ends_with("&") &&
      (target == "-" ||
       target.find_first_not_of("0123456789") == std::string::npos);
  return is_descriptor || target == "/dev/null";
}

// Reads the texts of one call, once.
class Splitter {
 public:
  Splitter() {
    // A use of IFS splits a word in two: rm$IFS-rf.
    state_.variables["IFS"].word = Word::Of(" ", gate::Mark::kLive);
    // Some shells run what stands behind a "#".
    state_.comments = false;
  }

  void AddText(std::string text) {
    if (texts_.size() + read_ >= kMostTexts || text.size() > kMostText) {
      return Doubt("it is too long");
    }
    // The reader forgets the variable instead of keeping it.
    if (text.find("+=") != std::string::npos) Doubt(kSets);
    texts_.push_back(std::move(text));
  }

  void AddCommand(const Words& whole, const Piped& input) {
    if (whole.empty()) return;
    if (parts_.parts.size() == kMostParts) return Doubt("it is too long");
    Part part;
    part.words = PlainWords(whole);
    part.certain =
        std::all_of(whole.begin(), whole.end(), std::mem_fn(&Word::IsKnown)) &&
        part.words[0].find(' ') == std::string::npos;
    bool is_redirection =
        whole.size() == 2 && part.words[0].find('>') != std::string::npos &&
        part.words[0].find_first_not_of("0123456789<>&|") == std::string::npos;
    if (is_redirection) {
      part.redirects = true;
      if (IsHarmlessTarget(part.words[0], part.words[1])) return;
      parts_.parts.push_back(std::move(part));
      return;
    }
    bool takes_input = false;
    Words inner = gate::Unwrap(whole, &takes_input);
    if (takes_input) Doubt("xargs gets its arguments from a program");
    AddDisguise(whole, &part);
    if (inner.size() != whole.size()) AddDisguise(inner, &part, true);
    parts_.parts.push_back(std::move(part));
    if (!inner.empty()) AddNested(inner, input);
  }

  CommandParts Take() {
    gate::ShellReader::Run run = [this](gate::SimpleCommand* command) {
      AddCommand(command->words, command->input);
      return Piped::Unknown();
    };
    for (; !texts_.empty(); ++read_) {
      std::string text = std::move(texts_.front());
      texts_.pop_front();
      gate::ShellReader reader(text, &state_, &run);
      reader.Read();
      if (reader.unfinished()) Doubt("it is not complete");
      for (const std::string& here : reader.here_texts()) {
        gate::ShellReader inner(here, &state_, &run);
        inner.ReadHereText();
      }
    }
    // An assignment may change what a program does: PATH, LD_PRELOAD.
    if (state_.variables.size() > 1) Doubt(kSets);
    if (state_.too_deep) Doubt("it is nested too deep");
    return std::move(parts_);
  }

 private:
  static void AddDisguise(const Words& words, Part* part, bool plain = false) {
    if (words.empty()) return;
    Part::Words disguised = PlainWords(words);
    std::string name = gate::BaseName(disguised[0]);
    if (plain) part->disguised.push_back(disguised);
    if (name == disguised[0]) return;
    disguised[0] = std::move(name);
    part->disguised.push_back(std::move(disguised));
  }

  // Handles programs that run what their arguments or their input say.
  void AddNested(const Words& words, const Piped& input) {
    std::string name = gate::BaseName(words[0].text);
    if (gate::IsIn("shell", name)) {
      gate::ShellCall call = gate::ReadShellCall(words);
      for (const Word& line : call.lines) AddText(line.text);
      if (!call.reads_input) return;
      if (!input.known) return Doubt("a shell runs what a program prints");
      AddText(input.text);
    } else if (gate::IsIn("eval", name)) {
      AddText(gate::TextOf({words.begin() + 1, words.end()}));
    }
  }

  // Keeps the first doubt.
  void Doubt(const char* why) {
    if (parts_.doubt.empty()) parts_.doubt = why;
  }

  gate::ShellState state_;
  std::deque<std::string> texts_;
  size_t read_ = 0;
  CommandParts parts_;
};

}  // namespace

std::string Part::text() const { return TextOf(words); }

std::string TextOf(const Part::Words& words) { return Join(words, " "); }

CommandParts PartsOfText(std::string_view text) {
  Splitter splitter;
  splitter.AddText(std::string(text));
  return splitter.Take();
}

CommandParts PartsOfArguments(const std::vector<std::string>& argv) {
  Words words;
  for (const std::string& word : argv) words.push_back(Word::Of(word));
  Splitter splitter;
  splitter.AddCommand(words, {});
  return splitter.Take();
}

}  // namespace glasstty::permit
