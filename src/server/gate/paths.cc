#include "gate/paths.h"

#include <fnmatch.h>

#include <algorithm>
#include <vector>

#include "support/text.h"

namespace glasstty::gate {
namespace {

// Uses FNM_PATHNAME: a star stays within one directory, so "/home/*" matches a
// home but not its contents. `narrows`: the path itself has globs, so "/u*" may
// mean "/usr".
bool FitsOne(const char* kind, const std::string& path, bool narrows,
             const PathContext& context) {
  auto fits = [](const std::string& glob, const std::string& name) {
    return fnmatch(glob.c_str(), name.c_str(), FNM_PATHNAME) == 0;
  };
  for (const std::string& glob : WordsOf(kind)) {
    std::string begin;
    if (glob[0] == '~') begin = context.home;
    if (glob[0] == '.') begin = context.directory;
    if (begin == "/") begin = "";
    if (glob[0] == '~' && begin.empty()) continue;
    if (!narrows && !path.starts_with(begin)) continue;
    const std::string whole = glob[0] == '/' ? glob : begin + glob.substr(1);
    if (fits(whole, path) || (narrows && fits(path, whole))) return true;
  }
  return false;
}

// Resolves "~", "~user" and "~+". The homes of other users are assumed to be in
// /home, and so is the own home if it is unknown.
std::string WithoutTilde(const Word& word, const PathContext& context) {
  if (word.text.empty() || !word.HasLive(0, '~')) return word.text;
  size_t slash = std::min(word.text.find('/'), word.text.size());
  std::string user = word.text.substr(1, slash - 1);
  std::string home = user.empty() ? context.home : "/home/" + user;
  if (user == "+") home = context.directory;
  return (home.empty() ? "/home/user" : home) + word.text.substr(slash);
}

// An unset variable is the usual cause of "rm -rf /*".
bool IsRootWhenUnknownIsEmpty(const Word& word) {
  std::string rest;
  for (size_t i = 0; i < word.text.size(); ++i) {
    if (word.marks[i] == Mark::kNonEmpty) return false;
    if (word.marks[i] != Mark::kUnknown) rest += word.text[i];
  }
  return rest == "/" || rest == "/*";
}

}  // namespace

// Uses the text alone: symbolic links are not resolved, so that a judgement
// touches no disk and cannot block.
std::string NormalPath(std::string_view path, std::string_view directory) {
  std::string whole(path);
  if (!path.starts_with("/")) whole = std::string(directory) + "/" + whole;
  std::vector<std::string> parts;
  for (const std::string& part : Split(whole, '/')) {
    if (part.empty() || part == ".") continue;
    // ".." of the root is the root, as in the kernel.
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  return "/" + Join(parts, "/");
}

bool Holds(const std::string& tree, const std::string& path) {
  return !path.empty() &&
         (path + "/").starts_with(tree == "/" ? tree : tree + "/");
}

PathKind ClassifyPath(const Word& word, const PathContext& context) {
  if (!word.IsKnown()) {
    return IsRootWhenUnknownIsEmpty(word) ? PathKind::kSystem
                                          : PathKind::kOther;
  }
  std::string text = WithoutTilde(word, context);
  if (text.empty()) return PathKind::kOther;
  // A quoted star is an ordinary character of a name.
  bool globs = false;
  for (char c : {'*', '?', '['}) {
    for (size_t i = 0; i < word.text.size(); ++i) globs |= word.HasLive(i, c);
  }
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  bool all = globs && IsIn("everything", text.substr(text.rfind('/') + 1));
  std::string path = NormalPath(text, context.directory);
  // For trees, "/etc/*" counts as "/etc".
  std::string tree = all ? NormalPath(path + "/..", "") : path;
  bool absolute = text[0] == '/';
  bool known = absolute || !context.directory.empty();
  bool narrows = globs && !all;
  auto is = [&](const char* kind, const std::string& of) {
    return known && FitsOne(kind, of, narrows, context);
  };
  bool named = absolute && !narrows;
  if (is("system", tree) || (known && tree == context.home) ||
      (named && is("named-system", tree))) {
    return PathKind::kSystem;
  }
  if (is("device", path)) return PathKind::kDevice;
  if (is("file", path)) return PathKind::kSystemFile;
  if (is("here", tree)) return PathKind::kHere;
  // The contents of a build directory were generated, and can be generated
  // again.
  if (IsIn("scratch", BaseName(tree))) return PathKind::kOther;
  if (is("own", path)) return PathKind::kOwnFile;
  // A directory that is or contains the starting directory counts as kHere,
  // even if it would be kKeepsake.
  if (known && Holds(tree, context.start)) return PathKind::kHere;
  // "src" has the same meaning in an unknown directory as in a known one.
  bool relative = text[0] != '/' && tree.find('/', 1) == std::string::npos;
  if ((known || relative) && FitsOne("keep", tree, narrows, context)) {
    return PathKind::kKeepsake;
  }
  if (named && is("named-keep", tree)) return PathKind::kKeepsake;
  // In an unknown directory, a relative path is kHere only if it consists of
  // dots, slashes and stars.
  bool dots = text.find_first_not_of("./*") == std::string::npos &&
              (all || text.find('*') == std::string::npos);
  bool leaves = !context.entered || text.find("..") != std::string::npos;
  return !known && dots && leaves ? PathKind::kHere : PathKind::kOther;
}

// The line lets patterns match options and paths in any order, as people write
// them. Blanks inside an argument are replaced, so that only the blanks between
// arguments remain.
std::string ArgumentLine(const Words& words, const PathContext& context) {
  std::string line;
  for (size_t i = 1; i < words.size(); ++i) {
    // Handles "of=/dev/sda" and "--target=/", but only if the '=' precedes
    // every slash: in "/tmp/a=b" it is part of a name.
    const std::string& whole = words[i].text;
    size_t equals = whole.find('=');
    size_t name = equals < whole.find('/') ? equals + 1 : 0;
    std::string text = whole;
    auto blank = [](unsigned char c) { return c <= ' ' || c == 0x7F; };
    std::replace_if(text.begin(), text.end(), blank, '_');
    // "-rf" is not a path, even if a directory could have this name.
    bool path = name > 0 || !IsOption(words[i]);
    PathKind kind =
        path ? ClassifyPath(words[i].Part(name), context) : PathKind::kOther;
    if (kind != PathKind::kOther) text.insert(name, 1, static_cast<char>(kind));
    line += " " + text;
  }
  return line;
}

}  // namespace glasstty::gate
