#include "page/gallery.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "observe/screen_json.h"
#include "record/recording.h"

namespace glasstty::page {
namespace {

constexpr Duration kGap = std::chrono::milliseconds(250);
constexpr Duration kPatience = std::chrono::seconds(1);

}  // namespace

Gallery::Gallery(Loop* loop, const SessionList* list,
                 std::function<void()> changed)
    : loop_(loop),
      list_(list),
      changed_(std::move(changed)),
      tell_(loop, [this] { changed_(); }),
      last_told_(loop->Now() - kGap) {}

Gallery::~Gallery() = default;

void Gallery::Show(const std::vector<std::string>& ids) {
  std::set<std::string> wanted(ids.begin(), ids.end());
  std::erase_if(thumbnails_, [&wanted](const auto& each) {
    return !wanted.contains(each.first);
  });
  for (const std::string& id : wanted) {
    if (!thumbnails_.contains(id)) Add(id);
  }
}

void Gallery::Add(const std::string& id) {
  std::string path = list_->PathOf(id);
  auto session =
      path.empty() ? absl::NotFoundError("") : record::FindRecorded(path);
  if (!session.ok()) return;
  auto watched = watch::Watched::OpenFiles(loop_, *std::move(session));
  if (!watched.ok()) return;
  Thumbnail& added = thumbnails_[id];
  added.watched = *std::move(watched);
  added.opened = loop_->Now();
  added.watched->OnChange([this, &added] { Due(&added); });
  Due(&added);
}

// A screen is shown only once its log has been read to the end, unless that
// takes longer than kPatience (a flood).
void Gallery::Due(Thumbnail* thumbnail) {
  bool takes_long = loop_->Now() - thumbnail->opened > kPatience;
  if (takes_long || thumbnail->watched->caught_up()) thumbnail->is_ready = true;
  bool is_known =
      thumbnail->shown &&
      thumbnail->revision == thumbnail->watched->terminal().revision();
  if (is_known) return;
  thumbnail->is_due = true;
  if (!tell_.armed()) tell_.Set(std::max(loop_->Now(), last_told_ + kGap));
}

Json Gallery::TakeChanges() {
  Json changes = Json::array();
  // Visitors call this more often than once per kGap, for the chosen session.
  if (loop_->Now() < last_told_ + kGap) return changes;
  last_told_ = loop_->Now();
  for (auto& [id, each] : thumbnails_) {
    if (!each.is_due || !each.is_ready) continue;
    each.is_due = false;
    each.revision = each.watched->terminal().revision();
    observe::Frame now = observe::TakeFrame(each.watched->terminal());
    Json screen = observe::ScreenJson(each.shown ? &*each.shown : nullptr, now);
    each.shown = std::move(now);
    if (screen.empty()) continue;
    screen["id"] = id;
    changes.push_back(std::move(screen));
  }
  return changes;
}

}  // namespace glasstty::page
