#include "page/palette.h"

#include "picture/theme.h"

namespace glasstty::page {
namespace {

constexpr int kBaseColors = 16;

Json ThemeJson(bool light) {
  picture::Theme theme(light, /*reverse=*/false);
  Json base = Json::array();
  for (int i = 0; i < kBaseColors; ++i) base.push_back(theme.base(i));
  return {{"back", theme.background()},
          {"text", theme.foreground()},
          {"base", std::move(base)}};
}

}  // namespace

Json PaletteJson() {
  return {{"dark", ThemeJson(false)}, {"light", ThemeJson(true)}};
}

}  // namespace glasstty::page
