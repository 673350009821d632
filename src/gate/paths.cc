#include "gate/paths.h"

#include <fnmatch.h>

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

// FNM_PATHNAME: a star stays within one directory, so "/home/*" is a home and
// not what lies in it.
bool Fits(std::string_view glob, std::string_view path) {
  return fnmatch(std::string(glob).c_str(), std::string(path).c_str(),
                 FNM_PATHNAME) == 0;
}

// `narrows`: the path has globs of its own, so that "/u*" may be "/usr".
bool FitsOne(const char* kind, const std::string& path, bool narrows) {
  const char* const* glob = ListOf(kind).words;
  while (*glob != nullptr && !Fits(*glob, path) &&
         !(narrows && Fits(path, *glob))) {
    ++glob;
  }
  return *glob != nullptr;
}

// With "~", "~user" and "~+" resolved. Homes of others are taken to be in
// /home, and an unknown home to be "/home/user", since a tilde that cannot be
// resolved still names some home.
std::string WithoutTilde(const Word& word, const PathContext& context) {
  if (word.text.empty() || !word.HasLive(0, '~')) return word.text;
  size_t slash = std::min(word.text.find('/'), word.text.size());
  std::string user = word.text.substr(1, slash - 1);
  std::string home = user.empty() ? context.home : "/home/" + user;
  if (user == "+") home = context.directory;
  return (home.empty() ? "/home/user" : home) + word.text.substr(slash);
}

// A variable that is not set is the usual way to "rm -rf /*". Bytes that are
// unknown but not empty keep the rest from being judged as if nothing stood
// there.
bool IsRootWhenUnknownIsEmpty(const Word& word) {
  std::string rest;
  for (size_t i = 0; i < word.text.size(); ++i) {
    if (word.marks[i] == Mark::kNonEmpty) return false;
    if (word.marks[i] != Mark::kUnknown) rest += word.text[i];
  }
  return rest == "/" || rest == "/*";
}

// Of a path that is resolved. The directory is asked about for trees ("/etc/*"
// is all of "/etc"), the path for single files.
PathKind KindOfResolved(const std::string& path, const std::string& directory,
                        bool narrows, const std::string& home) {
  if (FitsOne("system", directory, narrows) || directory == home) {
    return PathKind::kSystem;
  }
  // Only below the home of this user: others' keys cannot be deleted by
  // accident.
  bool below_home = !home.empty() && directory.starts_with(home);
  if (below_home && FitsOne("keep", directory.substr(home.size()), narrows)) {
    return PathKind::kKeepsake;
  }
  if (FitsOne("device", path, narrows)) return PathKind::kDevice;
  if (FitsOne("file", path, narrows)) return PathKind::kSystemFile;
  return PathKind::kOther;
}

}  // namespace

// By the text alone: what a symbolic link would lead to is not looked up, so
// that a judgement touches no disk and cannot block.
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

PathKind ClassifyPath(const Word& word, const PathContext& context) {
  if (!word.IsKnown()) {
    return IsRootWhenUnknownIsEmpty(word) ? PathKind::kSystem
                                          : PathKind::kOther;
  }
  std::string text = WithoutTilde(word, context);
  if (text.empty()) return PathKind::kOther;
  // Quoted, a star is a name like any other.
  bool globs = false;
  for (size_t i = 0; i < word.text.size(); ++i) {
    globs |=
        word.HasLive(i, '*') || word.HasLive(i, '?') || word.HasLive(i, '[');
  }
  std::string last = text.substr(text.rfind('/') + 1);
  bool all = globs && IsIn("everything", last);
  std::string path = NormalPath(text, context.directory);
  std::string directory = all ? NormalPath(path + "/..", "") : path;
  // A relative path in an unknown directory is compared with no absolute glob:
  // `path` then begins at "/" by accident.
  bool absolute = text[0] == '/';
  if (absolute || !context.directory.empty()) {
    PathKind kind =
        KindOfResolved(path, directory, globs && !all, context.home);
    if (kind != PathKind::kOther) return kind;
  }
  // An absolute path may still spell the directory that the command runs in; of
  // relative ones only dots, slashes and stars lead to all that is here.
  bool here = absolute ? directory == context.directory
                       : text.find_first_not_of("./*") == std::string::npos &&
                             (all || text.find('*') == std::string::npos);
  return here ? PathKind::kHere : PathKind::kOther;
}

// A line and not a list, so that one pattern can ask for an option and a path
// in any order, as people write them. A blank in an argument is not a blank of
// the line.
std::string ArgumentLine(const Words& words, const PathContext& context) {
  std::string line;
  for (size_t i = 1; i < words.size(); ++i) {
    // "of=/dev/sda", "--target=/". Only where the '=' stands before every
    // slash: in "/tmp/a=b" it is part of a name.
    const std::string& whole = words[i].text;
    size_t equals = whole.find('=');
    size_t name = equals < whole.find('/') ? equals + 1 : 0;
    std::string text = whole;
    for (char& c : text) {
      auto byte = static_cast<unsigned char>(c);
      if (absl::ascii_isspace(byte) || absl::ascii_iscntrl(byte)) c = '_';
    }
    PathKind kind = ClassifyPath(words[i].Part(name), context);
    if (kind != PathKind::kOther) text.insert(name, 1, static_cast<char>(kind));
    line += " " + text;
  }
  return line;
}

}  // namespace glasstty::gate
