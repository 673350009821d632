#include "page/session_list.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>
#include <vector>

#include "record/recording.h"
#include "record/state_dir.h"
#include "record/timeline.h"
#include "support/status.h"
#include "support/text.h"
#include "waits/asked.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::page {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds(1);
constexpr Duration kTellAfter = std::chrono::milliseconds(50);
// The number of ended sessions in the list; `glasstty replay` shows the others.
constexpr size_t kMostEnded = 30;
constexpr size_t kMostOfQuestion = 200;  // in code points

// Returns the question that the program asks; "" if it is uncertain whether it
// asks one, because the page alerts a person to a question.
std::string QuestionOn(const terminal::Terminal& terminal,
                       const std::string& program) {
  bool draws =
      terminal.modes().alternate_screen || terminal.row_addresses() > 0;
  auto asked = waits::FindAsked(terminal, program, draws);
  bool asks = asked && asked->is_certain;
  return asks ? CleanText(asked->text, kMostOfQuestion) : "";
}

}  // namespace

SessionList::SessionList(Loop* loop, std::function<void()> changed)
    : loop_(loop),
      changed_(std::move(changed)),
      look_(loop, [this] { Look(); }),
      tell_(loop, [this] { Tell(); }) {}

SessionList::~SessionList() = default;

void SessionList::SetWanted(bool wanted) {
  if (!wanted) {
    look_.Clear();
    entries_.clear();
  } else if (!look_.armed()) {
    Look();
  }
}

std::string SessionList::PathOf(const std::string& id) const {
  auto found = entries_.find(id);
  return found == entries_.end() ? "" : found->second.path;
}

// If the session has a holder although its meta.json cannot be read, it can
// only be listed. Without a holder, its directory may still be in creation, and
// is examined again later.
void SessionList::AddUnreadable(const std::string& id, const std::string& path,
                                const absl::Status& why) {
  entries_.erase(id);
  UniqueFd directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat lock;
  bool lives = directory.valid() && !wire::IsOver(directory.get()) &&
               fstatat(directory.get(), wire::kLockName, &lock,
                       AT_SYMLINK_NOFOLLOW) == 0;
  if (!lives) return;
  Entry entry;
  entry.path = path;
  entry.name = id;
  entry.command = "cannot be shown: " + Message(why);
  entry.foreground.program = entry.command;
  entry.started_ms = int64_t{lock.st_mtim.tv_sec} * 1000;
  entry.is_unreadable = true;
  entries_[id] = std::move(entry);
}

void SessionList::Add(const std::string& id, const std::string& path,
                      bool ended) {
  auto found = entries_.find(id);
  bool is_known = found != entries_.end() && found->second.ended == ended &&
                  found->second.path == path && !found->second.is_unreadable;
  if (is_known) return;
  auto session = record::FindRecorded(path);
  if (!session.ok()) return AddUnreadable(id, path, session.status());
  if (session->origin.program.pipe) return;
  Entry entry;
  entry.path = path;
  entry.name = session->origin.name;
  entry.command = watch::OpenedWith(session->origin);
  entry.foreground = watch::StartedProgram(session->origin);
  entry.started_ms = session->origin.started_ms;
  entry.ended = ended;
  int directory = session->directory.get();
  if (auto exit = wire::ReadExit(directory); exit && ended) {
    entry.exit = session::ExitText(exit->status);
  }
  if (auto exit = record::ReadTimeline(directory).exit(); exit && ended) {
    entry.ended_ms =
        entry.started_ms + static_cast<int64_t>(exit->seconds * 1000);
  }
  if (!ended) {
    auto facts = watch::Watched::OpenFacts(loop_, *std::move(session), "view");
    if (facts.ok()) entry.facts = *std::move(facts);
  }
  Entry& added = entries_[id] = std::move(entry);
  if (!added.facts) return;
  added.facts->OnChange([this, &added] { Hear(&added); });
}

void SessionList::Hear(Entry* entry) {
  if (const wire::ProbeAnswer* answer = entry->facts->probe()) {
    entry->foreground = watch::ForegroundOf(entry->facts->origin(), *answer);
  }
  FollowScreen(entry);
  TellSoon();
}

void SessionList::FollowScreen(Entry* entry) {
  bool may_ask = entry->facts->state().activity == session::Activity::kInput;
  if (!may_ask) {
    entry->screen.reset();
    entry->question.clear();
  }
  if (!may_ask || entry->screen) return;
  auto session = record::FindRecorded(entry->path);
  if (!session.ok()) return;
  auto screen = watch::Watched::OpenFiles(loop_, *std::move(session));
  if (!screen.ok()) return;
  entry->screen = *std::move(screen);
  entry->screen_revision = 0;
  entry->screen->OnChange([this, entry] { HearScreen(entry); });
}

void SessionList::HearScreen(Entry* entry) {
  const terminal::Terminal& terminal = entry->screen->terminal();
  bool is_new = entry->screen->caught_up() &&
                terminal.revision() != entry->screen_revision;
  if (!is_new) return;
  entry->screen_revision = terminal.revision();
  entry->question = QuestionOn(terminal, entry->facts->state().program);
  TellSoon();
}

void SessionList::Look() {
  look_.SetAfter(kLookEvery);
  auto dir = record::StateDir::OpenToLook();
  std::set<std::string> seen;
  bool is_there = !absl::IsNotFound(dir.status());
  absl::StatusOr<std::vector<std::string>> live, ended;
  if (dir.ok()) live = dir->List();
  if (dir.ok()) ended = dir->ListEnded();
  // If the directory cannot be read at the moment, the known sessions are
  // assumed to exist.
  if (is_there && (!live.ok() || !ended.ok())) return;
  if (dir.ok()) {
    for (const std::string& id : *live) {
      seen.insert(id);
      auto known = entries_.find(id);
      bool is_over = known != entries_.end() && known->second.facts &&
                     wire::IsOver(known->second.facts->directory());
      bool was_over = known != entries_.end() && known->second.ended;
      Add(id, dir->path() + "/" + id, is_over || was_over);
    }
    for (const std::string& id : *ended) {
      seen.insert(id);
      Add(id, dir->path() + "/ended/" + id, true);
      auto added = entries_.find(id);
      if (added != entries_.end()) added->second.forgotten = true;
    }
  }
  std::erase_if(entries_, [&seen](const auto& each) {
    return !seen.contains(each.first);
  });
  for (auto& [id, entry] : entries_) {
    if (!entry.facts) continue;
    entry.away = entry.facts->away();
    entry.facts->Probe();
  }
  TellSoon();
}

void SessionList::TellSoon() {
  if (!tell_.armed()) tell_.SetAfter(kTellAfter);
}

Json SessionList::EntryJson(const std::string& id, const Entry& entry) const {
  Json json = {{"id", id},
               {"name", entry.name},
               {"command", entry.command},
               {"program", entry.foreground.program},
               {"where", entry.foreground.where},
               {"started_ms", entry.started_ms},
               {"live", !entry.ended}};
  if (entry.ended_ms > 0) json["ended_ms"] = entry.ended_ms;
  if (!entry.exit.empty()) json["exit"] = entry.exit;
  if (entry.forgotten) json["forgotten"] = true;
  if (entry.away) json["away"] = true;
  if (entry.is_unreadable) json["state"] = "left";
  if (!entry.facts) return json;
  const watch::Watched& facts = *entry.facts;
  json["state"] = session::ActivityName(facts.state().activity);
  if (facts.exited()) json["exit"] = session::ExitText(facts.exit_status());
  if (facts.held()) json["person"] = facts.lease().label;
  if (!facts.asked().empty()) json["asks"] = true;
  if (!entry.question.empty()) json["question"] = entry.question;
  return json;
}

void SessionList::Tell() {
  std::vector<std::pair<std::string, const Entry*>> live, ended;
  for (const auto& [id, entry] : entries_) {
    (entry.ended ? ended : live).emplace_back(id, &entry);
  }
  auto newer = [](const auto& a, const auto& b) {
    return a.second->started_ms > b.second->started_ms;
  };
  std::sort(live.begin(), live.end(), newer);
  std::sort(ended.begin(), ended.end(), newer);
  if (ended.size() > kMostEnded) ended.resize(kMostEnded);
  Json json = Json::array();
  for (const auto& list : {live, ended}) {
    for (const auto& [id, entry] : list) json.push_back(EntryJson(id, *entry));
  }
  if (json == json_) return;
  json_ = std::move(json);
  changed_();
}

}  // namespace glasstty::page
