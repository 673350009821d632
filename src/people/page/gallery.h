// The screens of many sessions at once, for the overview. Each session is
// watched by its files, without rows above the screen, and its changes are sent
// at most four times per second.
//
// Owns the watched sessions. Borrows the list of sessions and the loop, which
// must outlive it. Loop thread only.
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
  // `changed` is called from the loop when TakeChanges has changes to return.
  Gallery(Loop* loop, const SessionList* list, std::function<void()> changed);
  ~Gallery();

  // Watches exactly the sessions with these ids from now on, except those that
  // cannot be watched.
  void Show(const std::vector<std::string>& ids);
  // Returns the changes since the last call, as screens (screen_json.h) with
  // the id of their session: [{"id": "...", "rows": {...}, ...}]. Returns none
  // if that call was less than a quarter of a second ago; `changed` is then
  // called later.
  Json TakeChanges();

 private:
  struct Thumbnail {
    std::unique_ptr<watch::Watched> watched;
    std::optional<observe::Frame> shown;
    uint64_t revision = 0;  // the terminal's revision in the last result
    Time opened;
    bool is_ready = false;  // its log has been read to the end, or takes long
    bool is_due = false;
  };

  void Add(const std::string& id);
  void Due(Thumbnail* thumbnail);

  Loop* const loop_;
  const SessionList* const list_;  // borrowed
  const std::function<void()> changed_;
  std::map<std::string, Thumbnail> thumbnails_;
  // Armed while changes are due.
  Timer tell_;
  Time last_told_;
};

}  // namespace glasstty::page
