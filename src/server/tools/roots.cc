#include "tools/roots.h"

#include <sys/stat.h>

#include <string_view>
#include <utility>

#include "mcp/ask.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

constexpr char kMethod[] = "roots/list";
// Roots beyond this number are ignored.
constexpr size_t kMostRoots = 256;

// Returns the path of a URI such as "file:///home/me/a%20b"; "" if it names no
// file of this machine.
std::string PathOf(std::string_view uri) {
  for (std::string_view prefix : {"file://localhost/", "file:///"}) {
    if (uri.starts_with(prefix)) {
      return PercentDecode(uri.substr(prefix.size() - 1));
    }
  }
  return "";
}

bool IsDirectory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool Contains(std::string_view directory, std::string_view path) {
  return path.starts_with(directory) &&
         (path.size() == directory.size() || directory == "/" ||
          path[directory.size()] == '/');
}

}  // namespace

std::vector<std::string> DirectoriesOf(const Json& result) {
  std::vector<std::string> directories;
  const Json* roots = FindMember(result, "roots");
  if (roots == nullptr || !roots->is_array()) return directories;
  for (const Json& root : *roots) {
    if (directories.size() == kMostRoots) break;
    const Json* uri = FindMember(root, "uri");
    if (uri == nullptr || !uri->is_string()) continue;
    std::string path = PathOf(uri->get_ref<const std::string&>());
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    bool is_whole = path.find('\0') == std::string::npos;
    if (!path.empty() && is_whole && IsDirectory(path)) {
      directories.push_back(std::move(path));
    }
  }
  return directories;
}

std::string ChooseStart(const std::string& handed_over,
                        const std::vector<std::string>& roots) {
  if (roots.empty()) return handed_over;
  for (const std::string& root : roots) {
    if (Contains(root, handed_over)) return handed_over;
  }
  return roots[0];
}

Task<absl::StatusOr<std::string>> Roots::StartDirectory(mcp::ToolCall* call) {
  const mcp::RequestContext& context = call->context();
  auto known = known_.find(call->connection());
  bool is_current =
      known != known_.end() && known->second.changes == context.roots_changes;
  if (is_current) {
    co_return ChooseStart(context.directory, known->second.directories);
  }
  if (!mcp::CanAskClient(*call, kMethod)) co_return context.directory;
  mcp::ClientRequest request{.key = "roots", .method = kMethod};
  // The roots are not used for access control, so they are accepted even if the
  // client volunteers them.
  request.takes_volunteered = true;
  std::vector<mcp::ClientRequest> requests(1, std::move(request));
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests), kPatience);
  if (answers.end == mcp::AskEnd::kLater) {
    co_return Unavailable("the client is asked for its roots first");
  }
  if (call->is_cancelled()) co_return context.directory;
  Known now{context.roots_changes, {}};
  if (answers.end == mcp::AskEnd::kAnswered) {
    now.directories = DirectoriesOf(answers.by_key["roots"]);
  }
  std::string start = ChooseStart(context.directory, now.directories);
  known_[call->connection()] = std::move(now);
  co_return start;
}

}  // namespace glasstty
