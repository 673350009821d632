// Implements the modes raw and links.
#include <algorithm>
#include <cerrno>
#include <iterator>
#include <set>
#include <utility>

#include "base/escape.h"
#include "base/utf8.h"
#include "support/pattern.h"
#include "support/status.h"
#include "terminal/screen_lines.h"
#include "view/read_modes.h"
#include "wire/log_reader.h"

namespace glasstty::view {
namespace {

// The most bytes of the log in one reply. An escaped byte takes up to four
// characters, so this is at most 32,000 characters, which is below the hard
// limit of a reply.
constexpr uint64_t kRawBytes = 8'000;
// The maximum number of links in a reply; term_search finds all of them.
constexpr size_t kMaxLinks = 100;

// Returns bytes of the log from `*offset` on, and advances `*offset` over a
// hole. Returns fewer than `size` if the log ends or another hole begins
// before. Error: nothing can be read.
absl::StatusOr<std::string> ReadLog(const session::Session& session,
                                    const std::string& stem, uint64_t* offset,
                                    uint64_t size) {
  record::Folder::Hold directory = session.OpenDirectory();
  wire::LogReader reader(directory->get(), stem);
  auto kept = reader.NextKept(*offset);
  if (!kept) return ErrnoStatus("read", "the directory of the log");
  *offset = std::max(*offset, *kept);
  std::string bytes(size, '\0');
  size_t have = 0;
  while (have < size) {
    ssize_t n = reader.Read(*offset + have, bytes.data() + have, size - have);
    bool failed = n < 0 && errno != ENODATA;
    if (failed && have == 0) return ErrnoStatus("read", "the log");
    if (n <= 0) break;
    have += static_cast<size_t>(n);
  }
  bytes.resize(have);
  return bytes;
}

// A URL ends before the punctuation of the sentence around it.
std::string_view TrimUrl(std::string_view url) {
  while (!url.empty() &&
         std::string_view(".,;:!?'").find(url.back()) != std::string::npos) {
    url.remove_suffix(1);
  }
  // "(see https://x/a_(b))" keeps its own parenthesis.
  if (url.ends_with(')') && std::count(url.begin(), url.end(), '(') <
                                std::count(url.begin(), url.end(), ')')) {
    url.remove_suffix(1);
  }
  return url;
}

}  // namespace

// Reads from the requested offset on, or else the last kRawBytes.
ReadResult ReadRaw(const session::Session& session, const ReaderMark& mark,
                   const ReadRequest& request) {
  bool errors =
      request.stream == OutputStream::kErrors && session.errors() != nullptr;
  uint64_t end = errors ? session.errors()->terminal().offset()
                        : session.output().feed().end();
  // `wanted` is the requested position, `begin` the first available one.
  uint64_t wanted = end - std::min(end, kRawBytes);
  if (request.since_offset) wanted = std::min(*request.since_offset, end);
  uint64_t begin = wanted;
  auto read = ReadLog(session, errors ? "err" : "out", &begin,
                      std::min(kRawBytes, end - std::min(wanted, end)));
  ReadResult result;
  result.used = ReadMode::kRaw;
  result.mark = mark;
  if (!read.ok()) {
    result.facts = "its log cannot be read: " + Message(read.status());
    return result;
  }
  const std::string& bytes = *read;
  result.body = EscapeBytes(bytes);
  uint64_t next = begin + bytes.size();
  result.facts = absl::StrFormat("bytes %d-%d of %d", begin, next, end);
  if (begin > wanted) {
    result.hint = absl::StrFormat("%d bytes before %d are no longer kept",
                                  begin - wanted, begin);
  }
  if (next < end) {
    result.hint =
        AndAlso(result.hint,
                absl::StrFormat("continue: term_read mode=raw since=%d", next));
  }
  return result;
}

namespace {

struct FoundLink {
  int64_t line = 0;  // for a row of the screen, a number after all lines
  std::string uri;
  int64_t row = 0;        // 0: not on the screen
  bool is_error = false;  // the line is one of stderr
  bool is_cut = false;    // ends in a sign of truncation
};

// Adds the addresses in `text`.
void FindLinks(std::string_view text, const FoundLink& place,
               std::vector<FoundLink>* found) {
  // A URL ends at characters that RFC 3986 does not allow. Other schemes are
  // not matched, because they are mostly words with a colon.
  static const auto* url = new Pattern(
      *Pattern::Compile(R"((?:https?|ftp|file)://[^\s<>"`{}|\\^]+)"));
  while (auto match = url->Find(text)) {
    std::string_view uri = text.substr(match->begin, match->end - match->begin);
    text.remove_prefix(match->end);
    found->push_back(place);
    found->back().is_cut = uri.ends_with("…") || uri.ends_with("...");
    if (uri.ends_with("…")) uri.remove_suffix(std::string_view("…").size());
    found->back().uri = TrimUrl(uri);
  }
}

// Returns true if the address is the truncated label of a hyperlink in the same
// line. An address that ends at a separator of the full one may be meant as it
// is.
bool IsCutLabel(const session::Session& session, const FoundLink& found) {
  auto is_part = [&found](std::string_view uri) {
    constexpr std::string_view kBetween = "/?#&";
    size_t end = found.uri.size();
    return uri.size() > end && (kBetween.find(uri[end]) != uri.npos ||
                                kBetween.find(uri[end - 1]) != uri.npos);
  };
  const auto& links = session.events().links();
  return std::any_of(
      links.begin(), links.end(), [&](const session::Link& link) {
        return link.line == found.line && link.uri != found.uri &&
               link.uri.starts_with(found.uri) &&
               (found.is_cut || !is_part(link.uri));
      });
}

std::vector<FoundLink> AllLinks(const session::Session& session) {
  const terminal::Terminal& terminal = session.output().terminal();
  std::vector<FoundLink> found;
  for (const session::Link& link : session.events().links()) {
    found.push_back({.line = link.line, .uri = link.uri});
  }
  std::vector<FoundLink> texts;
  for (const terminal::Line& line :
       terminal.Lines(terminal.first_line(), terminal.end_line())) {
    FindLinks(line.text, {.line = line.number}, &texts);
  }
  std::ranges::copy_if(
      texts, std::back_inserter(found),
      [&session](const FoundLink& one) { return !IsCutLabel(session, one); });
  if (terminal.modes().alternate_screen) {
    for (const terminal::ScreenLine& line :
         terminal::ScreenLines(terminal.TakeSnapshot())) {
      int64_t row = static_cast<int64_t>(line.row) + 1;
      FindLinks(line.text, {.line = terminal.end_line() + row, .row = row},
                &found);
    }
  }
  std::ranges::stable_sort(found, {}, &FoundLink::line);
  if (session.errors() != nullptr) {
    const terminal::Terminal& errors = session.errors()->terminal();
    for (const terminal::Line& line :
         errors.Lines(errors.first_line(), errors.end_line())) {
      FindLinks(line.text, {.line = line.number, .is_error = true}, &found);
    }
  }
  return found;
}

}  // namespace

// Searches the lines in memory, of both streams, the hyperlinks (OSC 8) that
// are kept, and the screen of a full-screen program.
ReadResult ReadLinks(const session::Session& session, const ReaderMark& mark,
                     const ReadRequest&) {
  ReadResult result;
  result.used = ReadMode::kLinks;
  result.mark = mark;
  const terminal::Terminal& terminal = session.output().terminal();
  std::vector<FoundLink> found = AllLinks(session);
  // Show the last occurrence of each link, because readers want the newest.
  std::set<std::string> seen;
  std::vector<std::string> lines;
  for (auto it = found.rbegin(); it != found.rend(); ++it) {
    if (!seen.insert(it->uri).second) continue;
    if (lines.size() == kMaxLinks) break;
    lines.push_back(it->row > 0
                        ? absl::StrFormat("row %d: %s", it->row, it->uri)
                        : absl::StrFormat("%sline %d: %s",
                                          it->is_error ? kErrorSign : "",
                                          it->line + 1, it->uri));
  }
  for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
    result.body += (result.body.empty() ? "" : "\n") + *it;
  }
  result.facts = absl::StrFormat("%d links", lines.size());
  if (terminal.first_line() > 0) {
    result.hint = absl::StrFormat(
        "only lines from %d on; earlier: term_search regex=\"https?://\"",
        terminal.first_line() + 1);
  }
  return result;
}

}  // namespace glasstty::view
