#include "page/session_list.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>
#include <vector>

#include "record/recording.h"
#include "record/state_dir.h"
#include "support/text.h"

namespace glasstty::page {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds(1);
constexpr Duration kTellAfter = std::chrono::milliseconds(50);
// Ended sessions that are listed; the others are there for `glasstty replay`.
constexpr size_t kMostEnded = 30;

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

// A directory without meta.json is being made, and is looked at again.
void SessionList::Add(const std::string& id, const std::string& path,
                      bool ended) {
  auto found = entries_.find(id);
  if (found != entries_.end() && found->second.ended == ended) return;
  auto session = record::FindRecorded(path);
  if (!session.ok() || session->origin.program.pipe) return;
  Entry entry;
  entry.path = path;
  entry.name = session->origin.name;
  entry.command = Join(session->origin.program.argv, " ");
  entry.started_ms = session->origin.started_ms;
  entry.ended = ended;
  if (!ended) {
    auto facts = watch::Watched::OpenFacts(loop_, *std::move(session), "view");
    if (facts.ok()) entry.facts = *std::move(facts);
    if (entry.facts) entry.facts->OnChange([this] { TellSoon(); });
  }
  entries_[id] = std::move(entry);
}

void SessionList::Look() {
  look_.SetAfter(kLookEvery);
  auto dir = record::StateDir::OpenToLook();
  std::set<std::string> seen;
  if (dir.ok()) {
    for (const std::string& id : dir->List()) {
      seen.insert(id);
      Add(id, dir->path() + "/" + id, false);
    }
    for (const std::string& id : dir->ListEnded()) {
      seen.insert(id);
      Add(id, dir->path() + "/ended/" + id, true);
    }
  }
  std::erase_if(entries_, [&seen](const auto& each) {
    return !seen.contains(each.first);
  });
  for (auto& [id, entry] : entries_) {
    if (entry.facts) entry.facts->Probe();
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
               {"started_ms", entry.started_ms},
               {"live", !entry.ended}};
  if (!entry.facts) return json;
  const watch::Watched& facts = *entry.facts;
  json["state"] = session::ActivityName(facts.state().activity);
  if (facts.exited()) json["exit"] = session::ExitText(facts.exit_status());
  if (facts.held()) json["person"] = facts.lease().label;
  if (!facts.asked().empty()) json["asks"] = true;
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
