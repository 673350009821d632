// Uses libvterm's own screen as an oracle, for streams that libvterm handles as
// xterm does (StreamGenerator::Kind::kLibvterm and kLines).
//
// It gets the items of a stream unchanged, so a stream must not contain
// anything that crashes libvterm. Marks and styles are not compared.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal/grid.h"
#include "terminal/interpreter.h"
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
  // Returns one text for each row: the base characters of the cells.
  std::vector<std::string> Rows() const;
  Place cursor() const;
  // The texts of the rows that left at the top.
  std::vector<std::string> pushed;

 private:
  const Size size_;
  VTerm* vterm_;
  VTermScreen* screen_;
};

// An interpreter and a grid with the oracle beside them.
struct OraclePair {
  explicit OraclePair(Size size)
      : oracle(size),
        grid(size, {.max_rows = 1000}),
        interpreter(size, &grid, &reports) {}

  // Feeds text, a control or a sequence to both. Before it, tells libvterm of
  // anything that ends a pending wrap in xterm, because libvterm sometimes
  // forgets that; a tab, which does not end it, is not passed to libvterm.
  void Feed(std::string_view item);
  // Returns the grid's rows in the form of OracleScreen::Rows.
  std::vector<std::string> GridRows() const;

  OracleScreen oracle;
  Reports reports;
  Grid grid;
  Interpreter interpreter;
};

}  // namespace glasstty::terminal
