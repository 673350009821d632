// Implements the lists: tools, resources, templates, prompts.
//
// Each list has a fixed order and, except for the tools (Server::Offers,
// ShowsCards), is the same for every caller of one revision. The cursor of a
// page is the number of its first row.
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "mcp/apps.h"
#include "mcp/handlers.h"
#include "mcp/request.h"
#include "mcp/server.h"
#include "support/status.h"

namespace glasstty::mcp {
namespace {

// Every list of the product fits on one page.
constexpr size_t kPageSize = 100;

// Reads the number of the first row that `params` ask for; returns false if no
// page begins there.
bool ReadCursor(const Json& params, size_t rows, size_t* first) {
  *first = 0;
  const Json* cursor = FindMember(params, "cursor");
  if (cursor == nullptr) return true;
  if (!cursor->is_string()) return false;
  const auto& text = cursor->get_ref<const std::string&>();
  const char* end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, *first);
  return read.ec == std::errc() && read.ptr == end && *first > 0 &&
         *first < rows && *first % kPageSize == 0;
}

// Answers with one page of `rows` as the member `name`.
void AnswerPage(Server* server, Request* request, const char* name,
                std::vector<Json> rows) {
  size_t first = 0;
  if (!ReadCursor(request->params, rows.size(), &first)) {
    return server->Fail(request, BadParams("unknown cursor: no page begins "
                                           "there; list again without one"));
  }
  size_t end = std::min(rows.size(), first + kPageSize);
  Json page = Json::array();
  for (size_t i = first; i < end; ++i) page.push_back(std::move(rows[i]));
  Json result = Json::object();
  result[name] = std::move(page);
  if (end < rows.size()) result["nextCursor"] = absl::StrFormat("%d", end);
  server->Answer(request, std::move(result));
}

std::vector<Json> DescribeResources(const Server& server,
                                    const Request& request, bool templates) {
  std::vector<Json> rows;
  for (const Resource& resource : server.catalog().resources) {
    bool is_card = resource.mime_type == kCardType;
    if (resource.is_template() != templates || is_card) continue;
    rows.push_back(DescribeResource(resource, *request.context.revision));
  }
  return rows;
}

}  // namespace

void ListTools(Server* server, Request* request) {
  std::vector<Json> rows;
  bool cards = ShowsCards(request->context);
  for (const Tool& tool : server->catalog().tools) {
    if (tool.hidden || (tool.for_cards && !cards)) continue;
    if (!server->Offers(tool, *request)) continue;
    rows.push_back(DescribeTool(tool, *request->context.revision, cards));
  }
  AnswerPage(server, request, "tools", std::move(rows));
}

void ListResources(Server* server, Request* request) {
  AnswerPage(server, request, "resources",
             DescribeResources(*server, *request, false));
}

void ListResourceTemplates(Server* server, Request* request) {
  AnswerPage(server, request, "resourceTemplates",
             DescribeResources(*server, *request, true));
}

void ListPrompts(Server* server, Request* request) {
  std::vector<Json> rows;
  for (const Prompt& prompt : server->catalog().prompts) {
    rows.push_back(DescribePrompt(prompt, *request->context.revision));
  }
  AnswerPage(server, request, "prompts", std::move(rows));
}

}  // namespace glasstty::mcp
