#include "picture/embedded_fonts.h"

// Lets the assembler include the files, which is fast. meson defines the
// folder.
asm(".section .rodata\n"
    ".balign 16\n"
    "glasstty_font_regular:\n"
    ".incbin \"" GLASSTTY_FONT_DIR
    "/DejaVuSansMono.ttf\"\n"
    "glasstty_font_regular_end:\n"
    ".balign 16\n"
    "glasstty_font_bold:\n"
    ".incbin \"" GLASSTTY_FONT_DIR
    "/DejaVuSansMono-Bold.ttf\"\n"
    "glasstty_font_bold_end:\n"
    ".previous\n"
    ".hidden glasstty_font_regular\n"
    ".hidden glasstty_font_regular_end\n"
    ".hidden glasstty_font_bold\n"
    ".hidden glasstty_font_bold_end\n"
    ".globl glasstty_font_regular\n"
    ".globl glasstty_font_regular_end\n"
    ".globl glasstty_font_bold\n"
    ".globl glasstty_font_bold_end\n");

extern "C" {
[[gnu::visibility("hidden")]] extern const char glasstty_font_regular[];
[[gnu::visibility("hidden")]] extern const char glasstty_font_regular_end[];
[[gnu::visibility("hidden")]] extern const char glasstty_font_bold[];
[[gnu::visibility("hidden")]] extern const char glasstty_font_bold_end[];
}

namespace glasstty::picture {
namespace {

std::string_view Between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

std::string_view EmbeddedRegular() {
  return Between(glasstty_font_regular, glasstty_font_regular_end);
}
std::string_view EmbeddedBold() {
  return Between(glasstty_font_bold, glasstty_font_bold_end);
}

}  // namespace glasstty::picture
