// The screens of many sessions at once, for the overview: each is watched from
// its files, without rows above the screen, and told at most four times a
// second.
//
// Owns what it watches. Borrows the list of sessions, which must outlive it, as
// must the loop. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "observe/frame.h"
#include "page/session_list.h"
#include "support/json.h"
#include "support/loop.h"
#include "watch/watched.h"

namespace glasstty::page {

class Gallery {
 public:
  // `changed` is called from the loop when there is something to tell.
  Gallery(Loop* loop, const SessionList* list, std::function<void()> changed);
  ~Gallery();

  // Watches the sessions with these ids from now on, and no others. Those that
  // cannot be watched are left out.
  void Show(const std::vector<std::string>& ids);
  // Returns what has changed since it was told, as screens (screen_json.h) with
  // the id of their session: [{"id": "...", "rows": {...}, ...}]. Returns none
  // if that was less than a quarter of a second ago; `changed` follows.
  Json TakeChanges();

 private:
  struct Thumbnail {
    std::unique_ptr<watch::Watched> watched;
    std::optional<observe::Frame> shown;
    uint64_t revision = 0;  // of the terminal, when it was told
    Time opened;
    bool is_ready = false;  // its log has been read once, or takes long
    bool is_due = false;
  };

  void Add(const std::string& id);
  void Due(Thumbnail* thumbnail);

  Loop* const loop_;
  const SessionList* const list_;  // borrowed
  const std::function<void()> changed_;
  std::map<std::string, Thumbnail> thumbnails_;
  // Armed while something is due.
  Timer tell_;
  Time last_told_;
};

}  // namespace glasstty::page
