// An open page: the session that it shows, and the stream that updates it, one
// line of JSON at a time.
//
// At most 30 screens a second are sent, and none while the browser is still
// receiving the last one, so even a flood of output costs few screens. Owns the
// stream and the watched session. Borrows the list and the loop, which must
// outlive it. Loop thread only.
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

// Returns a text that identifies the current prompt for a secret, so that an
// answer is not typed at another prompt; "" if there is no such prompt.
std::string PromptOf(const watch::Watched& session);

class Visitor {
 public:
  // `welcome` contains members to add to the first message. `gone` is called
  // from the loop when the browser has closed the stream; it may destroy this
  // object.
  Visitor(Loop* loop, const SessionList* list,
          std::unique_ptr<http::ResponseStream> stream, Json welcome,
          std::function<void()> gone);
  ~Visitor();

  // The id by which the page's requests refer to this visitor.
  const std::string& id() const { return id_; }
  void TellList();

  // Shows the session with this id from now on. Fails with NotFound, or if the
  // session has no terminal.
  absl::Status Watch(const std::string& session);
  // The id of the shown session; "" before the first Watch.
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
  // Returns {"length", "age"}: the seconds from the session's beginning to its
  // last output, and to now; both end at its exit.
  Json Length();
  // Sends the screen at that moment, for a small preview, when it is available;
  // a later call replaces an earlier one.
  void Peek(double seconds);
  // Null before the first Watch, and perhaps after one that failed.
  const Trace* trace() const { return trace_.get(); }
  // Returns the frame that the page should show. REQUIRES: watched() is not
  // null.
  observe::Frame FrameNow() const;
  // Finds lines that contain `text`, ignoring case, newest first, among those
  // that the terminal still has. Of a long line, only the surroundings of the
  // match are returned.
  Json Find(const std::string& text, size_t most) const;
  // Returns the kept rows of [from, to) above the shown screen, at most 500, as
  // {"from": 7, "rows": [...], "wrapped": [9]} (screen_json.h).
  Json RowsAbove(int64_t from, int64_t to) const;

 private:
  void Changed();
  void Send(const Json& message);
  void SendFrame();
  void SendScreen();
  void SendFacts();
  // REQUIRES: watched() is not null.
  const terminal::Terminal& terminal() const;
  // Shifts the rows of shown_ as the terminal's rows have moved since the last
  // message. Returns the rows that have left the top of the screen, with null
  // for each that equals its copy in shown_. If the screen is another one (of
  // another size, or the alternate screen), clears shown_.
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
  // True while an earlier moment is shown; past_ready_ is true once that moment
  // has been reached.
  bool in_past_ = false;
  bool past_ready_ = false;
  // The frame that the page shows; nullopt if there is none yet.
  std::optional<observe::Frame> shown_;
  int64_t shown_top_ = 0;  // the number of shown_'s first row
  Json facts_;
  Gallery gallery_;
  bool list_due_ = true;
  Timer frame_;
  Timer probe_;
  Time last_frame_;
};

}  // namespace glasstty::page
