#include "gate/paths.h"

#include <fnmatch.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace glasstty {
namespace {

// As in hier(7). "/usr/*" stands for each directory in it. "/tmp" itself hurts,
// since sockets of running programs lie in it, and what is below it does not.
// The last four are those of Nix, snap and macOS.
constexpr const char* kSystemPatterns[] = {
    "/",       "/bin",     "/boot",        "/dev",          "/etc",
    "/home",   "/lib",     "/lib*",        "/media",        "/mnt",
    "/opt",    "/proc",    "/root",        "/run",          "/sbin",
    "/srv",    "/sys",     "/tmp",         "/usr",          "/usr/*",
    "/var",    "/var/lib", "/var/log",     "/var/lib/dpkg", "/var/lib/docker",
    "/home/*", "/etc/ssh", "/etc/systemd", "/nix",          "/snap",
    "/System", "/Users"};
// Below a home.
constexpr const char* kHomePatterns[] = {"/.ssh",      "/.gnupg",
                                         "/.config",   "/.local",
                                         "/Documents", "/.password-store"};
// Harmless ones (null, zero, tty) are absent on purpose: writing to them is
// common. Whatever is written to sysrq-trigger is a command to the kernel. "?"
// also stands for a glob of the command's own: "/dev/sd*".
constexpr const char* kDevicePatterns[] = {
    "/dev/sd?*",     "/dev/hd?*",          "/dev/vd?*", "/dev/xvd?*",
    "/dev/nvme?*",   "/dev/mmcblk?*",      "/dev/dm-*", "/dev/md?*",
    "/dev/mapper/*", "/dev/disk/*",        "/dev/mem",  "/dev/kmem",
    "/dev/port",     "/proc/sysrq-trigger"};
// Overwriting one of them locks people out or keeps the machine from booting.
constexpr const char* kFilePatterns[] = {
    "/etc/passwd",  "/etc/shadow",  "/etc/group",       "/etc/gshadow",
    "/etc/sudoers", "/etc/fstab",   "/etc/hosts",       "/etc/ssh/sshd_config",
    "/boot/*",      "/etc/pam.d/*", "/etc/sudoers.d/*", "/vmlinuz*",
    "/initrd*"};

// FNM_PATHNAME: a star stays within one directory, so "/home/*" is a home and
// not what lies in it.
template <size_t N>
bool MatchesOne(const char* const (&patterns)[N], const std::string& path) {
  return std::any_of(std::begin(patterns), std::end(patterns),
                     [&path](const char* pattern) {
                       return fnmatch(pattern, path.c_str(), FNM_PATHNAME) == 0;
                     });
}

// Quoted, a star is a name like any other.
bool IsGlob(const Word& word, size_t at) {
  char c = word.text[at];
  return word.marks[at] == Mark::kLive && (c == '*' || c == '?' || c == '[');
}

// Whether a path with live globs may name one of the patterns' directories:
// "/u*" may be "/usr". Only directories without globs of their own.
bool GlobMayName(const std::string& glob) {
  return std::any_of(std::begin(kSystemPatterns), std::end(kSystemPatterns),
                     [&glob](const char* path) {
                       return fnmatch(glob.c_str(), path, FNM_PATHNAME) == 0;
                     });
}

bool IsSystem(const std::string& path, const std::string& home) {
  return MatchesOne(kSystemPatterns, path) || (!home.empty() && path == home);
}

// Only below the home of this user: others' keys cannot be deleted by accident.
bool IsKeepsake(const std::string& path, const std::string& home) {
  return !home.empty() && path.compare(0, home.size(), home) == 0 &&
         MatchesOne(kHomePatterns, path.substr(home.size()));
}

// "~", "~user" and "~/x" of a word; the text as it is else. Homes of others are
// taken to be in /home, and an unknown home to be "/home/user", for a tilde
// that nobody can resolve still names some home.
std::string WithoutTilde(const Word& word, const PathContext& context) {
  if (word.text.empty() || word.text[0] != '~' ||
      word.marks[0] != Mark::kLive) {
    return word.text;
  }
  size_t slash = std::min(word.text.find('/'), word.text.size());
  std::string user = word.text.substr(1, slash - 1);
  std::string home = user.empty() ? context.home : "/home/" + user;
  if (user == "+") home = context.directory;
  return (home.empty() ? "/home/user" : home) + word.text.substr(slash);
}

// The word as it is when all that is unknown and may be empty is empty. Bytes
// that are unknown but not empty (kNonEmpty) stay: they keep the rest from
// being judged as if nothing stood there.
Word WithoutUnknown(const Word& word) {
  Word known;
  for (size_t i = 0; i < word.text.size(); ++i) {
    if (word.marks[i] == Mark::kUnknown) continue;
    known.Append({&word.text[i], 1}, word.marks[i]);
  }
  return known;
}

}  // namespace

// By the text alone: what a symbolic link would lead to is not looked up, so
// that a judgement touches no disk and cannot block.
std::string NormalPath(std::string_view path, std::string_view directory) {
  std::string whole(path);
  if (path.empty() || path[0] != '/') {
    whole = std::string(directory) + "/" + whole;
  }
  std::vector<std::string> parts;
  size_t at = 0;
  while (at < whole.size()) {
    size_t end = std::min(whole.find('/', at), whole.size());
    std::string part = whole.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    // ".." of the root is the root, as in the kernel.
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  std::string normal;
  for (const std::string& part : parts) normal += "/" + part;
  return normal.empty() ? "/" : normal;
}

// A glob is judged by what it may match: "DIR/*" is the directory itself, and
// "/u*" is "/usr" among others. A star that narrows ("*.o") is no danger.
PathKind ClassifyPath(const Word& word, const PathContext& context) {
  // A variable that is not set is the usual way to "rm -rf /*".
  if (!word.IsKnown()) {
    Word rest = WithoutUnknown(word);
    bool is_root = rest.IsKnown() && (rest.text == "/" || rest.text == "/*");
    return is_root ? PathKind::kSystem : PathKind::kOther;
  }
  std::string text = WithoutTilde(word, context);
  if (text.empty()) return PathKind::kOther;
  bool absolute = text[0] == '/';
  bool globs = false;
  for (size_t i = 0; i < word.text.size(); ++i) globs |= IsGlob(word, i);
  std::string path = NormalPath(text, context.directory);
  // A relative path in an unknown directory is compared with no absolute
  // pattern: `path` then begins at "/" by accident.
  bool resolved = absolute || !context.directory.empty();
  // "DIR/*" and "DIR/.*" empty the directory.
  std::string last = text.substr(text.rfind('/') + 1);
  bool all_of_it = globs && (last == "*" || last == ".*" || last == "?*" ||
                             last == ".[!.]*" || last == "**");
  std::string directory = path;
  if (all_of_it) directory = path.substr(0, path.rfind('/'));
  if (directory.empty()) directory = "/";
  if (resolved) {
    // From worst to least. The directory is asked about for trees ("/etc/*" is
    // all of "/etc"), the path for single files.
    if (IsSystem(directory, context.home)) return PathKind::kSystem;
    if (IsKeepsake(directory, context.home)) return PathKind::kKeepsake;
    if (globs && !all_of_it && GlobMayName(path)) return PathKind::kSystem;
    if (MatchesOne(kDevicePatterns, path)) return PathKind::kDevice;
    if (MatchesOne(kFilePatterns, path)) return PathKind::kSystemFile;
  }
  if (absolute) {
    // An absolute path may still spell the directory that the command runs in.
    bool here = !context.directory.empty() && directory == context.directory;
    return here ? PathKind::kHere : PathKind::kOther;
  }
  // Only dots, slashes and stars lead to all that is here, or above it.
  bool here = text.find_first_not_of("./*") == std::string::npos &&
              (all_of_it || text.find('*') == std::string::npos);
  return here ? PathKind::kHere : PathKind::kOther;
}

}  // namespace glasstty
