#include "cli/options.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/fd.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/terminal.h"

namespace glasstty {

namespace {

// The flag's name, with "=value" if it has one; "" for an operand. "-" is stdin
// and so an operand.
std::string FlagWord(const std::string& word) {
  if (word.size() > 2 && word.substr(0, 2) == "--") return word.substr(2);
  // Letters are not written together: no subcommand has enough of them.
  bool letter = word.size() == 2 && word[0] == '-' && word[1] != '-';
  return letter ? word.substr(1) : "";
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

absl::StatusOr<Options> ParseOptions(const CommandArguments& arguments,
                                     const std::vector<std::string>& known,
                                     const std::vector<std::string>& switches) {
  Options options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string word = FlagWord(arguments[i]);
    if (word.empty()) {
      options.operands.push_back(arguments[i]);
      continue;
    }
    size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    // Checked before the value is looked for, so a mistyped flag is not blamed
    // for a missing value.
    if (Contains(switches, name) && equals == std::string::npos) {
      options.flags[name] = "";
      continue;
    }
    if (!Contains(known, name)) {
      return InvalidArgument("no flag %s%s%s", name.size() == 1 ? "-" : "--",
                             name, DidYouMean(name, known));
    }
    if (equals != std::string::npos) {
      options.flags[name] = word.substr(equals + 1);
    } else if (i + 1 < arguments.size()) {
      options.flags[name] = arguments[++i];
    } else {
      return InvalidArgument("%s needs a value", arguments[i]);
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

// Follows symbolic links. A pipe or device is a file to read from, too.
bool IsFile(const std::string& path) {
  if (path == "-") return true;
  struct stat info;
  return stat(path.c_str(), &info) == 0 && !S_ISDIR(info.st_mode);
}

// 2 is a mistake in how it was called, 1 a failure of what it was to do.
int Report(const char* command, const absl::Status& status, const char* usage) {
  if (status.ok()) return 0;
  bool wrong = absl::IsInvalidArgument(status);
  std::fprintf(stderr, "glasstty %s: %s\n%s", command, Message(status).c_str(),
               wrong ? usage : "");
  return wrong ? 2 : 1;
}

}  // namespace glasstty
