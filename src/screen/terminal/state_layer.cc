#include "terminal/state_layer.h"

#include <vterm.h>

#include <charconv>

namespace glasstty::terminal {

// Called by libvterm, only while it handles input or a reset. A result of 1
// means success.
struct StateLayer::Callbacks {
  static int SetProperty(VTermProp property, VTermValue* value, void* user) {
    auto* layer = static_cast<StateLayer*>(user);
    if (layer->is_deaf_) return 1;
    Modes* modes = layer->modes_;
    bool on = value->boolean != 0;
    switch (property) {
      case VTERM_PROP_CURSORVISIBLE:
        modes->cursor_visible = on;
        break;
      case VTERM_PROP_CURSORBLINK:
        modes->cursor_blink = on;
        break;
      case VTERM_PROP_REVERSE:
        modes->reverse_screen = on;
        break;
      case VTERM_PROP_ALTSCREEN:
        modes->alternate_screen = on;
        break;
      default:
        break;
    }
    return 1;
  }
  static VTermStateCallbacks Table() {
    VTermStateCallbacks table = {};
    table.settermprop = &SetProperty;
    return table;
  }
  // libvterm keeps the pointer to this table.
  static const VTermStateCallbacks kTable;
};
const VTermStateCallbacks StateLayer::Callbacks::kTable = Table();

// The reset is necessary because libvterm would dereference null at the first
// input.
StateLayer::StateLayer(Size size, Modes* modes)
    : vterm_(vterm_new(size.rows, size.cols)), modes_(modes) {
  VTermState* state = vterm_obtain_state(vterm_);
  vterm_state_set_callbacks(state, &Callbacks::kTable, this);
  vterm_state_reset(state, 1);
  is_deaf_ = false;
}

StateLayer::~StateLayer() { vterm_free(vterm_); }

void StateLayer::SetMode(int number, bool on) {
  char bytes[16] = "\x1b[?";
  constexpr size_t kStart = 3;
  char* end =
      std::to_chars(bytes + kStart, bytes + sizeof bytes - 1, number).ptr;
  *end++ = on ? 'h' : 'l';
  Write({bytes, static_cast<size_t>(end - bytes)});
}

void StateLayer::Write(std::string_view bytes) {
  vterm_input_write(vterm_, bytes.data(), bytes.size());
}

// libvterm's own reset does not leave the alternate screen, and makes the
// cursor blink.
void StateLayer::Reset() {
  is_deaf_ = true;
  Write(
      "\x1b[?1047l\x1b"
      "c\x1b[?12l");
  is_deaf_ = false;
}

void StateLayer::Resize(Size size) {
  vterm_set_size(vterm_, size.rows, size.cols);
}

}  // namespace glasstty::terminal
