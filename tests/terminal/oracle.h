// libvterm's own screen as an oracle, for streams of which libvterm claims the
// same as xterm does (StreamGenerator::Kind::kLibvterm and kLines).
//
// It gets the items of a stream as they are, so a stream must hold nothing that
// crashes libvterm. Not compared: marks and styles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal/grid.h"
#include "terminal/guard.h"
#include "terminal/reports.h"

struct VTerm;
struct VTermScreen;

namespace glasstty::terminal {

class OracleScreen {
 public:
  explicit OracleScreen(Size size);
  ~OracleScreen();
  OracleScreen(const OracleScreen&) = delete;
  OracleScreen& operator=(const OracleScreen&) = delete;

  void Feed(std::string_view bytes);
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

// A guard and a grid with the oracle beside them.
struct OraclePair {
  explicit OraclePair(Size size)
      : oracle(size),
        grid(size, {.max_rows = 1000}),
        guard(size, &grid, &reports) {}

  // Text, a control or a sequence for both. What ends a pending wrap in xterm
  // is said to libvterm before it, which forgets to in places; and a tab, which
  // does not, is kept from it.
  void Feed(std::string_view item);
  // The grid's rows in the form of OracleScreen::Rows.
  std::vector<std::string> GridRows() const;

  OracleScreen oracle;
  Reports reports;
  Grid grid;
  Guard guard;
};

}  // namespace glasstty::terminal
