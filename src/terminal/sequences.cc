// Strings: the tables of the OSC and DCS that mean something here, and what
// each does. All others are dropped and counted; kitty and sixel pictures are
// told as events. No string changes anything but the title, and no answer holds
// text of the string.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "support/text.h"
#include "terminal/guard.h"
#include "terminal/queries.h"

namespace glasstty::terminal {
namespace {

using Type = TerminalEvent::Type;
constexpr size_t kMaxTitle = 256;  // code points

// An absolute path that can be shown as it stands.
bool IsShowablePath(const std::string& path) {
  return path.starts_with('/') && CleanText(path, path.size()) == path;
}

// Takes digits off the front.
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

// Functions return whether the string was one of theirs after all; those that
// were not are counted.
struct Guard::Strings {
  // What an OSC says, after its number and the ';'. False: it is not one of
  // those that we take after all.
  struct Osc {
    int number = 0;
    std::string_view text;
    bool by_bell = false;
  };
  struct OscRow {
    int number;
    bool takes_cut;  // also when the end is missing
    bool (*act)(Guard& guard, const Osc& osc);
  };
  struct DcsRow {
    std::string_view start;  // intermediates and final
    bool (*act)(Guard& guard, std::string_view text);
  };
  static const OscRow kOscRows[];
  static const DcsRow kDcsRows[];

  static bool ParseOsc(Guard& guard, const Token& token);
  static bool ParseDcs(Guard& guard, std::string_view payload);

  static bool Title(Guard& guard, const Osc& osc);
  static bool Nothing(Guard&, const Osc&) { return true; }
  static bool Directory(Guard& guard, const Osc& osc);
  static bool Link(Guard& guard, const Osc& osc);
  static bool Progress(Guard& guard, const Osc& osc);
  static bool AnswerPalette(Guard& guard, const Osc& osc);
  static bool AnswerColor(Guard& guard, const Osc& osc);
  static bool Answer(Guard& guard, const Osc& osc, std::string_view what,
                     const std::optional<std::string>& color);
  static bool Clipboard(Guard& guard, const Osc& osc);
  static bool Mark(Guard& guard, const Osc& osc);
  static bool CurrentDir(Guard& guard, const Osc& osc);

  static bool Graphics(Guard& guard, std::string_view);
  static bool Sync(Guard& guard, std::string_view text);
  static bool ReportSetting(Guard& guard, std::string_view text);
  static bool ReportCapability(Guard& guard, std::string_view names);
};

// What is missing on purpose: other colours, setting any of them, 50 (fonts:
// its answer made terminals type commands), 777 and 99 (notifications), 1337
// but the directory.
const Guard::Strings::OscRow Guard::Strings::kOscRows[] = {
    {0, true, &Title},          {1, true, &Nothing},  // the icon's name
    {2, true, &Title},          {7, false, &Directory},
    {4, false, &AnswerPalette}, {8, false, &Link},
    {9, false, &Progress},      {10, false, &AnswerColor},
    {11, false, &AnswerColor},  {12, false, &AnswerColor},
    {52, true, &Clipboard},     {133, false, &Mark},
    {633, false, &Mark},        {1337, false, &CurrentDir},
};

const Guard::Strings::DcsRow Guard::Strings::kDcsRows[] = {
    {"$q", &ReportSetting},     // DECRQSS
    {"+q", &ReportCapability},  // XTGETTCAP
    {"=", &Sync},               // the older form of mode 2026
    {"q", &Graphics},           // sixel
};

void Guard::String(const Token& token) {
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

// NUMBER ; TEXT, or a number alone.
bool Guard::Strings::ParseOsc(Guard& guard, const Token& token) {
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
    return (!token.cut || row.takes_cut) && row.act(guard, osc);
  }
  return false;
}

// Shown to people and to models: no controls, and not longer than a line or
// two.
bool Guard::Strings::Title(Guard& guard, const Osc& osc) {
  std::string title = CleanText(osc.text, kMaxTitle);
  guard.reports_->set_title(title);
  guard.Emit(Type::kTitle, std::move(title));
  return true;
}

// file://HOST/PATH; the host is not ours to judge.
bool Guard::Strings::Directory(Guard& guard, const Osc& osc) {
  constexpr std::string_view kScheme = "file://";
  if (!osc.text.starts_with(kScheme)) return false;
  size_t slash = osc.text.find('/', kScheme.size());
  if (slash == std::string_view::npos) return false;
  std::string path = PercentDecode(osc.text.substr(slash));
  if (!IsShowablePath(path)) return false;
  guard.Emit(Type::kCwd, std::move(path));
  return true;
}

bool Guard::Strings::CurrentDir(Guard& guard, const Osc& osc) {
  constexpr std::string_view kKey = "CurrentDir=";
  if (!osc.text.starts_with(kKey)) return false;
  std::string path(osc.text.substr(kKey.size()));
  if (!IsShowablePath(path)) return false;
  guard.Emit(Type::kCwd, std::move(path));
  return true;
}

// 8;PARAMETERS;URI; an empty URI ends the link. The text stays text.
bool Guard::Strings::Link(Guard& guard, const Osc& osc) {
  size_t semicolon = osc.text.find(';');
  if (semicolon == std::string_view::npos) return false;
  std::string uri = CleanText(osc.text.substr(semicolon + 1), kMaxTitle);
  if (!uri.empty()) guard.Emit(Type::kLink, std::move(uri));
  return true;
}

// 9;4;STATE;PERCENT. Other OSC 9 are desktop notifications.
bool Guard::Strings::Progress(Guard& guard, const Osc& osc) {
  std::string_view text = osc.text;
  if (!text.starts_with("4;")) return false;
  text.remove_prefix(2);
  std::optional<int> state = TakeNumber(&text);
  if (!state || *state > 4) return false;
  if (text.starts_with(';')) text.remove_prefix(1);
  int percent = std::min(TakeNumber(&text).value_or(0), 100);
  guard.Emit(Type::kProgress, absl::StrFormat("%d;%d", *state, percent));
  return true;
}

// 4;INDEX;?, which may be repeated. Answers to one string are bounded by the
// length of the string.
bool Guard::Strings::AnswerPalette(Guard& guard, const Osc& osc) {
  bool taken = false;
  for (std::string_view text = osc.text; !text.empty();) {
    std::optional<int> index = TakeNumber(&text);
    if (!index || !text.starts_with(";?")) break;
    text.remove_prefix(2);
    if (text.starts_with(';')) text.remove_prefix(1);
    taken |= Answer(guard, osc, absl::StrFormat("4;%d", *index),
                    PaletteColor(*index));
  }
  return taken;
}

// Programs ask to choose colours for a dark or a light screen. Each further "?"
// is for the next colour.
bool Guard::Strings::AnswerColor(Guard& guard, const Osc& osc) {
  bool taken = false;
  int number = osc.number;
  for (std::string_view text = osc.text; text.starts_with('?'); ++number) {
    taken |=
        Answer(guard, osc, absl::StrFormat("%d", number), DynamicColor(number));
    text.remove_prefix(1);
    if (text.starts_with(';')) text.remove_prefix(1);
  }
  return taken;
}

// Ended as the question was.
bool Guard::Strings::Answer(Guard& guard, const Osc& osc, std::string_view what,
                            const std::optional<std::string>& color) {
  if (!color) return false;
  guard.reports_->Reply(absl::StrFormat("\x1b]%s;%s%s", what, *color,
                                        osc.by_bell ? "\a" : "\x1b\\"));
  return true;
}

// Neither read nor written. The session may want to tell.
bool Guard::Strings::Clipboard(Guard& guard, const Osc&) {
  guard.Emit(Type::kClipboard);
  return true;
}

// Shell integration. Anyone can print one, so an exit code in it is a hint;
// what is certain is where on the screen it came.
bool Guard::Strings::Mark(Guard& guard, const Osc& osc) {
  guard.mark_end_ = guard.offset_;
  guard.Emit(Type::kMark, CleanText(osc.text, osc.text.size()));
  return true;
}

// Parameters, then intermediates and a final byte, then text.
bool Guard::Strings::ParseDcs(Guard& guard, std::string_view payload) {
  constexpr std::string_view kParameters = "0123456789;:";
  size_t start = payload.find_first_not_of(kParameters);
  if (start == std::string_view::npos) return false;
  payload.remove_prefix(start);
  for (const DcsRow& row : kDcsRows) {
    if (payload.starts_with(row.start)) {
      return row.act(guard, payload.substr(row.start.size()));
    }
  }
  return false;
}

// We say that we cannot, programs send them all the same.
bool Guard::Strings::Graphics(Guard& guard, std::string_view) {
  guard.Emit(Type::kGraphics);
  return true;
}

// Begin and end of a synchronized update, before it was a mode.
bool Guard::Strings::Sync(Guard& guard, std::string_view text) {
  if (text != "1s" && text != "2s") return false;
  bool on = text == "1s";
  if (std::exchange(guard.modes_.synchronized, on) != on) {
    guard.Emit(Type::kSync, "", on);
  }
  return true;
}

// What vim and others ask to learn whether a terminal knows curly underlines or
// cursor shapes: they set it, and ask what is set.
bool Guard::Strings::ReportSetting(Guard& guard, std::string_view text) {
  std::string value;
  if (text == "m") {
    value = SgrParameters(guard.pen_.style);
  } else if (text == "r") {
    value = absl::StrFormat("%d;%d", guard.flow_.top_margin() + 1,
                            guard.flow_.bottom_margin());
  } else if (text == "s") {
    value = absl::StrFormat("%d;%d", guard.flow_.left_margin() + 1,
                            guard.flow_.right_margin());
  } else if (text == " q") {
    value = absl::StrFormat("%d", guard.modes_.cursor_style);
  } else if (text == "\"q") {
    value += guard.pen_.is_protected ? '1' : '0';
  } else if (text == "\"p") {
    value = "62;1";  // the level that DA1 tells, with 7-bit controls
  } else if (text == "t" || text == "*|") {
    value = absl::StrFormat("%d", guard.grid_->size().rows);
  } else if (text == "$|") {
    value = absl::StrFormat("%d", guard.grid_->size().cols);
  } else {
    guard.reports_->Reply("\x1bP0$r\x1b\\");
    return true;
  }
  // `text` is one of the constants above here.
  guard.reports_->Reply(absl::StrFormat("\x1bP1$r%s%s\x1b\\", value, text));
  return true;
}

bool Guard::Strings::ReportCapability(Guard& guard, std::string_view names) {
  guard.reports_->Reply(CapabilityReport(names));
  return true;
}

}  // namespace glasstty::terminal
