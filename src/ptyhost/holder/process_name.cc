#include "holder/process_name.h"

#include <ctype.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/fd.h"
#include "holder/proc.h"

namespace glasstty::holder {
namespace {

// Options of node and deno that are followed by a value, which is not a script.
constexpr std::string_view kOptionsWithValue[] = {
    "-r", "--require", "--import",     "--loader",   "--experimental-loader",
    "-C", "-W",        "--conditions", "--env-file", "-X"};
// With these options, the code is in the command line.
constexpr std::string_view kOptionsWithCode[] = {"-e", "--eval",  "-p",
                                                 "-c", "--print", "-pe"};
constexpr std::string_view kScriptEndings[] = {".js", ".mjs", ".cjs",
                                               ".ts", ".mts", ".py"};
// Common names of files and folders, which do not identify a package.
constexpr std::string_view kUsualFiles[] = {"index", "cli",   "main",
                                            "bin",   "start", "entry"};
constexpr std::string_view kUsualFolders[] = {"dist", "lib", "bin",   "bundle",
                                              "src",  "out", "build", "."};

template <size_t N>
bool IsOneOf(const std::string_view (&names)[N], std::string_view name) {
  return std::find(names, names + N, name) != names + N;
}

// Removes the last part of a path, and the '/' before it, and returns that
// part.
std::string_view TakeLastPart(std::string_view* path) {
  size_t slash = path->rfind('/');
  size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  std::string_view part = path->substr(begin);
  path->remove_suffix(path->size() - (begin == 0 ? 0 : slash));
  return part;
}

std::string NameOfScript(std::string_view path) {
  std::string_view file = TakeLastPart(&path), name = file;
  for (std::string_view ending : kScriptEndings) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      name.remove_suffix(ending.size());
      break;
    }
  }
  if (name == file || !IsOneOf(kUsualFiles, name)) return std::string(name);
  while (!path.empty()) {
    std::string_view folder = TakeLastPart(&path);
    if (folder.empty() || IsOneOf(kUsualFolders, folder)) continue;
    return std::string(folder);
  }
  return std::string(name);
}

// Returns the script in the arguments of a runtime; "" if there is none.
std::string_view FindScript(const std::vector<std::string>& arguments) {
  for (size_t i = 1; i < arguments.size(); ++i) {
    std::string_view argument = arguments[i];
    if (IsOneOf(kOptionsWithCode, argument)) return "";
    if (IsOneOf(kOptionsWithValue, argument)) {
      ++i;
    } else if (!argument.starts_with('-')) {
      return argument;
    }
  }
  return "";
}

std::vector<std::string> ReadArguments(pid_t pid) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
  constexpr size_t kLimit = 4096;
  std::string line;
  std::vector<std::string> arguments;
  if (!ReadFileAt(AT_FDCWD, path, kLimit, &line)) return arguments;
  for (size_t begin = 0; begin < line.size();) {
    size_t end = std::min(line.find('\0', begin), line.size());
    arguments.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return arguments;
}

}  // namespace

bool IsNameOfFirstThread(std::string_view name) {
  std::string letters;
  for (char c : name) {
    if (isalpha(static_cast<unsigned char>(c)) == 0) continue;
    letters += static_cast<char>(tolower(static_cast<unsigned char>(c)));
  }
  return letters.find("mainth") != std::string::npos;
}

// A program that writes its title over its arguments has only one left, which
// begins with its name.
std::string NameOfCommand(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return "";
  std::string_view script = FindScript(arguments);
  if (!script.empty()) return NameOfScript(script);
  std::string_view program = arguments[0];
  program = program.substr(0, program.find(' '));
  return std::string(TakeLastPart(&program));
}

std::string ReadKnownName(pid_t pid) {
  std::string name = ReadProcessName(pid);
  if (!IsNameOfFirstThread(name)) return name;
  std::string known = NameOfCommand(ReadArguments(pid));
  return known.empty() ? name : known;
}

}  // namespace glasstty::holder
