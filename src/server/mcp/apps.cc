#include "mcp/apps.h"

#include <algorithm>

namespace glasstty::mcp {
namespace {

constexpr char kExtension[] = "io.modelcontextprotocol/ui";

}  // namespace

// A client that names no types is assumed to support the only existing one.
bool ShowsCards(const RequestContext& context) {
  const Json* extensions =
      FindMember(context.client_capabilities, "extensions");
  const Json* ui =
      extensions == nullptr ? nullptr : FindMember(*extensions, kExtension);
  if (ui == nullptr) return false;
  const Json* types = FindMember(*ui, "mimeTypes");
  return types == nullptr || !types->is_array() ||
         std::find(types->begin(), types->end(), Json(kCardType)) !=
             types->end();
}

Json CardMeta(const Tool& tool) {
  if (tool.for_cards) return {{"visibility", {"app"}}};
  if (tool.card.empty()) return nullptr;
  return {{"resourceUri", tool.card}, {"visibility", {"model", "app"}}};
}

}  // namespace glasstty::mcp
