#include "gate/rules.h"

#include <iterator>
#include <map>

#include "support/check.h"
#include "support/pattern.h"

namespace glasstty {
namespace {

// Of short options that are written together, and the long one. Only a prefix
// of the argument is asked for, so "-rfv" has its "r" however many letters
// follow.
#define SHORT(letters) " -[a-zA-Z]*[" letters "]"
#define RECURSIVE "( -[a-zA-Z]*[rR]| --r)"
// A path that hurts when it is written to, and one that hurts when all that is
// below it is touched: "here" and a keepsake are directories, which no single
// write can overwrite.
#define BAD_PATH "[" GATE_SYSTEM GATE_FILE GATE_DEVICE "]"
#define BAD_TREE "[" GATE_SYSTEM GATE_FILE GATE_DEVICE GATE_HERE GATE_KEEP "]"

// Columns: name, programs, needs, also, unless, why. The line of arguments
// begins with a blank, so " -x" is an option and never the end of a word, and
// "^ x" is the first argument.
constexpr Rule kRules[] = {
    // Files. What an ordinary build deletes (build/, node_modules, /tmp/x) is
    // no path that hurts; ClassifyPath decides.
    {"rm-recursive", "rm", RECURSIVE, BAD_TREE, nullptr,
     "deletes a system directory, a home, or everything here"},
    {"rm-system-file", "rm unlink", GATE_FILE, nullptr, nullptr,
     "deletes a file that the system needs"},
    {"rm-no-preserve-root", "rm", " --no-preserve-root", nullptr, nullptr,
     "switches off rm's own guard of /"},
    {"mv-system", "mv", GATE_SYSTEM "[^ ]* .", nullptr, nullptr,
     "moves a system directory or a home away"},
    {"mv-null", "mv", " /dev/null$", nullptr, nullptr,
     "destroys what it moves"},
    {"shred", "shred srm wipe", " [^-]", nullptr, nullptr,
     "destroys files for good"},
    {"truncate", "truncate", BAD_PATH, nullptr, nullptr,
     "empties a file that the system needs"},
    {"chmod-recursive", "chmod chown chgrp chattr setfacl",
     "( -[a-zA-Z]*R| --rec)", GATE_SYSTEM, nullptr,
     "changes who may use a whole system or home"},
    {"chmod-system", "chmod chown chgrp",
     "(" GATE_DEVICE "|" GATE_SYSTEM "/( |$))", nullptr, nullptr,
     "changes who may use a disk or the root directory"},
    {"chmod-777", "chmod", " (0?777|a[+=]rwx|[+=]rwx|ugo[+=]rwx)( |$)", nullptr,
     nullptr, "lets everybody write", true},
    {"rsync-delete", "rsync", " --(del|remove)", BAD_TREE "[^ ]*$", nullptr,
     "deletes what the other side lacks"},
    {"overwrite-file", "cp install ln", "[" GATE_FILE GATE_DEVICE "][^ ]*$",
     nullptr, nullptr, "overwrites a disk or a file that the system needs"},
    {"tee-device", "tee", GATE_DEVICE, nullptr, nullptr, "overwrites a disk"},
    {"tee-file", "tee", GATE_FILE, nullptr, "(" SHORT("a") "| --append)",
     "overwrites a file that the system needs"},
    // Disks. Looking at one (-l, print, --dry-run) is spared.
    {"mkfs", "mkfs mke2fs mkswap mkdosfs newfs", " [^-]", nullptr, nullptr,
     "makes a file system over what is there"},
    {"dd-device", "dd", " of=" BAD_PATH, nullptr, nullptr,
     "overwrites a disk or a file that the system needs"},
    {"wipe-disk", "wipefs blkdiscard sgdisk hdparm nvme",
     "( -a| --all| -o|-Z| --zap| --security-erase| format| " GATE_DEVICE ")",
     nullptr,
     "( -l| --list| -p| --print| list| -n| --no-act| -I| smart-log)( |$)",
     "destroys what is on a disk"},
    {"partition", "fdisk sfdisk cfdisk gdisk parted", GATE_DEVICE, nullptr,
     "( -l| --list| print)( |$)", "changes the partitions of a disk"},
    {"crypt", "cryptsetup", " (luksFormat|erase|luksErase|reencrypt)", nullptr,
     nullptr, "makes what is on a disk unreadable"},
    {"volumes", "lvremove vgremove pvremove", " [^-]", nullptr, nullptr,
     "removes volumes with what is on them"},
    {"pools", "zpool zfs", " destroy", nullptr, nullptr,
     "destroys a pool or data set"},
    {"btrfs", "btrfs", " sub[a-z]* del", nullptr, nullptr,
     "deletes a subvolume"},
    {"raid", "mdadm", " --(zero-superblock|stop|remove)", nullptr, nullptr,
     "takes a disk array apart"},
    {"badblocks", "badblocks", SHORT("w"), nullptr, nullptr,
     "overwrites a disk"},
    {"umount", "umount swapoff",
     "(" SHORT("a") "| --all| " GATE_SYSTEM "/(usr|home|var|boot|opt)?( |$))",
     nullptr, nullptr, "takes file systems away under the system"},
    // The machine. An agent that stops it stops itself, and whoever shares it.
    {"shutdown", "shutdown reboot halt poweroff", "", nullptr,
     "( -c| --help| -w| --wtmp-only)( |$)", "stops the machine"},
    {"init", "init telinit", " [06]( |$)", nullptr, nullptr,
     "stops the machine"},
    {"systemctl", "systemctl loginctl",
     " (poweroff|reboot|halt|kexec|suspend|hibernate|emergency|rescue|"
     "terminate-user|kill-user|soft-reboot)( |$)",
     nullptr, nullptr, "stops the machine or its users"},
    {"kill-all", "kill", " -?1$", "( -[A-Z0-9]| -s | --)", nullptr,
     "kills every process, or the first one"},
    {"killall", "killall5 killall pkill skill slay",
     "( -u | --user| -U | -t |^$| \\.\\*?$| systemd$| sshd$| -v )", nullptr,
     nullptr, "kills everything of a user or of the system"},
    {"crontab", "crontab", SHORT("r"), nullptr, nullptr,
     "deletes the whole crontab"},
    {"users", "userdel deluser groupdel delgroup", " [^-]", nullptr, nullptr,
     "deletes a user or group"},
    {"passwd", "passwd chpasswd usermod",
     "( -[dl]| --delete| --lock| -L| --expiredate)", nullptr, nullptr,
     "locks an account or takes its password away"},
    {"firewall", "iptables ip6tables",
     "( -F| --flush| -X| --delete-chain| -P [A-Z]+ (DROP|REJECT))", nullptr,
     nullptr, "drops the firewall's rules or all connections"},
    {"firewall-tool", "nft ufw",
     " (flush|reset|disable|--force reset|delete table)", nullptr, nullptr,
     "drops the firewall's rules"},
    {"network", "ip ifconfig nmcli",
     "( link (set|delete).* down$| link del|^ [a-z0-9]+ down$| networking off|"
     " (addr|address|route) flush)",
     nullptr, nullptr, "may cut this machine off"},
    {"packages", "apt apt-get dpkg yum dnf rpm pacman apk",
     "(remove|purge|erase|--nodeps|-Rdd|-e |--force-)",
     "( --allow-remove-essential| --force-all| --nodeps| -Rdd|"
     " (libc6|glibc|systemd|bash|sudo|openssh-server|coreutils)( |$))",
     nullptr, "removes packages that the system needs"},
    {"keys", "gpg gpg2", " --delete-secret", nullptr, nullptr,
     "deletes secret keys"},
    // Version control: what a reflog or a remote cannot bring back easily.
    // The line begins behind git's own options.
    {"git-push-force", "git",
     "^ push( .*)?( -[a-z]*f| --force$| --force | --mirror| --delete| -d | "
     "\\+[^ ]| :[^ ])",
     nullptr, " (-n|--dry-run)( |$)",
     "overwrites or deletes what others have on the remote"},
    {"git-reset-hard", "git", "^ reset( .*)? --(hard|merge)", nullptr, nullptr,
     "throws changes away that are not committed", true},
    {"git-clean", "git", "^ clean", "( -[a-zA-Z]*f| --force)",
     "( -[a-zA-Z]*n| --dry-run)", "deletes files that git does not know"},
    {"git-discard", "git",
     "^ (checkout|restore|switch)( .*)?( -f| --force| --discard-changes|"
     " (-- )?" GATE_HERE ")",
     nullptr, "^ restore( .*)? --staged( |$)",
     "throws changes away that are not committed", true},
    {"git-branch-delete", "git", "^ branch( .*)?( -[a-z]*D| --delete --force)",
     nullptr, nullptr, "deletes a branch that is not merged", true},
    {"git-stash", "git", "^ stash clear", nullptr, nullptr,
     "throws all stashed changes away"},
    {"git-stash-drop", "git", "^ stash drop", nullptr, nullptr,
     "throws stashed changes away", true},
    {"git-history", "git",
     "^ (filter-branch|filter-repo|reflog (expire|delete)|"
     "gc( .*)? --prune=(now|all)|update-ref -d|worktree remove( .*)? "
     "(-f|--force))",
     nullptr, nullptr, "rewrites or drops history"},
    // Containers and clouds: volumes and machines hold data that no image has.
    {"docker-prune", "docker podman nerdctl",
     "^ (system|image|container|volume|builder) prune",
     "( -[a-z]*a| --all| --volumes|^ volume| -[a-z]*f| --force)", nullptr,
     "removes images, containers or volumes that are not running"},
    {"docker-remove", "docker podman nerdctl docker-compose",
     "(^ volume rm .*\\$\\(|^ (container )?rm .*\\$\\(|^ rmi .*\\$\\(|"
     "^( compose)? down( .*)? (-v|--volumes)|^ swarm leave|^ system reset)",
     nullptr, nullptr, "removes containers or volumes with their data"},
    {"docker-volume", "docker podman nerdctl", "^ volume (rm|remove)", nullptr,
     nullptr, "removes a volume with its data", true},
    {"kubectl-delete", "kubectl oc k3s", " (delete|drain)( |$)",
     "( drain| namespaces?| ns| nodes?| no| pv| persistentvolumes?| crds?|"
     " --all| --all-namespaces| -A)([ /]|$)",
     " --dry-run", "deletes much of what runs in a cluster"},
    {"kubectl-delete-one", "kubectl oc k3s", " delete( |$)", nullptr,
     " --dry-run", "deletes what runs in a cluster", true},
    {"helm", "helm", "^ (uninstall|delete|del|un)( |$)", nullptr, " --dry-run",
     "deletes what runs in a cluster"},
    {"terraform", "terraform tofu pulumi cdk terragrunt",
     "( destroy|^ apply.* -?-destroy| state rm|^ apply.* -auto-approve)",
     nullptr, nullptr, "destroys infrastructure"},
    {"aws", "aws",
     "( s3 rb| s3 rm.* --recursive| s3 sync.* --delete| terminate-|"
     " delete-(stack|db|bucket|table|cluster|volume|snapshot|user|function))",
     nullptr, " --dry-?run", "deletes data or machines in the cloud"},
    {"cloud", "gcloud gsutil az doctl heroku fly flyctl",
     "( delete( |$)| rm( .*)? -[a-z]*r| rb |:destroy| destroy( |$)|"
     " group delete)",
     nullptr, nullptr, "deletes data or machines in the cloud"},
    {"unpublish", "npm yarn pnpm cargo gh gem",
     "^ (unpublish|yank|repo delete|release delete)", nullptr, nullptr,
     "takes something published away from everybody"},
    // Data stores; SQL has rules of its own.
    {"redis", "redis-cli valkey-cli",
     "(?i) (flushall|flushdb|shutdown|config_set_dir)", nullptr, nullptr,
     "empties or stops the store"},
    {"mongo", "mongo mongosh",
     "(dropDatabase|\\.drop\\(|deleteMany\\(\\{\\}\\))", nullptr, nullptr,
     "drops data"},
    {"dropdb", "dropdb dropuser", " [^-]", nullptr, nullptr,
     "drops a database"},
    {"mysqladmin", "mysqladmin mariadb-admin", " (drop|shutdown)", nullptr,
     nullptr, "drops a database or stops it"},
};

// A blank in an argument is no blank of the line.
constexpr char kInnerBlank = '_';

// Control characters, which nobody types into an argument. A word that holds
// one all the same looks like a path that hurts, which is the safe side.
const char* MarkOf(PathKind kind) {
  switch (kind) {
    case PathKind::kOther:
      return "";
    case PathKind::kSystem:
      return "\x02";
    case PathKind::kDevice:
      return "\x03";
    case PathKind::kSystemFile:
      return "\x04";
    case PathKind::kKeepsake:
      return "\x06";
    case PathKind::kHere:
      return "\x05";
  }
  return "";
}

// In this order, for `needs` fails most often.
bool Holds(const Rule& rule, const std::string& line) {
  if (!MatchesBuiltIn(rule.needs, line)) return false;
  if (rule.also != nullptr && !MatchesBuiltIn(rule.also, line)) return false;
  return rule.unless == nullptr || !MatchesBuiltIn(rule.unless, line);
}

}  // namespace

bool HasName(std::string_view names, std::string_view name) {
  name = name.substr(0, name.find('.', 1));
  while (!names.empty()) {
    size_t blank = names.find(' ');
    if (names.substr(0, blank) == name) return true;
    names.remove_prefix(blank == std::string_view::npos ? names.size()
                                                        : blank + 1);
  }
  return false;
}

// Compiled at the first use: most servers never need most of them.
bool MatchesBuiltIn(const char* source, const std::string& text) {
  // By the address of the source: all are constants of tables, so no text has
  // to be hashed or compared. Never freed, so that nothing runs at exit.
  static auto* compiled = new std::map<const char*, Pattern>();
  auto found = compiled->find(source);
  if (found == compiled->end()) {
    auto pattern = Pattern::Compile(source);
    CHECK(pattern.ok());
    found = compiled->emplace(source, *std::move(pattern)).first;
  }
  return found->second.Find(text).has_value();
}

// The first row that holds names the harm; rows stand from worst to least
// within a program.
const Rule* FindRule(std::string_view program, const std::string& line,
                     bool strict) {
  for (const Rule& rule : kRules) {
    if (rule.routine && !strict) continue;
    if (HasName(rule.programs, program) && Holds(rule, line)) return &rule;
  }
  return nullptr;
}

// A line and not a list, so that one RE2 pattern can ask for an option and a
// path in any order, as people write them.
std::string ArgumentLine(const std::vector<Word>& words,
                         const PathContext& context) {
  std::string line;
  for (size_t i = 1; i < words.size(); ++i) {
    // "of=/dev/sda", "--target=/". Only where the '=' stands before every
    // slash: in "/tmp/a=b" it is part of a name.
    const std::string& whole = words[i].text;
    size_t equals = whole.find('=');
    bool named = equals < whole.find('/') && equals != std::string::npos;
    size_t name = named ? equals + 1 : 0;
    Word value = words[i].Part(name);
    std::string text = whole.substr(0, name) +
                       MarkOf(ClassifyPath(value, context)) + value.text;
    for (char& c : text) {
      // What is left alone are the marks; bytes from 0x80 on are parts of UTF-8
      // and negative where char is signed.
      bool control = c >= 0 && c < ' ' && (c < 2 || c > 6);
      if (c == ' ' || control) c = kInnerBlank;
    }
    line += " " + text;
  }
  return line;
}

}  // namespace glasstty
