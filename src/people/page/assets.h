// The page's own files, compiled in (embed.py).
#pragma once

#include <string_view>

namespace glasstty::page {

struct Asset {
  std::string_view path;  // "/page.js"
  std::string_view type;  // the media type of the content
  std::string_view content;
};
// Returns null if there is no file at that path.
const Asset* FindAsset(std::string_view path);

}  // namespace glasstty::page
