// Predicts what a program prints, as far as that is possible.
#include <algorithm>

#include "absl/strings/str_replace.h"
#include "gate/rules.h"
#include "gate/starts.h"
#include "support/encodings.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

// Returns what echo, printf, which and command print. Of their escapes, only
// `\n` is decoded, because only a newline can begin a command.
Piped Printed(const Words& words, bool skips_options) {
  Words printed;
  for (const Word& word : Behind(words, 1)) {
    if (!word.IsKnown()) return Piped::Unknown(word.downloads);
    bool option = skips_options ? word.text.starts_with("-")
                                : word.text == "-n" || word.text == "-e";
    if (!option) printed.push_back(word);
  }
  return Piped::Known(absl::StrReplaceAll(TextOf(printed), {{"\\n", "\n"}}) +
                      "\n");
}

}  // namespace

Piped OutputOf(const Words& words, const Piped& input,
               const std::string& directory) {
  const std::string program = BaseName(words[0].text);
  bool downloads = IsIn("download", program);
  // Downloads of well-known installers, which are meant to be run directly, do
  // not count.
  for (size_t i = 0; downloads && i < words.size(); ++i) {
    std::vector<std::string> parts = Split(words[i].text, '/');
    downloads = parts.size() < 3 || parts[0] != "https:" ||
                !IsIn("installer", parts[2]);
  }
  downloads |= input.downloads || std::ranges::any_of(words, &Word::downloads);
  // `which` and `command` print a path that ends like their argument.
  bool finds = program == "which" || program == "command";
  bool prints = finds || program == "echo" || program == "printf";
  if (prints) return Printed(words, finds);
  if (program == "pwd" && !directory.empty()) {
    return Piped::Known(directory + "\n");
  }
  if (program == "mktemp") return Piped::Known("/tmp/tmp.XXXXXXXXXX\n");
  bool filters = std::any_of(words.begin(), words.end(), [](const Word& word) {
    return IsIn("find-filter", word.text);
  });
  if (IsIn("lister", program) && !filters) {
    auto name = std::find_if_not(words.begin() + 1, words.end(), IsOption);
    return Piped::Known(name == words.end() ? "*" : name->text);
  }
  bool reads_input = words.size() == 1 || words[1].text == "-";
  bool passes = program == "tee" || (program == "cat" && reads_input);
  if (passes && !input.text.empty()) return input;
  // base64 is the usual disguise of a command; other encodings are not decoded.
  if (program == "base64" && words.size() > 1) {
    auto bytes = DecodeBytes(input.text, Encoding::kBase64);
    if (bytes.ok()) return Piped::Known(*bytes);
  }
  return Piped::Unknown(downloads);
}

}  // namespace glasstty::gate
