// The sessions of this user, as the page lists them.
//
// Examines the state directory periodically and asks the holder of each live
// session what its program waits for. The screens of sessions that wait for
// input show what their programs ask. Changes nothing in the directory. Owns
// its observers; the loop must outlive it. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "support/json.h"
#include "support/loop.h"
#include "watch/foreground.h"
#include "watch/watched.h"

namespace glasstty::page {

class SessionList {
 public:
  // `changed` is called from the loop when the list has changed.
  SessionList(Loop* loop, std::function<void()> changed);
  ~SessionList();

  // Turns the examination on or off; it is off initially.
  void SetWanted(bool wanted);
  // Returns live sessions, then ended ones, each as {"id", "name", "command",
  // "program", "where", "state", ...}. Each group begins with the session that
  // was started last, and at most 30 ended ones are returned.
  const Json& json() const { return json_; }
  // Returns the directory of the session with this id, or "" if it is not
  // listed.
  std::string PathOf(const std::string& id) const;

 private:
  struct Entry {
    std::string path;
    std::string name;
    std::string command;
    watch::Foreground foreground;
    int64_t started_ms = 0;
    int64_t ended_ms = 0;  // 0: unknown
    std::string exit;      // how it ended; "": unknown
    bool ended = false;
    bool forgotten = false;      // its server forgot it, or was shut down
    bool is_unreadable = false;  // it lives, but its meta.json cannot be read
    bool away = false;  // there is no connection to the program's machine
    // Null if the session has ended or its holder accepts no observers.
    std::unique_ptr<watch::Watched> facts;
    // The screen, while the session waits for input, because its program may
    // ask a question.
    std::unique_ptr<watch::Watched> screen;
    uint64_t screen_revision = 0;  // `screen`'s, when it was last read
    std::string question;          // what the program asks; "" if uncertain
  };

  void Look();
  void Add(const std::string& id, const std::string& path, bool ended);
  void AddUnreadable(const std::string& id, const std::string& path,
                     const absl::Status& why);
  void Hear(Entry* entry);
  // Opens the screen if the session waits for input, and closes it otherwise.
  void FollowScreen(Entry* entry);
  void HearScreen(Entry* entry);
  void TellSoon();
  void Tell();
  Json EntryJson(const std::string& id, const Entry& entry) const;

  Loop* const loop_;
  const std::function<void()> changed_;
  std::map<std::string, Entry> entries_;
  Json json_ = Json::array();
  Timer look_;
  // Armed when the list may have changed. The delay merges the answers of many
  // sessions, which arrive at the same time.
  Timer tell_;
};

}  // namespace glasstty::page
