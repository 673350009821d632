#include "mcp/eras.h"

#include <string>
#include <utility>

#include "support/status.h"

namespace glasstty::mcp {
namespace {

// The rows are in chronological order, on which NewestLegacyRevision relies.
constexpr Revision kRevisions[] = {
    // name, era, batches, annotations, progress message, titles, structured,
    // resource links, _meta on definitions, completions, forms, form modes,
    // icons
    {"2024-11-05", Era::kLegacy, false, false, false, false, false, false,
     false, false, false, false, false},
    {"2025-03-26", Era::kLegacy, true, true, true, false, false, false, false,
     true, false, false, false},
    {"2025-06-18", Era::kLegacy, false, true, true, true, true, true, true,
     true, true, false, false},
    {"2025-11-25", Era::kLegacy, false, true, true, true, true, true, true,
     true, true, true, true},
    {"2026-07-28", Era::kModern, false, true, true, true, true, true, true,
     true, true, true, true},
};

// Returns a resource_link as text, for clients that do not support the type.
Json LinkAsText(const Json& link) {
  auto member = [&link](const char* key) {
    const Json* value = FindMember(link, key);
    return value == nullptr ? std::string() : AsString(*value).value_or("");
  };
  return {{"type", "text"},
          {"text", absl::StrFormat("[%s] %s", member("name"), member("uri"))}};
}

}  // namespace

const Revision* FindRevision(std::string_view name) {
  for (const Revision& revision : kRevisions) {
    if (revision.name == name) return &revision;
  }
  return nullptr;
}

const Revision* NewestLegacyRevision() {
  const Revision* newest = nullptr;
  for (const Revision& revision : kRevisions) {
    if (revision.era == Era::kLegacy) newest = &revision;
  }
  return newest;
}

Json ModernRevisionNames() {
  Json names = Json::array();
  for (const Revision& revision : kRevisions) {
    if (revision.era != Era::kModern) continue;
    names.insert(names.begin(), std::string(revision.name));
  }
  return names;
}

Json DowngradeToolResult(Json result, const Revision& revision) {
  if (!revision.structured) result.erase("structuredContent");
  auto content = result.find("content");
  if (revision.resource_links || content == result.end()) return result;
  for (Json& block : *content) {
    const Json* type = FindMember(block, "type");
    if (type != nullptr && *type == "resource_link") block = LinkAsText(block);
  }
  return result;
}

}  // namespace glasstty::mcp
