#include "tools/handed_over.h"

#include <string>
#include <utility>

#include "support/encodings.h"
#include "support/text.h"

namespace glasstty {
namespace {

// A negative number, or anything that is not a number, means that there is no
// limit.
rlim_t ReadLimit(const Json& value) {
  int64_t number = AsInteger(value).value_or(-1);
  return number < 0 ? RLIM_INFINITY : static_cast<rlim_t>(number);
}

std::vector<rlimit> ReadLimits(const Json& introduction) {
  std::vector<rlimit> limits;
  const Json* list = FindMember(introduction, "limits");
  if (list == nullptr || !list->is_array()) return limits;
  for (const Json& pair : *list) {
    bool is_pair = pair.is_array() && pair.size() == 2;
    if (!is_pair || limits.size() == RLIM_NLIMITS) break;
    limits.push_back({ReadLimit(pair[0]), ReadLimit(pair[1])});
  }
  return limits;
}

}  // namespace

std::shared_ptr<record::Inheritance> ReadInheritance(const Json* introduction) {
  const Json* encoded =
      introduction == nullptr ? nullptr : FindMember(*introduction, "env");
  if (encoded == nullptr || !encoded->is_string()) return nullptr;
  auto bytes =
      DecodeBytes(encoded->get_ref<const std::string&>(), Encoding::kBase64);
  if (!bytes.ok()) return nullptr;
  auto inherited = std::make_shared<record::Inheritance>();
  for (std::string& entry : Split(*bytes, '\0')) {
    if (!entry.empty()) inherited->environment.push_back(std::move(entry));
  }
  const Json* mask = FindMember(*introduction, "umask");
  auto bits = mask == nullptr ? std::nullopt : AsInteger(*mask);
  if (bits && *bits >= 0 && *bits <= 0777) {
    inherited->umask = static_cast<mode_t>(*bits);
  }
  inherited->limits = ReadLimits(*introduction);
  return inherited;
}

}  // namespace glasstty
