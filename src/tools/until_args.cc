#include "tools/until_args.h"

namespace glasstty {

const std::vector<Field<UntilArgs>>& UntilArgs::Fields() {
  using A = UntilArgs;
  static const auto* fields = new std::vector<Field<A>>{
      Optional("text", &A::text, "Literal text appears."),
      Optional("regex", &A::regex, "RE2 pattern matches; ^ $ are line ends."),
      Optional("on", &A::on, "Where text, regex and stop look."),
      Optional("gone", &A::gone, "This text is not on the screen."),
      Optional("stop", &A::stop,
               "RE2 pattern that means failure (reason=stopped)."),
      Optional("state", &A::state,
               "prompt: a shell waits; input: any program waits; secret: "
               "password prompt."),
      Optional("quiet_s", &A::quiet_s, "No output for so long.",
               Range{0.01, 3600}),
      Optional("change", &A::change, "Anything changes."),
      Optional("bell", &A::bell, "The bell rings."),
      Optional("title", &A::title, "RE2 pattern matches a new title."),
      Optional("listening", &A::listening,
               "It listens on this TCP port; true: any."),
  };
  return *fields;
}

Until UntilArgs::ToUntil() const {
  Until until;
  until.text = text;
  until.regex = regex;
  until.on = on;
  until.gone = gone;
  until.stop = stop;
  until.state = state.values;
  until.quiet_s = quiet_s;
  until.change = change;
  until.bell = bell;
  until.title = title;
  if (listening) {
    const int* port = std::get_if<int>(&*listening);
    if (port != nullptr) until.listening = *port;
    if (listening == std::variant<int, bool>(true)) until.listening = 0;
  }
  return until;
}

}  // namespace glasstty
