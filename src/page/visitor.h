// One open page: the session that it shows, and the stream that updates it, one
// line of JSON at a time.
//
// At most 30 screens a second are sent, and none while the browser is still
// receiving the last one, so even a flood of output costs few screens. Owns the
// stream and the watched session. Borrows the list, which must outlive it, as
// must the loop. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "http/server.h"
#include "observe/frame.h"
#include "page/session_list.h"
#include "support/json.h"
#include "support/loop.h"
#include "watch/past.h"
#include "watch/watched.h"

namespace glasstty::page {

class Visitor {
 public:
  // `gone` is called from the loop when the browser has closed the stream; it
  // may destroy this.
  Visitor(Loop* loop, const SessionList* list,
          std::unique_ptr<http::ResponseStream> stream,
          std::function<void()> gone);
  ~Visitor();

  // What the page's requests name it by.
  const std::string& id() const { return id_; }
  void TellList();

  // From here on it shows the session with this id.
  // Error: NotFound; a session without a terminal.
  absl::Status Watch(const std::string& session);
  // Null before the first Watch.
  watch::Watched* watched() const { return watched_.get(); }
  // Shows the screen of so many seconds after the session's beginning; nullopt:
  // that of now.
  void ShowMoment(std::optional<double> seconds);
  // Seconds from the session's beginning to its last output, or its exit.
  double Length();
  // The screen that it shows. REQUIRES: watched() is there.
  observe::Frame FrameNow() const;
  // Lines with `text` in them, letters of any case, the newest first: of those
  // that the terminal still holds. Of a long line, what is around it.
  Json Find(const std::string& text, size_t most) const;

 private:
  void Changed();
  void Send(const Json& message);
  void SendFrame();
  void SendFacts();

  Loop* const loop_;
  const SessionList* const list_;  // borrowed
  const std::unique_ptr<http::ResponseStream> stream_;
  const std::string id_;
  std::unique_ptr<watch::Watched> watched_;
  std::unique_ptr<watch::Past> past_;
  // The moment that is shown, as far as it has been reached.
  bool in_past_ = false;
  bool past_ready_ = false;
  // What the page shows; nullopt: nothing yet.
  std::optional<observe::Frame> shown_;
  Json facts_;
  bool list_due_ = true;
  Timer frame_;
  Timer probe_;
  Time last_frame_;
};

}  // namespace glasstty::page
