// Contains the tables of the OSC and DCS strings that are supported, and their
// effects. All others are dropped and counted; kitty and sixel pictures are
// reported as events. Apart from the repairs at a shell's marks, a string
// changes only the title, the program's status and mode 2026. No answer
// contains text that the program chose.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "support/text.h"
#include "terminal/interpreter.h"
#include "terminal/queries.h"

namespace glasstty::terminal {
namespace {

using Type = TerminalEvent::Type;
constexpr size_t kMaxTitle = 256;  // code points

// Returns true for an absolute path that can be shown unchanged.
bool IsShowablePath(const std::string& path) {
  return path.starts_with('/') && CleanText(path, path.size()) == path;
}

// Removes a number from the front. Returns nullopt if there is none.
std::optional<int> TakeNumber(std::string_view* text) {
  int value = 0;
  size_t digits = 0;
  while (digits < text->size() && (*text)[digits] >= '0' &&
         (*text)[digits] <= '9') {
    value = std::min(value * 10 + ((*text)[digits++] - '0'), 99999);
  }
  text->remove_prefix(digits);
  if (digits == 0) return std::nullopt;
  return value;
}

}  // namespace

// The handlers return true if they accept the string; rejected strings are
// counted.
struct Interpreter::Strings {
  // The content of an OSC, after its number and the ';'.
  struct Osc {
    int number = 0;
    std::string_view text;
    bool by_bell = false;
  };
  struct OscRow {
    int number;
    bool takes_cut;  // accepts a string whose end was cut off
    bool (*act)(Interpreter& vt, const Osc& osc);
  };
  struct DcsRow {
    std::string_view start;  // intermediates and final
    bool (*act)(Interpreter& vt, std::string_view text);
  };
  static const OscRow kOscRows[];
  static const DcsRow kDcsRows[];

  static bool ParseOsc(Interpreter& vt, const Token& token);
  static bool ParseDcs(Interpreter& vt, std::string_view payload);

  static bool Title(Interpreter& vt, const Osc& osc);
  static bool Nothing(Interpreter&, const Osc&) { return true; }
  static bool Directory(Interpreter& vt, const Osc& osc);
  static bool Link(Interpreter& vt, const Osc& osc);
  static bool Progress(Interpreter& vt, const Osc& osc);
  static bool AnswerPalette(Interpreter& vt, const Osc& osc);
  static bool AnswerColor(Interpreter& vt, const Osc& osc);
  static bool Answer(Interpreter& vt, const Osc& osc, std::string_view what,
                     const std::optional<std::string>& color);
  static bool Clipboard(Interpreter& vt, const Osc& osc);
  static bool Mark(Interpreter& vt, const Osc& osc);
  static bool Status(Interpreter& vt, const Osc& osc);
  static bool CurrentDir(Interpreter& vt, const Osc& osc);

  static bool Graphics(Interpreter& vt, std::string_view);
  static bool Sync(Interpreter& vt, std::string_view text);
  static bool ReportSetting(Interpreter& vt, std::string_view text);
  static bool ReportCapability(Interpreter& vt, std::string_view names);
};

// Intentionally missing are other colours, setting colours, 50 (fonts; its
// answer could be abused to type commands), 777 and 99 (notifications), and
// 1337 except for the directory.
const Interpreter::Strings::OscRow Interpreter::Strings::kOscRows[] = {
    {0, true, &Title},          {1, true, &Nothing},  // the icon's name
    {2, true, &Title},          {7, false, &Directory},
    {4, false, &AnswerPalette}, {8, false, &Link},
    {9, false, &Progress},      {10, false, &AnswerColor},
    {11, false, &AnswerColor},  {12, false, &AnswerColor},
    {52, true, &Clipboard},     {133, false, &Mark},
    {633, false, &Mark},        {1337, false, &CurrentDir},
    {7501, false, &Status},
};

const Interpreter::Strings::DcsRow Interpreter::Strings::kDcsRows[] = {
    {"$q", &ReportSetting},     // DECRQSS
    {"+q", &ReportCapability},  // XTGETTCAP
    {"=", &Sync},               // the older form of mode 2026
    {"q", &Graphics},           // sixel
};

void Interpreter::String(const Token& token) {
  // The string is enclosed in ESC ] and BEL, or ESC ] and ESC \.
  string_begin_ = offset_ - token.text.size() - (token.by_bell ? 3 : 4);
  bool taken = false;
  switch (token.byte) {
    case ']':
      taken = Strings::ParseOsc(*this, token);
      break;
    case 'P':
      taken = Strings::ParseDcs(*this, token.text);
      break;
    case '_':  // APC: kitty pictures
      taken = token.text.starts_with('G') && Strings::Graphics(*this, "");
      break;
    default:  // PM, SOS
      break;
  }
  if (!taken) reports_->DropString();
}

// Parses NUMBER ; TEXT, or only a number.
bool Interpreter::Strings::ParseOsc(Interpreter& vt, const Token& token) {
  Osc osc;
  osc.text = token.text;
  osc.by_bell = token.by_bell;
  std::optional<int> number = TakeNumber(&osc.text);
  if (!number) return false;
  osc.number = *number;
  if (osc.text.starts_with(';')) {
    osc.text.remove_prefix(1);
  } else if (!osc.text.empty()) {
    return false;
  }
  for (const OscRow& row : kOscRows) {
    if (row.number != osc.number) continue;
    return (!token.cut || row.takes_cut) && row.act(vt, osc);
  }
  return false;
}

// People and models see the title, so controls are removed and its length is
// limited.
bool Interpreter::Strings::Title(Interpreter& vt, const Osc& osc) {
  Titles* titles = vt.reports_->titles();
  titles->Set(CleanText(osc.text, kMaxTitle));
  vt.Emit(Type::kTitle, titles->title());
  return true;
}

// Parses file://HOST/PATH; the host is not checked.
bool Interpreter::Strings::Directory(Interpreter& vt, const Osc& osc) {
  constexpr std::string_view kScheme = "file://";
  if (!osc.text.starts_with(kScheme)) return false;
  size_t slash = osc.text.find('/', kScheme.size());
  if (slash == std::string_view::npos) return false;
  std::string path = PercentDecode(osc.text.substr(slash));
  if (!IsShowablePath(path)) return false;
  vt.Emit(Type::kCwd, std::move(path));
  return true;
}

bool Interpreter::Strings::CurrentDir(Interpreter& vt, const Osc& osc) {
  constexpr std::string_view kKey = "CurrentDir=";
  if (!osc.text.starts_with(kKey)) return false;
  std::string path(osc.text.substr(kKey.size()));
  if (!IsShowablePath(path)) return false;
  vt.Emit(Type::kCwd, std::move(path));
  return true;
}

// Parses 8;PARAMETERS;URI; an empty URI ends the link. The linked text is
// printed as usual. A part of a URI would be another one, so it is kept whole;
// the parser limits its length.
bool Interpreter::Strings::Link(Interpreter& vt, const Osc& osc) {
  size_t semicolon = osc.text.find(';');
  if (semicolon == std::string_view::npos) return false;
  std::string uri = CleanText(osc.text.substr(semicolon + 1));
  if (!uri.empty()) vt.Emit(Type::kLink, std::move(uri));
  return true;
}

// Parses 9;4;STATE;PERCENT. Other OSC 9 are desktop notifications.
bool Interpreter::Strings::Progress(Interpreter& vt, const Osc& osc) {
  std::string_view text = osc.text;
  if (!text.starts_with("4;")) return false;
  text.remove_prefix(2);
  std::optional<int> state = TakeNumber(&text);
  if (!state || *state > 4) return false;
  if (text.starts_with(';')) text.remove_prefix(1);
  int percent = std::min(TakeNumber(&text).value_or(0), 100);
  vt.Emit(Type::kProgress, absl::StrFormat("%d;%d", *state, percent));
  return true;
}

// Parses 4;INDEX;?, in which INDEX;? may be repeated. The length of the string
// limits the number of answers.
bool Interpreter::Strings::AnswerPalette(Interpreter& vt, const Osc& osc) {
  bool taken = false;
  for (std::string_view text = osc.text; !text.empty();) {
    std::optional<int> index = TakeNumber(&text);
    if (!index || !text.starts_with(";?")) break;
    text.remove_prefix(2);
    if (text.starts_with(';')) text.remove_prefix(1);
    taken |=
        Answer(vt, osc, absl::StrFormat("4;%d", *index), PaletteColor(*index));
  }
  return taken;
}

// Programs query colours to adapt to a dark or a light screen. Each further "?"
// queries the next colour.
bool Interpreter::Strings::AnswerColor(Interpreter& vt, const Osc& osc) {
  bool taken = false;
  int number = osc.number;
  for (std::string_view text = osc.text; text.starts_with('?'); ++number) {
    taken |=
        Answer(vt, osc, absl::StrFormat("%d", number), DynamicColor(number));
    text.remove_prefix(1);
    if (text.starts_with(';')) text.remove_prefix(1);
  }
  return taken;
}

// The answer ends in the same way as the query (BEL or ST).
bool Interpreter::Strings::Answer(Interpreter& vt, const Osc& osc,
                                  std::string_view what,
                                  const std::optional<std::string>& color) {
  if (!color) return false;
  vt.reports_->Reply(absl::StrFormat("\x1b]%s;%s%s", what, *color,
                                     osc.by_bell ? "\a" : "\x1b\\"));
  return true;
}

// The clipboard is neither read nor written. The session may report the
// attempt.
bool Interpreter::Strings::Clipboard(Interpreter& vt, const Osc&) {
  vt.Emit(Type::kClipboard);
  return true;
}

// Handles shell integration. Any program can print a mark, so the exit code in
// it is a hint; only its position on the screen is certain.
bool Interpreter::Strings::Mark(Interpreter& vt, const Osc& osc) {
  bool is_prompt = osc.text == "A" || osc.text.starts_with("A;");
  if (is_prompt) vt.reports_->statuses()->Forget();
  vt.mark_end_ = vt.offset_;
  vt.RecoverAt(osc.text);
  vt.Emit(Type::kMark, CleanText(osc.text, osc.text.size()));
  return true;
}

// A program queries support first, and reports nothing until the terminal has
// sent the query back.
bool Interpreter::Strings::Status(Interpreter& vt, const Osc& osc) {
  if (osc.text == "?") {
    vt.reports_->Reply(osc.by_bell ? "\x1b]7501;?\a" : "\x1b]7501;?\x1b\\");
    return true;
  }
  if (!vt.reports_->statuses()->Report(osc.text)) return false;
  vt.Emit(Type::kStatus);
  return true;
}

// Parses parameters, then intermediates and a final byte, then text.
bool Interpreter::Strings::ParseDcs(Interpreter& vt, std::string_view payload) {
  constexpr std::string_view kParameters = "0123456789;:";
  size_t start = payload.find_first_not_of(kParameters);
  if (start == std::string_view::npos) return false;
  payload.remove_prefix(start);
  for (const DcsRow& row : kDcsRows) {
    if (payload.starts_with(row.start)) {
      return row.act(vt, payload.substr(row.start.size()));
    }
  }
  return false;
}

// Some programs send graphics although the terminal announces no support.
bool Interpreter::Strings::Graphics(Interpreter& vt, std::string_view) {
  vt.Emit(Type::kGraphics);
  return true;
}

// Handles the older form in which a synchronized update begins and ends.
bool Interpreter::Strings::Sync(Interpreter& vt, std::string_view text) {
  if (text != "1s" && text != "2s") return false;
  bool on = text == "1s";
  if (std::exchange(vt.modes_.synchronized, on) != on) {
    vt.Emit(Type::kSync, "", on);
  }
  return true;
}

// vim and other programs use this to find out whether a terminal supports curly
// underlines or cursor shapes: they set one, and query the setting.
bool Interpreter::Strings::ReportSetting(Interpreter& vt,
                                         std::string_view text) {
  std::string value;
  if (text == "m") {
    value = SgrParameters(vt.pen_.style);
  } else if (text == "r") {
    value = absl::StrFormat("%d;%d", vt.cursor_.top_margin() + 1,
                            vt.cursor_.bottom_margin());
  } else if (text == "s") {
    value = absl::StrFormat("%d;%d", vt.cursor_.left_margin() + 1,
                            vt.cursor_.right_margin());
  } else if (text == " q") {
    value = absl::StrFormat("%d", vt.modes_.cursor_style);
  } else if (text == "\"q") {
    value += vt.pen_.is_protected ? '1' : '0';
  } else if (text == "\"p") {
    value = "62;1";  // the level in DA1, with 7-bit controls
  } else if (text == "t" || text == "*|") {
    value = absl::StrFormat("%d", vt.grid_->size().rows);
  } else if (text == "$|") {
    value = absl::StrFormat("%d", vt.grid_->size().cols);
  } else {
    vt.reports_->Reply("\x1bP0$r\x1b\\");
    return true;
  }
  // `text` is one of the constants above.
  vt.reports_->Reply(absl::StrFormat("\x1bP1$r%s%s\x1b\\", value, text));
  return true;
}

bool Interpreter::Strings::ReportCapability(Interpreter& vt,
                                            std::string_view names) {
  vt.reports_->Reply(CapabilityReport(names));
  return true;
}

}  // namespace glasstty::terminal
