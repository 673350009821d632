// Runs an interface that fills a person's terminal: reads keys, writes pictures
// and handles signals.
//
// Owns the glass and the watches on the terminal; borrows the terminal and the
// loop. The functions of Show determine the picture and the effect of keys.
// Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "attach/glass.h"
#include "attach/outer_terminal.h"
#include "attach/typed_keys.h"
#include "support/loop.h"

namespace glasstty::attach {

class Stage {
 public:
  // The functions are called from the loop, and must not destroy the stage.
  struct Show {
    std::function<void(const TypedKey&)> key;
    // Returns the bytes that make the terminal show the current picture.
    std::function<std::string()> paint;
    // Called with a reason, such as "the terminal is gone", when the interface
    // must end.
    std::function<void(std::string)> end;
    std::function<void()> resized = [] {};
    // Called before SIGTSTP returns the terminal to the shell.
    std::function<void()> stopped = [] {};
  };

  // Enters the terminal, and paints soon.
  Stage(Loop* loop, OuterTerminal* outer, Show show);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  Glass& glass() { return glass_; }
  const Glass& glass() const { return glass_; }
  void SchedulePaint();

 private:
  void OnReadable();
  void OnWritable();
  void OnResized();
  void OnStopped();
  void OnContinued();
  void WatchSignals();
  void Paint();

  // Borrowed.
  Loop* const loop_;
  OuterTerminal* const outer_;
  // Constant.
  const Show show_;
  // Owned.
  Glass glass_;
  TypedKeys keys_;
  // State.
  bool dirty_ = true;
  Time painted_{};
  // These are last, so that they are destroyed first.
  Timer paint_timer_;
  Timer settled_timer_;
  Timer escape_timer_;
  FdWatch readable_;
  FdWatch writable_;
  std::vector<std::unique_ptr<SignalWatch>> signals_;
};

}  // namespace glasstty::attach
