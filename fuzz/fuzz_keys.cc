// Tests key notation, text, paste and mouse: no text may crash the parser, and
// no paste may contain an escape.
#include <string>
#include <string_view>

#include "require.h"
#include "terminal/key_protocols.h"
#include "terminal/keys.h"
#include "terminal/mouse.h"

namespace glasstty {
namespace {

terminal::Modes ModesFrom(uint8_t bits) {
  terminal::Modes modes;
  modes.application_cursor = (bits & 1) != 0;
  modes.application_keypad = (bits & 2) != 0;
  modes.newline = (bits & 4) != 0;
  modes.bracketed_paste = (bits & 8) != 0;
  modes.mouse = static_cast<terminal::MouseTracking>(bits >> 4 & 3);
  modes.mouse_encoding = static_cast<terminal::MouseEncoding>(bits >> 6 & 3);
  return modes;
}

void Play(std::string_view text, const terminal::Modes& modes) {
  auto pieces = terminal::ParseNotation(text);
  if (pieces.ok()) {
    size_t literal = 0;
    for (const terminal::InputPiece& piece : *pieces) {
      literal += piece.text.size();
      if (!piece.is_key) continue;
      for (int flags = 0; flags <= terminal::kAllKittyFlags; ++flags) {
        terminal::Modes asked = modes;
        asked.kitty_flags = flags;
        Require(!terminal::CanSend(piece.key, asked) ||
                !terminal::EncodeKey(piece.key, asked).empty());
      }
    }
    Require(literal <= text.size());
  } else {
    Require(!pieces.status().message().empty());
  }
  (void)terminal::ParseKey(text).ok();
  std::string pasted = terminal::EncodePaste(text, modes);
  size_t escapes = 0;
  for (char c : pasted) escapes += c == '\x1b' ? 1 : 0;
  Require(escapes == (modes.bracketed_paste ? 2u : 0u));
  Require(terminal::EncodeText(text, modes).size() <= text.size());
  for (char c : text.substr(0, 16)) {
    terminal::MouseEvent event;
    event.action = static_cast<terminal::MouseAction>((c & 3) % 3);
    event.button = static_cast<terminal::MouseButton>(c >> 2 & 7);
    event.row = event.col = static_cast<uint8_t>(c) * 4;
    event.modifiers = static_cast<uint8_t>(c >> 5 & 7);
    (void)terminal::EncodeMouse(event, modes).ok();
  }
}

}  // namespace
}  // namespace glasstty

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  glasstty::Play(text, glasstty::ModesFrom(data[0]));
  return 0;
}
