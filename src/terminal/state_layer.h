// libvterm's state layer behind a narrow door: takes bytes that the guard wrote
// and turns the callbacks into calls on the grid.
//
// Owns the VTerm; borrows the grid, which must outlive it. The only place that
// knows vterm.h. Everything goes in through Write: libvterm 0.1.4 and 0.3.3
// both crash on ordinary program output, so nothing that the guard did not
// spell out itself may reach it.
//
// Its table of widths is older than ours, so it never sees real text beyond
// ASCII: each glyph goes in as a stand-in of the right width, and the true code
// point waits in a queue until the stand-in has a place.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/grid.h"
#include "terminal/snapshot.h"

struct VTerm;

namespace glasstty {

class StateLayer {
 public:
  enum class Writing {
    kText,  // glyphs: what scrolls out goes into the history
    kFlow,  // LF, IND, NEL: the same
    kEdit,  // SU, DL and the rest: what scrolls out is gone
  };
  // What libvterm was told: the bytes, and for text the real code points.
  using Tap = std::function<void(Writing, std::string_view, std::u32string)>;

  StateLayer(Size size, Grid* grid);
  ~StateLayer();
  StateLayer(const StateLayer&) = delete;
  StateLayer& operator=(const StateLayer&) = delete;

  // Queues one glyph; ASCII may come as a run. Pending text is written by
  // Flush, and before anything else.
  void AddGlyph(char32_t c, int width);
  void AddAscii(std::string_view text);
  void Flush();
  // Flushes, then passes on one control or sequence.
  void Write(std::string_view bytes, Writing writing = Writing::kEdit);

  // Flushes; where the next glyph goes, unless a wrap is pending.
  Place cursor();
  // A glyph stands in the last column and nothing moved the cursor since.
  bool pending_wrap() const { return pending_wrap_; }
  // Ends it for certain; libvterm forgets to at a line feed on the last row.
  void EndPendingWrap();
  // Rows [top, bottom); the cursor goes home.
  void SetMargins(int top, int bottom);
  // Puts the cursor there without drawing. `pending_width` > 0: as if a glyph
  // of that width had been put there and now a wrap were pending.
  void MoveTo(Place at, int pending_width);

  // The guard tells what it switched.
  // libvterm was told already; they say how to read its callbacks.
  void set_autowrap(bool on) { autowrap_ = on; }
  void set_insert(bool on) { insert_ = on; }

  void Resize(Size size);
  // For tests: an oracle listens to what is written.
  void set_tap(Tap tap) { tap_ = std::move(tap); }

 private:
  struct Callbacks;  // libvterm's side, in the .cc
  // All that libvterm ever gets.
  void Send(std::string_view bytes, Writing writing);
  void PutGlyph(Place at, Glyph glyph);
  bool Scroll(const Rect& rect, int down, int right);

  // Owned.
  VTerm* vterm_;
  // Borrowed.
  Grid* const grid_;
  // State.
  std::string text_;              // stand-ins not written yet
  std::vector<char32_t> glyphs_;  // what those beyond ASCII stand for
  size_t next_glyph_ = 0;
  std::u32string real_;  // the same with ASCII, while there is a tap
  Writing writing_ = Writing::kEdit;
  Place before_glyph_;  // where the cursor was before the next glyph
  bool pending_wrap_ = false;
  bool deaf_ = false;  // no callback reaches the grid
  bool autowrap_ = true;
  bool insert_ = false;
  Tap tap_;
};

}  // namespace glasstty
