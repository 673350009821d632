// A place's directory contains the file `place` with the data with which the
// relay was started. So another server can start a client for a relay that
// still runs.
#include "session/places.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "place/bootstrap.h"
#include "record/state_dir.h"
#include "support/log.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

constexpr size_t kMaxProgram = 64 << 20;
// The number of servers with one state directory that can share a place.
constexpr int kMostServers = 16;
constexpr char kClaimName[] = "server";
// Equal to the relay's longest pause before an attempt (far/attempts.h).
constexpr Duration kMostPause = std::chrono::seconds(30);

absl::StatusOr<UniqueFd> OpenPrivate(const std::string& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return ErrnoStatus("mkdir", path);
  }
  UniqueFd fd(
      open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info;
  if (!fd.valid() || fstat(fd.get(), &info) != 0) {
    return ErrnoStatus("open", path);
  }
  if (info.st_uid != geteuid() || (info.st_mode & 077) != 0) {
    return FailedPrecondition(
        "%s must be accessible to this user only: chmod 700", path);
  }
  return fd;
}

// Returns the holder's executables for this machine and, if they are installed
// beside ours, for other architectures. For each, the name of the architecture
// is followed by the path.
std::vector<std::string> ProgramsFor(const std::string& own) {
  utsname names{};
  uname(&names);
  std::vector<std::string> programs = {names.machine, own};
  for (const char* machine : {"x86_64", "aarch64"}) {
    std::string path = own + "-" + machine;
    if (access(path.c_str(), R_OK) != 0) continue;
    programs.insert(programs.end(), {machine, path});
  }
  return programs;
}

// Returns a name that people recognize, with a hash of the client's words:
// "db-0a1b2c3d". The second server that uses the place gets "db-0a1b2c3d-2".
std::string DirectoryName(const place::Place& place, int number) {
  std::string words;
  for (const std::string& word : place.client) words += word + '\0';
  return absl::StrFormat(
      "%s-%08x%s", place.name, wire::Crc32c(words.data(), words.size()),
      number == 1 ? std::string() : absl::StrFormat("-%d", number));
}

}  // namespace

std::vector<ReachedPlace> Places::All() const {
  std::vector<ReachedPlace> all;
  for (const Known& known : known_) {
    if (known.link != nullptr) all.push_back({known.link, known.client});
  }
  return all;
}

Places::Places(Loop* loop, std::string directory, int executable,
               std::string executable_path, OpenClient open, IsUsed is_used)
    : loop_(loop),
      directory_(std::move(directory)),
      executable_(executable),
      executable_path_(std::move(executable_path)),
      open_(std::move(open)),
      is_used_(std::move(is_used)) {}

absl::StatusOr<ReachedPlace> Places::Reach(const place::Place& place) {
  Known* known = Find(place);
  if (known == nullptr) {
    Known fresh;
    ASSIGN_OR_RETURN(UniqueFd directory, Claim(&fresh, place));
    known = &known_.emplace_back(std::move(fresh));
  }
  RETURN_IF_ERROR(Reach(known));
  return ReachedPlace{known->link, known->client};
}

absl::Status Places::Reach(Known* known) {
  if (known->link == nullptr || known->link->IsGone()) {
    RETURN_IF_ERROR(Connect(known));
  }
  if (known->client == nullptr || known->client->finished()) {
    return FindClient(known);
  }
  wire::PlaceState state = known->link->status().state;
  if (state == wire::PlaceState::kFailed ||
      state == wire::PlaceState::kPausing) {
    known->link->Retry();
  }
  return absl::OkStatus();
}

// Earlier servers may have left relays in any of the directories.
void Places::Adopt(const place::Place& place) {
  for (int number = 1; number <= kMostServers; ++number) {
    std::string path = directory_ + "/" + DirectoryName(place, number);
    UniqueFd directory(
        open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!directory.valid() || !wire::ConnectHolder(directory.get()).valid())
      continue;
    bool is_known =
        std::any_of(known_.begin(), known_.end(),
                    [&path](const Known& known) { return known.path == path; });
    Known left;
    left.path = path;
    if (is_known || !Claim(&left, place).ok()) continue;
    Known* known = &known_.emplace_back(std::move(left));
    absl::Status status = Reach(known);
    if (!status.ok()) Warn("%s: %s", place.text, Message(status));
  }
}

// Uses the client that an earlier server has started, or starts one.
absl::Status Places::FindClient(Known* known) {
  const place::Place& place = known->place;
  ASSIGN_OR_RETURN(std::string hash, Hash());
  const char* directory = std::getenv("GLASSTTY_FAR_DIR");
  std::string line = place::BootstrapLine(
      {.token = known->spec.token,
       .hash = std::move(hash),
       .near_id = known->spec.near_id,
       .directory = directory == nullptr ? "" : directory});
  std::vector<std::string> argv = {executable_path_, "--plug", known->path,
                                   "--"};
  for (std::string& word : place::ClientCommand(place, line)) {
    argv.push_back(std::move(word));
  }
  known->watch.reset();
  ASSIGN_OR_RETURN(known->client, open_("@" + place.name, argv));
  LookAfter(known);
  return absl::OkStatus();
}

void Places::LookAfter(Known* known) {
  if (known->restart == nullptr) {
    known->restart =
        std::make_unique<Timer>(loop_, [this, known] { RestartClient(known); });
  }
  known->watch =
      std::make_unique<Watch>(known->client->waiters(), [this, known] {
        if (WantsClient(*known)) known->restart->SetAfter(known->pause);
      });
  std::weak_ptr<Session> client = known->client;
  known->link->OnChange([client, known] {
    if (known->link->up()) known->pause = kFirstPause;
    if (SessionRef session = client.lock()) session->LookAgain();
  });
}

bool Places::WantsClient(const Known& known) const {
  return !stopped_ && known.client != nullptr && known.client->finished() &&
         !known.client->life().close_asked() && is_used_(known.place);
}

void Places::RestartClient(Known* known) {
  if (!WantsClient(*known)) return;
  known->pause = std::min(2 * known->pause, kMostPause);
  absl::Status reached = Reach(known);
  if (reached.ok()) return;
  Trace(LogCategory::kHolder, "%s: %s", known->place.text, Message(reached));
  known->restart->SetAfter(known->pause);
}

void Places::Stop() {
  stopped_ = true;
  for (Known& known : known_) known.restart.reset();
}

Places::Known* Places::Find(const place::Place& place) {
  for (Known& known : known_) {
    if (known.place.client == place.client) return &known;
  }
  return nullptr;
}

// Opens and locks the directory that the place had before, or the first one
// that no other server uses.
absl::StatusOr<UniqueFd> Places::Claim(Known* known,
                                       const place::Place& place) {
  known->place = place;
  RETURN_IF_ERROR(OpenPrivate(directory_).status());
  for (int number = 1; number <= kMostServers; ++number) {
    std::string path = directory_ + "/" + DirectoryName(place, number);
    if (!known->path.empty() && path != known->path) continue;
    ASSIGN_OR_RETURN(UniqueFd directory, OpenPrivate(path));
    UniqueFd claim(openat(directory.get(), kClaimName,
                          O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!claim.valid()) return ErrnoStatus("open", path + "/" + kClaimName);
    if (flock(claim.get(), LOCK_EX | LOCK_NB) != 0) continue;
    known->path = path;
    known->claim = std::move(claim);
    return directory;
  }
  return ResourceExhausted("on %s: %d servers use it already", place.text,
                           kMostServers);
}

// Connects to the running relay, or to a new one.
absl::Status Places::Connect(Known* known) {
  known->watch.reset();
  known->client.reset();
  // A call that waits for the place may keep the old link.
  if (known->link != nullptr) known->link->OnChange(nullptr);
  known->link.reset();
  // The directory may have been removed and created again, so it is locked
  // again.
  known->claim.Reset();
  ASSIGN_OR_RETURN(UniqueFd directory, Claim(known, known->place));
  std::string text;
  UniqueFd socket;
  if (ReadFileAt(directory.get(), wire::kPlaceFileName, wire::kMaxPlaceSpec,
                 &text) &&
      wire::DecodePlace(text, &known->spec)) {
    socket = wire::ConnectHolder(directory.get());
  }
  if (!socket.valid()) {
    RETURN_IF_ERROR(CompleteSpec(known->place, &known->spec));
    text = wire::EncodePlace(known->spec);
    if (!ReplaceFileAt(directory.get(), wire::kPlaceFileName, text)) {
      return ErrnoStatus("write", known->path);
    }
    socket = wire::LaunchWith(executable_, directory.get(), text);
    if (!socket.valid()) return ErrnoStatus("start the relay in", known->path);
  }
  known->link =
      std::make_shared<PlaceLink>(loop_, known->place, std::move(socket));
  return absl::OkStatus();
}

// Keeps the token and the id of the previous relay, because two processes use
// them: a client that waits for the next relay, and the process on the other
// machine to which the previous relay was connected.
absl::Status Places::CompleteSpec(const place::Place& place,
                                  wire::PlaceSpec* spec) const {
  spec->text = place.text;
  spec->prefix = place.prefix;
  if (spec->token.empty()) {
    ASSIGN_OR_RETURN(std::string random, record::RandomId());
    spec->token = "glasstty-" + random;
    ASSIGN_OR_RETURN(spec->near_id, record::RandomId());
  }
  spec->programs = ProgramsFor(executable_path_);
  return absl::OkStatus();
}

// Returns a hash of our executable. The copy on the other machine has this hash
// in its name, so that equal executables share a file.
absl::StatusOr<std::string> Places::Hash() {
  if (!hash_.empty()) return hash_;
  std::string program;
  if (!ReadFileAt(AT_FDCWD, executable_path_, kMaxProgram, &program)) {
    return ErrnoStatus("read", executable_path_);
  }
  hash_ = absl::StrFormat(
      "%08x-%d", wire::Crc32c(program.data(), program.size()), program.size());
  return hash_;
}

}  // namespace glasstty::session
