// An open page: the session that it shows, and the stream that updates it, one
// line of JSON at a time.
//
// At most 30 screens a second are sent, and none while the browser is still
// receiving the last one, so even a flood of output costs few screens. Owns the
// stream and the watched session. Borrows the list, which must outlive it, as
// must the loop. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "http/server.h"
#include "observe/frame.h"
#include "page/gallery.h"
#include "page/session_list.h"
#include "page/trace.h"
#include "support/json.h"
#include "support/loop.h"
#include "watch/past.h"
#include "watch/watched.h"

namespace glasstty::page {

// Returns a text that tells questions for a secret apart, so that no answer is
// typed at the next one; "" if the program asks for none.
std::string PromptOf(const watch::Watched& session);

class Visitor {
 public:
  // `welcome` has more members of the first message. `gone` is called from the
  // loop when the browser has closed the stream; it may destroy this object.
  Visitor(Loop* loop, const SessionList* list,
          std::unique_ptr<http::ResponseStream> stream, Json welcome,
          std::function<void()> gone);
  ~Visitor();

  // The id by which the page's requests refer to it.
  const std::string& id() const { return id_; }
  void TellList();

  // Shows the session with this id from now on. Error: NotFound, or the session
  // has no terminal.
  absl::Status Watch(const std::string& session);
  // The id of the session that it shows; "" before the first Watch.
  const std::string& session() const { return session_; }
  // Also shows thumbnails of these sessions from now on.
  void ShowThumbnails(const std::vector<std::string>& sessions) {
    gallery_.Show(sessions);
  }
  // Null before the first Watch.
  watch::Watched* watched() const { return watched_.get(); }
  // Shows the screen `seconds` after the session's beginning; nullopt: the
  // current screen.
  void ShowMoment(std::optional<double> seconds);
  // Returns the seconds from the session's beginning to its last output, or its
  // exit, and to now, or its exit: {"length", "age"}.
  Json Length();
  // Sends the screen at that moment for a small preview, once it is known;
  // a later call replaces an earlier one.
  void Peek(double seconds);
  // Null before the first Watch.
  const Trace* trace() const { return trace_.get(); }
  // Returns the screen that it shows. REQUIRES: watched() is not null.
  observe::Frame FrameNow() const;
  // Finds lines that contain `text`, ignoring case, newest first, among those
  // that the terminal still holds. A long line is reduced to the surroundings
  // of the match.
  Json Find(const std::string& text, size_t most) const;
  // Returns the rows [from, to) above the shown screen, as far as they are
  // still kept, as {"from": 7, "rows": [...], "wrapped": [9]} (screen_json.h).
  Json RowsAbove(int64_t from, int64_t to) const;

 private:
  void Changed();
  void Send(const Json& message);
  void SendFrame();
  void SendScreen();
  void SendFacts();
  // REQUIRES: watched() is not null.
  const terminal::Terminal& terminal() const;
  // Moves the rows that the page shows as the terminal's rows have moved since,
  // and returns those that have left its top and differ from what was shown. If
  // the screen is another one, nothing of it counts as shown any more.
  Json FollowRows();

  Loop* const loop_;
  const SessionList* const list_;  // borrowed
  const std::unique_ptr<http::ResponseStream> stream_;
  const std::string id_;
  std::string session_;
  std::unique_ptr<watch::Watched> watched_;
  std::unique_ptr<Trace> trace_;
  std::unique_ptr<watch::Past> past_;
  std::unique_ptr<watch::Past> peek_;  // for previews
  // True while an earlier moment is shown, and once it has been reached.
  bool in_past_ = false;
  bool past_ready_ = false;
  // The frame that the page shows; nullopt: nothing yet.
  std::optional<observe::Frame> shown_;
  int64_t shown_top_ = 0;  // the number of its first row
  Json facts_;
  Gallery gallery_;
  bool list_due_ = true;
  Timer frame_;
  Timer probe_;
  Time last_frame_;
};

}  // namespace glasstty::page
