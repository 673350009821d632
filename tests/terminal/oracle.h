// libvterm's own screen as an oracle: hears what the guard writes and must show
// the same cells.
//
// The stand-ins of the state layer are put back into real text where libvterm's
// width of it is ours, so that what is compared is what was printed. Not
// compared: marks, styles, and what is known to differ (terminal.h and the
// fixtures say "oracle no" and why).
#pragma once

#include <string>
#include <vector>

#include "terminal/grid.h"
#include "terminal/guard.h"
#include "terminal/reports.h"

struct VTerm;
struct VTermScreen;

namespace glasstty {

class OracleScreen {
 public:
  explicit OracleScreen(Size size);
  ~OracleScreen();
  OracleScreen(const OracleScreen&) = delete;
  OracleScreen& operator=(const OracleScreen&) = delete;

  // For StateLayer::set_tap.
  void Hear(StateLayer::Writing writing, std::string_view bytes,
            const std::u32string& text);
  // One text a row: the base characters of the cells.
  std::vector<std::string> Rows() const;
  Place cursor() const;
  // Texts of the rows that left the top.
  std::vector<std::string> pushed;

 private:
  const Size size_;
  VTerm* vterm_;
  VTermScreen* screen_;
};

// A guard and a grid with the oracle listening.
struct OraclePair {
  explicit OraclePair(Size size)
      : oracle(size),
        grid(size, {.max_rows = 1000}),
        guard(size, &grid, &reports) {
    // The oracle hears only what goes through libvterm.
    guard.flow()->set_own_path(false);
    guard.flow()->state_layer()->set_tap([this](StateLayer::Writing writing,
                                                std::string_view bytes,
                                                const std::u32string& text) {
      oracle.Hear(writing, bytes, text);
    });
  }
  // The grid's rows in the form of OracleScreen::Rows.
  std::vector<std::string> GridRows() const;

  OracleScreen oracle;
  Reports reports;
  Grid grid;
  Guard guard;
};

}  // namespace glasstty
