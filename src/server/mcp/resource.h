// The resources that clients may read by URI; they form a table, like the
// tools.
//
// A row is one resource, or a template for many ("toy://{name}/text"). The list
// of resources must not grow with the number of sessions, so most rows are
// templates. A row defines how a resource is read, watched and completed, and
// owns nothing. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mcp/eras.h"
#include "mcp/tool.h"
#include "support/json.h"
#include "support/task.h"

namespace glasstty::mcp {

// The values of a template's variables by name, percent-decoded.
using UriVariables = StringMap;

struct ResourceContents {
  std::string text;
  // Base64; replaces the text.
  std::optional<std::string> blob;
  Json meta = Json::object();  // sent in `_meta`
};

// Returns values for an argument that begin with `typed`; `others` are the
// arguments that have been filled in already.
using Completer = std::function<std::vector<std::string>(
    const std::string& typed, const StringMap& others)>;

// Changes are reported as long as this object lives.
using Watching = std::shared_ptr<void>;

struct Resource {
  // A template if it contains {variables}. A variable stands for one or more
  // characters other than '/'.
  std::string uri;
  std::string name;
  std::string title;
  std::string description;
  std::string mime_type = "text/plain";
  // Error NotFound or FailedPrecondition: the URI does not exist, or not for
  // this client; the message may list existing URIs.
  std::function<Task<absl::StatusOr<ResourceContents>>(ToolCall*, UriVariables)>
      read;
  // Calls `changed` after each change; extra calls do no harm. Returns null if
  // there is no such URI. If `watch` is unset, nobody can subscribe.
  std::function<Watching(const UriVariables&, std::function<void()> changed)>
      watch;
  // The completers of variables, by name.
  std::map<std::string, Completer> complete;

  bool is_template() const { return uri.find('{') != std::string::npos; }
};

// Returns the variables of `uri` if it matches `pattern`.
std::optional<UriVariables> MatchUri(std::string_view pattern,
                                     std::string_view uri);

struct FoundResource {
  const Resource* resource = nullptr;  // null: no row describes the URI
  UriVariables variables;
};
FoundResource FindResource(const std::vector<Resource>& resources,
                           std::string_view uri);

// Returns the entry of `resource` in its list, limited to what `revision`
// supports.
Json DescribeResource(const Resource& resource, const Revision& revision);

}  // namespace glasstty::mcp
