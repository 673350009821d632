#include "cli/options.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "base/fd.h"
#include "cli/help.h"
#include "cli/print.h"
#include "support/log.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/terminal.h"

namespace glasstty {

namespace {

// Returns the flag's name, with "=value" if it has one; "" for an operand. "-"
// is stdin and thus an operand.
std::string FlagWord(const std::string& word) {
  if (word.size() > 2 && word.substr(0, 2) == "--") return word.substr(2);
  // Letters cannot be combined, because no subcommand has enough of them.
  bool letter = word.size() == 2 && word[0] == '-' && word[1] != '-';
  return letter ? word.substr(1) : "";
}

// Returns null for an unknown flag.
const FlagRow* FindFlag(const CommandRow& command, const std::string& name) {
  for (const FlagRow& flag : command.flags) {
    if (name == flag.name) return &flag;
  }
  return nullptr;
}

absl::Status UnknownFlag(const CommandRow& command, const std::string& name) {
  std::vector<std::string> known;
  for (const FlagRow& flag : command.flags) known.emplace_back(flag.name);
  // No suggestion is made, because each letter resembles all others.
  if (name.size() == 1) return InvalidArgument("no flag -%s", name);
  return InvalidArgument("no flag --%s%s", name, DidYouMean(name, known));
}

// Accepts "--name=value" and "--set name=value", which LoadSettings checks.
bool TakeSetting(const CommandRow& command,
                 const std::vector<std::string>& arguments, size_t* i,
                 Options* options) {
  const std::string& word = arguments[*i];
  if (!command.takes_settings || !word.starts_with("--")) return false;
  options->settings.push_back(word);
  if (word == "--set" && *i + 1 < arguments.size()) {
    options->settings.push_back(arguments[++*i]);
  }
  return true;
}

// Returns the value of a flag: the text after '=', or the next argument.
absl::StatusOr<std::string> ValueOf(const std::string& word,
                                    const std::vector<std::string>& arguments,
                                    size_t* i) {
  size_t equals = word.find('=');
  if (equals != std::string::npos) return word.substr(equals + 1);
  if (*i + 1 < arguments.size()) return arguments[++*i];
  return InvalidArgument("%s needs a value", arguments[*i]);
}

}  // namespace

absl::StatusOr<Options> ParseOptions(
    const CommandRow& command, const std::vector<std::string>& arguments) {
  Options options;
  if (command.is_raw) {
    options.help = !arguments.empty() &&
                   (arguments[0] == "--help" || arguments[0] == "-h");
    options.operands = arguments;
    return options;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string word = FlagWord(arguments[i]);
    bool is_past_flags = command.flags_first && !options.operands.empty();
    if (word.empty() || is_past_flags) {
      options.operands.push_back(arguments[i]);
      continue;
    }
    if (word == "help" || word == "h") {
      options.help = true;
      return options;
    }
    std::string name = word.substr(0, word.find('='));
    const FlagRow* flag = FindFlag(command, name);
    if (flag == nullptr) {
      if (TakeSetting(command, arguments, &i, &options)) continue;
      return UnknownFlag(command, name);
    }
    if (flag->takes == Takes::kNothing && name == word) {
      options.flags[name] = "";
    } else if (flag->takes == Takes::kNothing) {
      return InvalidArgument("--%s takes no value", name);
    } else {
      ASSIGN_OR_RETURN(options.flags[name], ValueOf(word, arguments, &i));
    }
  }
  if (*command.operands == '\0' && !options.operands.empty()) {
    return InvalidArgument("unexpected argument '%s'", options.operands[0]);
  }
  return options;
}

absl::StatusOr<terminal::Size> ParseSize(const std::string& text) {
  terminal::Size size;
  // %c detects text after a valid size: "24x80x" gives three matches.
  char rest;
  if (std::sscanf(text.c_str(), "%dx%d%c", &size.rows, &size.cols, &rest) !=
      2) {
    return InvalidArgument("size '%s': write ROWSxCOLS, e.g. 24x80", text);
  }
  RETURN_IF_ERROR(terminal::CheckSize(size));
  return size;
}

absl::StatusOr<std::string> ReadInput(const std::string& path) {
  // Uses a copy of stdin, because UniqueFd closes its descriptor.
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

absl::StatusOr<record::CastReading> ReadingOf(const Options& options,
                                              const std::string& path) {
  record::CastReading reading;
  reading.warn = [path](const std::string& problem) {
    Warn("%s: %s", path, problem);
  };
  if (options.Has("size")) {
    ASSIGN_OR_RETURN(reading.fallback, ParseSize(options.Get("size")));
  }
  return reading;
}

// Follows symbolic links. Pipes and devices count as readable files, too.
bool IsFile(const std::string& path) {
  if (path == "-") return true;
  struct stat info;
  return stat(path.c_str(), &info) == 0 && !S_ISDIR(info.st_mode);
}

// Returns 2 for invalid arguments and 1 for a failure.
int Report(const CommandRow& command, const absl::Status& status) {
  if (status.ok()) return 0;
  bool wrong = absl::IsInvalidArgument(status);
  PrintError("glasstty %s: %s\n%s", command.name, Message(status),
             wrong ? Usage(command) : "");
  return wrong ? 2 : 1;
}

}  // namespace glasstty
