#include "cli/options.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/fd.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/terminal.h"

namespace glasstty {

absl::StatusOr<Options> ParseOptions(const CommandArguments& arguments,
                                     const std::vector<std::string>& known) {
  Options options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    // "-" is stdin and so an operand; there are no one-letter flags.
    if (word.size() < 3 || word.substr(0, 2) != "--") {
      options.operands.push_back(word);
      continue;
    }
    size_t equals = word.find('=');
    // npos - 2 is still more than the word has.
    std::string name = word.substr(2, equals - 2);
    // Checked before the value is looked for, so a mistyped flag is not blamed
    // for a missing value.
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return InvalidArgument("no flag --%s%s", name, DidYouMean(name, known));
    }
    if (equals != std::string::npos) {
      options.flags[name] = word.substr(equals + 1);
    } else if (i + 1 < arguments.size()) {
      options.flags[name] = arguments[++i];
    } else {
      return InvalidArgument("--%s needs a value", name);
    }
  }
  return options;
}

absl::StatusOr<Size> ParseSize(const std::string& text) {
  Size size;
  // Catches what follows a good size: "24x80x" gives three matches.
  char rest;
  if (std::sscanf(text.c_str(), "%dx%d%c", &size.rows, &size.cols, &rest) !=
      2) {
    return InvalidArgument("size '%s': write ROWSxCOLS, e.g. 24x80", text);
  }
  RETURN_IF_ERROR(CheckSize(size));
  return size;
}

absl::StatusOr<std::string> ReadInput(const std::string& path) {
  // A copy of stdin: UniqueFd closes what it holds.
  UniqueFd file(path == "-" ? dup(STDIN_FILENO)
                            : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return ErrnoStatus("open", path);
  std::string bytes;
  char buffer[65536];
  while (true) {
    ssize_t n = ReadSome(file.get(), buffer, sizeof buffer);
    if (n < 0) return ErrnoStatus("read", path);
    if (n == 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(n));
  }
}

}  // namespace glasstty
