#include "motion/progress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "absl/strings/str_format.h"
#include "motion/letters.h"
#include "motion/units.h"
#include "support/text.h"

namespace glasstty::motion {
namespace {

struct SizeUnitRow {
  std::string_view name;
  double factor;
};
// A name must come before the shorter names with which it begins.
constexpr SizeUnitRow kSizeUnits[] = {
    {"KiB", 1024.0},
    {"MiB", 1048576.0},
    {"GiB", 1073741824.0},
    {"TiB", 1099511627776.0},
    {"kB", 1e3},
    {"KB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"Mb", 1e6},
    {"TB", 1e12},
    {"bytes", 1.0},
    {"Ki", 1024.0},
    {"Mi", 1048576.0},
    {"Gi", 1073741824.0},
    {"B", 1.0},
    {"k", 1e3},
    {"K", 1024.0},
    {"M", 1048576.0},
    {"G", 1073741824.0},
    {"T", 1099511627776.0},
};

// A number in a text, with the unit of size after it.
struct Number {
  double value = 0;
  size_t begin = 0, end = 0;
  bool has_unit = false;
};

// Parses a number at `at`, whose digits may be grouped by commas. REQUIRES:
// there is a digit at `at`.
Number DigitsAt(std::string_view text, size_t at) {
  Number number{0, at, at, false};
  double scale = 0;  // the weight of the digits after the point
  size_t end = at;
  for (; end < text.size(); ++end) {
    char c = text[end];
    if (IsDigit(c)) {
      number.value = number.value * 10 + (c - '0');
      scale *= 10;
      continue;
    }
    bool has_digit = end + 1 < text.size() && IsDigit(text[end + 1]);
    bool is_point = c == '.' && scale == 0;
    if (!has_digit || (!is_point && c != ',')) break;
    if (is_point) scale = 1;
  }
  bool has_exponent =
      end + 2 < text.size() && (text[end] == 'e' || text[end] == 'E') &&
      (text[end + 1] == '-' || text[end + 1] == '+') && IsDigit(text[end + 2]);
  if (has_exponent) {
    int exponent = 0;
    bool is_negative = text[end + 1] == '-';
    for (end += 2; end < text.size() && IsDigit(text[end]); ++end) {
      exponent = std::min(exponent * 10 + (text[end] - '0'), 400);
    }
    double factor = std::pow(10, exponent);
    number.value = is_negative ? number.value / factor : number.value * factor;
  }
  if (scale > 0) number.value /= scale;
  number.end = end;
  return number;
}

// Parses a number and the unit of size after it.
Number NumberAt(std::string_view text, size_t at) {
  Number number = DigitsAt(text, at);
  size_t end = number.end;
  size_t unit_at = end < text.size() && text[end] == ' ' ? end + 1 : end;
  if (unit_at >= text.size() || !IsLetter(text[unit_at])) return number;
  std::string_view rest = text.substr(unit_at);
  for (const SizeUnitRow& row : kSizeUnits) {
    if (!rest.starts_with(row.name)) continue;
    bool is_whole =
        row.name.size() == rest.size() || !IsAlnum(rest[row.name.size()]);
    bool is_short = row.name.size() == 1 && unit_at != end;
    if (!is_whole || is_short) continue;
    number.value *= row.factor;
    number.end = unit_at + row.name.size();
    number.has_unit = true;
    break;
  }
  return number;
}

size_t SkipBlanks(std::string_view text, size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  return at;
}

// Returns true if a number begins at `at` that is not inside of a name, a path
// or a time.
bool BeginsNumber(std::string_view text, size_t at) {
  if (!IsDigit(text[at])) return false;
  if (at == 0) return true;
  char before = text[at - 1];
  // Accept "local:2", but not "0:12".
  if (before == ':') return at == 1 || !IsDigit(text[at - 2]);
  return !IsAlnum(before) && before != '.' && before != '/' && before != '_' &&
         before != ',' && before != '-';
}

constexpr std::string_view kRateUnits[] = {"fps",  "bps",  "kbps", "Kbps",
                                           "Mbps", "Gbps", "kBps", "KBps",
                                           "MBps", "GBps", "iops", "IOPS"};
// Words before numbers that go up and down, or that are only estimates.
constexpr std::string_view kRateWords[] = {
    "eta",     "fps", "speed",    "rate",      "avg",    "average",
    "bitrate", "acc", "accuracy", "precision", "recall", "coverage"};

std::string_view LettersAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsLetter(text[end])) ++end;
  return text.substr(std::min(at, text.size()), end - at);
}

// Returns the word before `at` in lower case: "eta" for "ETA: 12".
std::string WordBefore(std::string_view text, size_t at) {
  size_t end = text.substr(0, at).find_last_not_of(" =:@~");
  if (end == std::string_view::npos) return "";
  size_t begin = end + 1;
  while (begin > 0 && IsLetter(text[begin - 1])) --begin;
  return AsciiLower(text.substr(begin, end + 1 - begin));
}

// Returns a number with the characters attached to it: "0:12", "1m30s", "7f9c".
std::string_view TokenAt(std::string_view text, size_t at) {
  size_t end = at;
  for (; end < text.size(); ++end) {
    char c = text[end];
    bool joins = (c == '.' || c == ',' || c == ':') && end + 1 < text.size() &&
                 IsDigit(text[end + 1]);
    if (!IsAlnum(c) && !joins) break;
  }
  return text.substr(at, end - at);
}

bool IsTime(std::string_view token, std::string_view unit) {
  if (token.find(':') != std::string_view::npos) return true;
  bool is_duration =
      token.find_first_not_of("0123456789.hms") == std::string_view::npos &&
      IsLetter(token.back());
  return is_duration || Holds(kTimeUnits, unit);
}

bool IsRate(std::string_view text, const Number& number,
            std::string_view unit) {
  size_t behind = number.end;
  if (!number.has_unit && !unit.empty()) {
    behind = static_cast<size_t>(unit.data() + unit.size() - text.data());
  }
  bool has_slash = behind + 1 < text.size() && text[behind] == '/' &&
                   IsLetter(text[behind + 1]);
  return has_slash || Holds(kRateUnits, unit) ||
         Holds(kRateWords, WordBefore(text, number.begin));
}

// Parses "12/500", "12 / 500" and "12 of 500", but not a date or a path.
std::optional<Reading> ReadOf(std::string_view text, const Number& number) {
  size_t at = SkipBlanks(text, number.end);
  size_t next = at;
  if (at < text.size() && text[at] == '/') {
    next = SkipBlanks(text, at + 1);
  } else if (text.substr(at).starts_with("of ")) {
    next = SkipBlanks(text, at + 3);
  }
  if (next == at || next >= text.size() || !IsDigit(text[next])) {
    return std::nullopt;
  }
  Number total = NumberAt(text, next);
  char behind = total.end < text.size() ? text[total.end] : ' ';
  bool is_name = behind == '/' || behind == '-' || behind == '_' ||
                 (IsAlnum(behind) && !total.has_unit);
  double value = number.value;
  // In "1.2/7.6G", the unit applies to both numbers.
  if (total.has_unit && !number.has_unit && total.value > value) {
    std::string_view unit = text.substr(next, total.end - next);
    double plain = std::strtod(std::string(unit).c_str(), nullptr);
    if (plain > 0) value *= total.value / plain;
  }
  if (is_name || total.value < 2 || value > total.value * 1.0001) {
    return std::nullopt;
  }
  bool is_size = number.has_unit || total.has_unit;
  return Reading{is_size ? Reading::Form::kSize : Reading::Form::kOf, value,
                 total.value, number.begin, total.end};
}

}  // namespace

std::optional<double> ReadNumber(std::string_view text) {
  size_t at = SkipBlanks(text, 0);
  double sign = 1;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) {
    if (text[at] == '-') sign = -1;
    ++at;
  }
  if (at + 1 < text.size() && text[at] == '.' && IsDigit(text[at + 1])) {
    return sign * std::strtod(std::string(text.substr(at)).c_str(), nullptr);
  }
  if (at >= text.size() || !IsDigit(text[at])) return std::nullopt;
  return sign * NumberAt(text, at).value;
}

namespace {

// Parses the number at `at`, which begins `token`, as progress.
std::optional<Reading> ReadAt(std::string_view text, size_t at,
                              std::string_view token) {
  using Form = Reading::Form;
  Number number = NumberAt(text, at);
  size_t digits = DigitsAt(text, at).end - at;
  std::string_view unit = token.substr(std::min(digits, token.size()));
  bool is_apart =
      unit.empty() && at + digits + 1 < text.size() && text[at + digits] == ' ';
  if (is_apart) unit = LettersAt(text, at + digits + 1);
  if (IsTime(token, unit) || IsRate(text, number, unit)) return std::nullopt;
  if (auto of = ReadOf(text, number)) return of;
  size_t behind = SkipBlanks(text, number.end);
  bool is_percent =
      behind < text.size() && text[behind] == '%' && !number.has_unit;
  if (is_percent && number.value <= 100.0001) {
    return Reading{Form::kPercent, number.value, 100.0, at, behind + 1};
  }
  if (number.has_unit) {
    return Reading{Form::kSize, number.value, std::nullopt, at, number.end};
  }
  // "120it" is a plain count; "7f9c" and "2x" are not.
  bool is_plain = is_apart || unit.empty() || unit == "it";
  if (!is_plain) return std::nullopt;
  return Reading{Form::kCount, number.value, std::nullopt, at, number.end};
}

}  // namespace

std::vector<Reading> ReadAllProgress(std::string_view text) {
  std::vector<Reading> readings;
  for (size_t at = 0; at < text.size() && readings.size() < kMostReadings;
       ++at) {
    if (!IsDigit(text[at])) continue;
    std::string_view token = TokenAt(text, at);
    size_t end = at + token.size();
    // In "2/10/100%", the last number is progress, too.
    bool is_last =
        at > 0 && text[at - 1] == '/' && end < text.size() && text[end] == '%';
    if (BeginsNumber(text, at) || is_last) {
      if (auto reading = ReadAt(text, at, token)) {
        end = std::max(end, reading->end);
        readings.push_back(*std::move(reading));
      }
    }
    at = std::max(end, at + 1) - 1;
  }
  return readings;
}

void Series::Add(double seconds, double value, std::optional<double> total) {
  bool begins = points_.empty() || value < value_ - (value_ - first_) / 2;
  if (begins && !points_.empty() && value >= value_) begins = false;
  if (begins) {
    points_.clear();
    first_ = value_ = value;
    first_s_ = value_s_ = seconds;
    step_ = 1;
    skipped_ = 0;
  }
  ++count_;
  total_ = total;
  if (value == value_ && !points_.empty()) return;
  value_ = value;
  value_s_ = seconds;
  if (++skipped_ < step_ && !points_.empty()) return;
  skipped_ = 0;
  points_.push_back({seconds, value});
  if (points_.size() < kMost) return;
  std::vector<Point> kept;
  for (size_t i = 0; i < points_.size(); i += 2) kept.push_back(points_[i]);
  points_ = std::move(kept);
  step_ *= 2;
}

Series::Line Series::FitLine(const std::vector<Point>& points, size_t from) {
  double n = 0, mean_t = 0, mean_v = 0;
  for (size_t i = from; i < points.size(); ++i) {
    n += 1;
    mean_t += (points[i].seconds - mean_t) / n;
    mean_v += (points[i].value - mean_v) / n;
  }
  double tt = 0, tv = 0, vv = 0;
  for (size_t i = from; i < points.size(); ++i) {
    double t = points[i].seconds - mean_t, v = points[i].value - mean_v;
    tt += t * t;
    tv += t * v;
    vv += v * v;
  }
  if (tt <= 0 || vv <= 0) return {};
  return {tv / tt, tv * tv / (tt * vv)};
}

// Jobs become slower or faster, so the line is fitted only to the last half of
// the points, or to all if there are only a few.
Series::Estimate Series::EstimateAt(double seconds) const {
  Estimate estimate{first_, value_, first_s_, value_s_, total_, {}, {}};
  constexpr size_t kLeast = 4;
  constexpr double kLeastSeconds = 1, kLeastFit = 0.85;
  std::vector<Point> points = points_;
  if (points.back().seconds < value_s_) points.push_back({value_s_, value_});
  double span = points.back().seconds - points.front().seconds;
  if (points.size() < kLeast || span < kLeastSeconds) return estimate;
  double pause = span / static_cast<double>(points.size() - 1);
  bool stands = seconds - value_s_ > std::max(5 * pause, 10.0);
  size_t half = points.size() >= 2 * kLeast ? points.size() / 2 : 0;
  Line line = FitLine(points, half);
  if (stands || line.slope <= 0 || line.fit < kLeastFit) return estimate;
  estimate.rate = line.slope;
  if (total_ && *total_ > value_) {
    estimate.end_s = value_s_ + (*total_ - value_) / line.slope;
  }
  return estimate;
}

namespace {

std::string PlainText(double value) {
  double rounded = std::round(value);
  if (std::abs(value - rounded) < 1e-9 && std::abs(value) < 1e15) {
    return absl::StrFormat("%.0f", rounded);
  }
  return absl::StrFormat("%.3g", value);
}

std::string SizeText(double bytes) {
  constexpr std::array kNames = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t at = 0;
  while (bytes >= 1024 && at + 1 < kNames.size()) {
    bytes /= 1024;
    ++at;
  }
  return absl::StrFormat("%.3g %s", bytes, kNames[at]);
}

}  // namespace

std::string ValueText(double value, Reading::Form form) {
  switch (form) {
    case Reading::Form::kSize:
      return SizeText(value);
    case Reading::Form::kPercent:
      return PlainText(value) + " %";
    case Reading::Form::kOf:
    case Reading::Form::kCount:
      break;
  }
  return PlainText(value);
}

std::string DurationText(double seconds) {
  auto whole = static_cast<int64_t>(std::llround(std::max(seconds, 0.0)));
  if (seconds < 10) return absl::StrFormat("%.1f s", std::max(seconds, 0.0));
  if (whole < 120) return absl::StrFormat("%d s", whole);
  int64_t minutes = (whole + 30) / 60;
  if (minutes < 120) return absl::StrFormat("%d min", minutes);
  return absl::StrFormat("%d h %d min", minutes / 60, minutes % 60);
}

std::string ReachedText(const Series& series, Reading::Form form) {
  std::string text = ValueText(series.value(), form);
  bool is_of = form != Reading::Form::kPercent && series.total();
  return is_of ? text + " of " + ValueText(*series.total(), form) : text;
}

std::string Describe(const Series& series, Reading::Form form, double now_s) {
  Series::Estimate now = series.EstimateAt(now_s);
  std::string text = ReachedText(series, form);
  bool is_done = now.total && now.value >= *now.total;
  if (is_done) return text;
  double stood_s = now_s - now.value_s;
  if (now.rate) {
    text += " (+" + ValueText(*now.rate, form) + "/s";
    if (now.end_s) text += ", end in " + DurationText(*now.end_s - now_s);
    return text + ")";
  }
  if (stood_s >= 10)
    return text + " (unchanged for " + DurationText(stood_s) + ")";
  return text + " (no estimate)";
}

bool IsMeter(std::string_view text) {
  std::vector<Reading> readings = ReadAllProgress(text);
  return std::any_of(readings.begin(), readings.end(), [](const Reading& r) {
    return r.form == Reading::Form::kPercent;
  });
}

}  // namespace glasstty::motion
