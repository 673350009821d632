#include "tools/person_facts.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "support/status.h"
#include "support/text.h"

namespace glasstty {

using session::Visits;

namespace {

// The rows have the order of LeaseEnd.
struct EndRow {
  const char* word;   // for programs
  const char* words;  // for a sentence
};
constexpr EndRow kEnds[] = {
    {"given", "handed back"},
    {"given", "handed back"},
    {"idle", "handed back, because no key was pressed for long,"},
    {"gone", "handed back, because the person's terminal went away,"},
    {"taken", "handed back"},
    {"ended", "ended with the program"},
};

const EndRow& RowOf(wire::LeaseEnd how) {
  auto index = static_cast<size_t>(how);
  return kEnds[index < std::size(kEnds) ? index : 0];
}

int64_t Seconds(Duration d) {
  return std::chrono::duration_cast<std::chrono::seconds>(d).count();
}

Duration HereFor(const session::Session& session) {
  Duration time = session.loop()->Now() - session.person().since();
  return std::max(time, Duration::zero());
}

// Returns a text such as "31 keys and 1 secret".
std::string TypedText(uint64_t keys, uint64_t secrets) {
  std::vector<std::string> parts;
  if (keys > 0) parts.push_back(Counted(static_cast<int64_t>(keys), "key"));
  if (secrets > 0) {
    parts.push_back(Counted(static_cast<int64_t>(secrets), "secret"));
  }
  return parts.empty() ? "nothing" : Join(parts, " and ");
}

}  // namespace

std::string PersonHere(const session::Session& session) {
  return absl::StrFormat("a person has the keyboard (%s, %d s)",
                         session.person().via(), Seconds(HereFor(session)));
}

std::string NotTyped(const session::Session& session) {
  return absl::StrFormat(
      "not typed: %s; term_wait {\"until\": {\"person\": \"gone\"}} waits "
      "until "
      "it is free",
      PersonHere(session));
}

std::string HandedBack(const session::Session& session, const Visits& seen) {
  const Visits& all = session.person().visits();
  uint64_t keys = all.keys - seen.keys, secrets = all.secrets - seen.secrets;
  terminal::Size size = session.output().terminal().size();
  bool resized = size != all.size_before;
  if (keys == 0 && secrets == 1 && !resized) {
    return "a person typed the secret; it is in no log and no reply";
  }
  std::string text =
      absl::StrFormat("%s after %d s: a person typed %s", RowOf(all.how).words,
                      Seconds(all.time - seen.time), TypedText(keys, secrets));
  if (resized) {
    text += absl::StrFormat(", size %dx%d -> %dx%d", all.size_before.rows,
                            all.size_before.cols, size.rows, size.cols);
  }
  bool changed = keys > 0 || secrets > 0 || resized;
  return text + (changed ? "; look before you type" : "");
}

Json PersonJson(const session::Session& session) {
  return {{"via", session.person().via()},
          {"since_s", Seconds(HereFor(session))}};
}

Json HandedBackJson(const session::Session& session, const Visits& seen) {
  const Visits& all = session.person().visits();
  terminal::Size size = session.output().terminal().size();
  return {{"seconds", Seconds(all.time - seen.time)},
          {"keys", all.keys - seen.keys},
          {"secrets", all.secrets - seen.secrets},
          {"size", {size.rows, size.cols}},
          {"how", RowOf(all.how).word}};
}

}  // namespace glasstty
