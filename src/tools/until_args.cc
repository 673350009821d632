#include "tools/until_args.h"

namespace glasstty {

const std::vector<Field<UntilArgs>>& UntilArgs::Fields() {
  using A = UntilArgs;
  // Empty texts where the name says it all.
  static const auto* fields = new std::vector<Field<A>>{
      Optional("text", &A::text, "Appears."),
      Optional("regex", &A::regex, "RE2; ^ $ at line ends."),
      Unlisted(
          Optional("on", &A::on,
                   "Where text, regex and stop look: any, screen, output.")),
      Optional("gone", &A::gone, "Leaves the screen."),
      Optional("stop", &A::stop, "RE2: failure."),
      Optional("state", &A::state,
               "prompt: a shell waits; input: any program; secret: a password "
               "prompt."),
      Optional("quiet_s", &A::quiet_s, "Without output.", Range{0.01, 3600}),
      Optional("change", &A::change, ""),
      Unlisted(Optional("bell", &A::bell, "The bell rings.")),
      Unlisted(Optional("title", &A::title, "RE2: the title changes to this.")),
      Optional("listening", &A::listening, "TCP port, or true."),
      Unlisted(Optional("person", &A::person,
                        "A person has the keyboard (here), or no longer.")),
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
  if (person) {
    until.person =
        *person == PersonArg::kHere ? PersonIs::kHere : PersonIs::kGone;
  }
  until.title = title;
  // In Until, 0 means any port. There is no condition without a value, nor with
  // false.
  if (listening) {
    const int* port = std::get_if<int>(&*listening);
    if (port != nullptr) until.listening = *port;
    if (listening == std::variant<int, bool>(true)) until.listening = 0;
  }
  return until;
}

}  // namespace glasstty
