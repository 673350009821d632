// `glasstty dump FILE`: prints the bytes that a program printed, as named
// tokens with their offsets.
//
// It uses the terminal's own parser; tokens that are marked as dropped never
// reach the emulator. Together with `replay --to OFFSET`, it finds the sequence
// that spoils a screen.
#include <cstdio>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "base/escape.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "support/status.h"
#include "terminal/parser.h"

namespace glasstty {

using terminal::Csi;

namespace {

// The name that ECMA-48, DEC, xterm or kitty gives to a sequence. `leader` 0
// and `intermediate` 0 mean none.
struct CsiName {
  char leader;
  char intermediate;
  char final;
  const char* name;
};
// Plain sequences come first, by final byte. A sequence without a row shows as
// "?", although the emulator may know it.
constexpr CsiName kCsiNames[] = {
    {0, 0, '@', "ICH"},         {0, 0, 'A', "CUU"},
    {0, 0, 'B', "CUD"},         {0, 0, 'C', "CUF"},
    {0, 0, 'D', "CUB"},         {0, 0, 'E', "CNL"},
    {0, 0, 'F', "CPL"},         {0, 0, 'G', "CHA"},
    {0, 0, 'H', "CUP"},         {0, 0, 'I', "CHT"},
    {0, 0, 'J', "ED"},          {0, 0, 'K', "EL"},
    {0, 0, 'L', "IL"},          {0, 0, 'M', "DL"},
    {0, 0, 'P', "DCH"},         {0, 0, 'S', "SU"},
    {0, 0, 'T', "SD"},          {0, 0, 'X', "ECH"},
    {0, 0, 'Z', "CBT"},         {0, 0, '`', "HPA"},
    {0, 0, 'a', "HPR"},         {0, 0, 'b', "REP"},
    {0, 0, 'c', "DA1"},         {0, 0, 'd', "VPA"},
    {0, 0, 'e', "VPR"},         {0, 0, 'f', "HVP"},
    {0, 0, 'g', "TBC"},         {0, 0, 'h', "SM"},
    {0, 0, 'l', "RM"},          {0, 0, 'm', "SGR"},
    {0, 0, 'n', "DSR"},         {0, 0, 'r', "DECSTBM"},
    {0, 0, 's', "SCOSC"},       {0, 0, 't', "XTWINOPS"},
    {0, 0, 'u', "SCORC"},       {'?', 0, 'J', "DECSED"},
    {'?', 0, 'K', "DECSEL"},    {'?', 0, 'h', "DECSET"},
    {'?', 0, 'l', "DECRST"},    {'?', 0, 'n', "DECDSR"},
    {'>', 0, 'c', "DA2"},       {'>', 0, 'q', "XTVERSION"},
    {'>', 0, 'm', "XTMODKEYS"}, {'>', 0, 'u', "KITTY-PUSH"},
    {'<', 0, 'u', "KITTY-POP"}, {'?', 0, 'u', "KITTY-QUERY"},
    {'?', '$', 'p', "DECRQM"},  {0, '!', 'p', "DECSTR"},
    {0, ' ', 'q', "DECSCUSR"},  {0, '"', 'q', "DECSCA"},
};

// The byte after ESC that begins a string (ECMA-48).
struct StringName {
  uint8_t kind;
  const char* name;
};
constexpr StringName kStringNames[] = {
    {']', "OSC"}, {'P', "DCS"}, {'_', "APC"}, {'^', "PM"}, {'X', "SOS"}};

const char* NameOf(const Csi& csi) {
  for (const CsiName& row : kCsiNames) {
    if (row.leader == csi.leader && row.intermediate == csi.intermediate &&
        row.final == csi.final) {
      return row.name;
    }
  }
  return "?";
}

// Returns the parameters as written: an omitted one is empty (-1 in the token),
// and a colon joins sub-parameters (ISO 8613-6).
std::string Parameters(const Csi& csi) {
  std::string text;
  for (int i = 0; i < csi.count; ++i) {
    if (csi.values[i] >= 0) text += absl::StrFormat("%d", csi.values[i]);
    if (i + 1 < csi.count) text += csi.IsJoined(i) ? ':' : ';';
  }
  return text;
}

// Returns a text such as "CSI ?25h  DECSET".
std::string CsiText(const Csi& csi) {
  // Each is empty for 0, and otherwise the byte itself.
  std::string leader(csi.leader != 0 ? 1 : 0, csi.leader);
  std::string intermediate(csi.intermediate != 0 ? 1 : 0, csi.intermediate);
  return absl::StrFormat("CSI %s%s%s%c  %s", leader, Parameters(csi),
                         intermediate, csi.final, NameOf(csi));
}

// "(cut)" marks a string that is longer than the parser keeps.
std::string StringText(const terminal::Token& token) {
  const char* name = "?";
  for (const StringName& row : kStringNames) {
    if (row.kind == token.byte) name = row.name;
  }
  return absl::StrFormat("%s \"%s\"%s", name, EscapeBytes(token.text),
                         token.cut ? " (cut)" : "");
}

// `source` is the token's bytes. `csi` belongs to the parser and is valid until
// its next token.
std::string Describe(const terminal::Token& token, const Csi& csi,
                     std::string_view source) {
  switch (token.kind) {
    // The file ends in the middle of a sequence or of a code point.
    case terminal::Token::Kind::kNone:
      return "(unfinished) " + EscapeBytes(source);
    case terminal::Token::Kind::kText:
    case terminal::Token::Kind::kGlyphs:
      return absl::StrFormat("text \"%s\"", EscapeBytes(source));
    case terminal::Token::Kind::kControl:
      return "control " + EscapeBytes(source);
    case terminal::Token::Kind::kEscape:
      return absl::StrFormat("ESC %s%c", token.text, token.byte);
    case terminal::Token::Kind::kCsi:
      return CsiText(csi);
    case terminal::Token::Kind::kString:
      return StringText(token);
    case terminal::Token::Kind::kDroppedSequence:
    case terminal::Token::Kind::kDroppedString:
      return "dropped " + EscapeBytes(source);
  }
  return "";
}

// Error: the arguments are invalid (InvalidArgument), or the file cannot be
// read.
absl::Status Dump(const Options& options) {
  if (options.operands.size() != 1) return InvalidArgument("give one FILE");
  ASSIGN_OR_RETURN(std::string bytes, ReadInput(options.operands[0]));
  terminal::Parser parser;
  std::string_view rest = bytes;
  while (!rest.empty()) {
    // The bytes that the parser removes from `rest` are the token's source.
    std::string_view before = rest;
    terminal::Token token;
    parser.Next(&rest, &token);
    std::string_view source = before.substr(0, before.size() - rest.size());
    std::string line = absl::StrFormat("%8d  %s", bytes.size() - before.size(),
                                       Describe(token, parser.csi(), source));
    Print("%s\n", line);
  }
  return absl::OkStatus();
}

}  // namespace

int RunDump(const Options& options) {
  return Report(*FindCommand("dump"), Dump(options));
}

}  // namespace glasstty
