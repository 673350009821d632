#include "tools/until_args.h"

#include <utility>
#include <variant>

#include "support/status.h"

namespace glasstty {
namespace {

using Row = UntilCheck::Condition;

// For members that agents write as `Written`, which `take` turns into the
// member.
template <class Written, class T, class Take>
Field<UntilArgs> FieldAs(const Row& row, T Until::*member, Take take) {
  Field<UntilArgs> field(
      HeadOf(row.name, ArgType<Written>::Schema({}), row.about));
  field.parse = [member, take](const Json& value, const ArgPlace& place,
                               UntilArgs* args) {
    Written written{};
    RETURN_IF_ERROR(ArgType<Written>::Parse(value, {}, place, &written));
    args->*member = take(std::move(written));
    return absl::OkStatus();
  };
  return field;
}

template <class T>
Field<UntilArgs> FieldOf(const Row& row, T Until::*member) {
  return Optional(row.name, member, row.about);
}

Field<UntilArgs> FieldOf(const Row& row,
                         std::optional<double> Until::*seconds) {
  return Optional(row.name, seconds, row.about, Range{0.01, 3600});
}

Field<UntilArgs> FieldOf(const Row& row, std::optional<int64_t> Until::*count) {
  return Optional(row.name, count, row.about, Range{1, 1e9});
}

// One word or a list of them; any of them ends the wait.
Field<UntilArgs> FieldOf(const Row& row, std::vector<Activity> Until::*states) {
  return FieldAs<OneOrMore<Activity>>(
      row, states, [](OneOrMore<Activity> written) { return written.values; });
}

// A port, or true for any. There is no condition with false.
Field<UntilArgs> FieldOf(const Row& row, std::optional<TcpPort> Until::*port) {
  return FieldAs<std::variant<int, bool>>(
      row, port,
      [](const std::variant<int, bool>& written) -> std::optional<TcpPort> {
        if (written.index() == 0) return TcpPort{std::get<int>(written)};
        return std::get<bool>(written) ? std::optional(TcpPort{})
                                       : std::nullopt;
      });
}

}  // namespace

const std::vector<Field<UntilArgs>>& UntilArgs::Fields() {
  static const auto* fields = [] {
    auto* made = new std::vector<Field<UntilArgs>>;
    for (const Row& row : UntilCheck::Conditions()) {
      auto field = std::visit(
          [&row](auto member) { return FieldOf(row, member); }, row.member);
      made->push_back((row.traits & Row::kUnlisted) != 0
                          ? Unlisted(std::move(field))
                          : std::move(field));
    }
    return made;
  }();
  return *fields;
}

}  // namespace glasstty
