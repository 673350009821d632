// The resources that clients may read by URI: a table, like that of the tools.
//
// A row is one resource or a template for many ("toy://{name}/text"). The list
// of resources must not grow with the number of sessions, so most rows are
// templates. A row says how a resource is read, watched and completed, and owns
// nothing. Loop thread only.
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
  // Base64; instead of the text.
  std::optional<std::string> blob;
  Json meta = Json::object();  // goes beside it, under `_meta`
};

// Values for an argument that begin with `typed`; `others` are the arguments
// that are filled in already.
using Completer = std::function<std::vector<std::string>(
    const std::string& typed, const StringMap& others)>;

// Lives as long as somebody is to be told of changes.
using Watching = std::shared_ptr<void>;

struct Resource {
  // With {variables} it is a template. A variable stands for one or more
  // characters other than '/'.
  std::string uri;
  std::string name;
  std::string title;
  std::string description;
  std::string mime_type = "text/plain";
  // Error NotFound or FailedPrecondition: there is none of that URI, or not for
  // this client; the message may say which there are.
  std::function<Task<absl::StatusOr<ResourceContents>>(ToolCall*, UriVariables)>
      read;
  // Calls `changed` after each change, as often as it likes. Null: there is
  // none of that URI. Not set: nobody can subscribe.
  std::function<Watching(const UriVariables&, std::function<void()> changed)>
      watch;
  // By variable.
  std::map<std::string, Completer> complete;

  bool is_template() const { return uri.find('{') != std::string::npos; }
};

// The variables of `uri` if `pattern` describes it.
std::optional<UriVariables> MatchUri(std::string_view pattern,
                                     std::string_view uri);

struct FoundResource {
  const Resource* resource = nullptr;  // null: no row describes the URI
  UriVariables variables;
};
FoundResource FindResource(const std::vector<Resource>& resources,
                           std::string_view uri);

// The entry of `resource` in its list, as far as `revision` knows it.
Json DescribeResource(const Resource& resource, const Revision& revision);

}  // namespace glasstty::mcp
