#include "tools/until_args.h"

#include <utility>
#include <variant>

#include "support/status.h"

namespace glasstty {
namespace {

using Row = waits::UntilCheck::Condition;

// For members that agents write as `Written`, which `take` turns into the
// member.
template <class Written, class T, class Take>
mcp::Field<UntilArgs> FieldAs(const Row& row, T waits::Until::*member,
                              Take take) {
  mcp::Field<UntilArgs> field(
      mcp::HeadOf(row.name, mcp::ArgType<Written>::Schema({}), row.about));
  field.parse = [member, take](const Json& value, const mcp::ArgPlace& place,
                               UntilArgs* args) {
    Written written{};
    RETURN_IF_ERROR(mcp::ArgType<Written>::Parse(value, {}, place, &written));
    args->*member = take(std::move(written));
    return absl::OkStatus();
  };
  return field;
}

template <class T>
mcp::Field<UntilArgs> FieldOf(const Row& row, T waits::Until::*member) {
  return mcp::Optional(row.name, member, row.about);
}

mcp::Field<UntilArgs> FieldOf(const Row& row,
                              std::optional<double> waits::Until::*seconds) {
  return mcp::Optional(row.name, seconds, row.about, mcp::Range{0.01, 3600});
}

mcp::Field<UntilArgs> FieldOf(const Row& row,
                              std::optional<int64_t> waits::Until::*count) {
  return mcp::Optional(row.name, count, row.about, mcp::Range{1, 1e9});
}

// One word or a list of them; any of them ends the wait.
mcp::Field<UntilArgs> FieldOf(
    const Row& row, std::vector<session::Activity> waits::Until::*states) {
  return FieldAs<mcp::OneOrMore<session::Activity>>(
      row, states,
      [](mcp::OneOrMore<session::Activity> written) { return written.values; });
}

// A port, or true for any. There is no condition with false.
mcp::Field<UntilArgs> FieldOf(
    const Row& row, std::optional<waits::TcpPort> waits::Until::*port) {
  return FieldAs<std::variant<int, bool>>(
      row, port,
      [](const std::variant<int, bool>& written)
          -> std::optional<waits::TcpPort> {
        if (written.index() == 0) return waits::TcpPort{std::get<int>(written)};
        return std::get<bool>(written) ? std::optional(waits::TcpPort{})
                                       : std::nullopt;
      });
}

}  // namespace

const std::vector<mcp::Field<UntilArgs>>& UntilArgs::Fields() {
  static const auto* fields = [] {
    auto* made = new std::vector<mcp::Field<UntilArgs>>;
    for (const Row& row : waits::UntilCheck::Conditions()) {
      auto field = std::visit(
          [&row](auto member) { return FieldOf(row, member); }, row.member);
      made->push_back((row.traits & Row::kUnlisted) != 0
                          ? mcp::Unlisted(std::move(field))
                          : std::move(field));
    }
    return made;
  }();
  return *fields;
}

}  // namespace glasstty
