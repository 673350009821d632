#include "mcp/resource.h"

#include <utility>

#include "support/text.h"

namespace glasstty::mcp {

// Matches from left to right: a variable ends at the next '/' or at the end of
// the URI, which suffices for paths. Returns nullopt if the URI does not match.
// A variable is never empty and contains no '/', and its value is
// percent-decoded (RFC 6570, "Simple String Expansion").
std::optional<UriVariables> MatchUri(std::string_view pattern,
                                     std::string_view uri) {
  UriVariables variables;
  while (!pattern.empty()) {
    size_t open = pattern.find('{');
    std::string_view literal = pattern.substr(0, open);
    if (uri.substr(0, literal.size()) != literal) return std::nullopt;
    pattern.remove_prefix(literal.size());
    uri.remove_prefix(literal.size());
    if (pattern.empty()) break;
    size_t close = pattern.find('}');
    std::string name(pattern.substr(1, close - 1));
    pattern.remove_prefix(close + 1);
    size_t end = std::min(uri.find('/'), uri.size());
    if (end == 0) return std::nullopt;
    variables[name] = PercentDecode(uri.substr(0, end));
    uri.remove_prefix(end);
  }
  if (!uri.empty()) return std::nullopt;
  return variables;
}

FoundResource FindResource(const std::vector<Resource>& resources,
                           std::string_view uri) {
  for (const Resource& resource : resources) {
    auto variables = MatchUri(resource.uri, uri);
    if (variables) return {&resource, *std::move(variables)};
  }
  return {};
}

Json DescribeResource(const Resource& resource, const Revision& revision) {
  Json entry = {{resource.is_template() ? "uriTemplate" : "uri", resource.uri},
                {"name", resource.name}};
  if (revision.titles && !resource.title.empty()) {
    entry["title"] = resource.title;
  }
  if (!resource.description.empty()) {
    entry["description"] = resource.description;
  }
  entry["mimeType"] = resource.mime_type;
  return entry;
}

}  // namespace glasstty::mcp
