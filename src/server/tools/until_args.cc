#include "tools/until_args.h"

#include <utility>
#include <variant>

#include "support/status.h"
#include "waits/waiting.h"

namespace glasstty {
namespace {

using Row = waits::UntilCheck::Condition;

// The members of `value`.
struct ValueArgs : waits::ValueIs {
  static const std::vector<mcp::Field<ValueArgs>>& Fields() {
    using A = ValueArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>{
        mcp::Required("regex", &A::regex, "RE2 with one group, the number."),
        mcp::Optional("below", &A::below, ""),
        mcp::Optional("above", &A::above, ""),
        mcp::Optional("changes_by", &A::changes_by,
                      "Since the wait began, up or down.",
                      mcp::Range{0, 1e300}),
    };
    return *fields;
  }
};

// Builds a field whose value agents write as `Written`; `take` converts it to
// the member's type.
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
  return mcp::Optional(row.name, seconds, row.about,
                       mcp::Range{0.01, waits::kLongestWithProgress_s});
}

mcp::Field<UntilArgs> FieldOf(const Row& row,
                              std::optional<int64_t> waits::Until::*count) {
  return mcp::Optional(row.name, count, row.about, mcp::Range{1, 1e9});
}

// Accepts one state or a list; any of them ends the wait.
template <class State>
mcp::Field<UntilArgs> FieldOf(const Row& row,
                              std::vector<State> waits::Until::*states) {
  return FieldAs<mcp::OneOrMore<State>>(
      row, states,
      [](const mcp::OneOrMore<State>& written) { return written.values; });
}

// Accepts a port, or true for any port. There is no condition with false.
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

mcp::Field<UntilArgs> FieldOf(
    const Row& row, std::optional<waits::ValueIs> waits::Until::*value) {
  mcp::Field<UntilArgs> field = FieldAs<ValueArgs>(
      row, value, [](ValueArgs written) -> waits::ValueIs { return written; });
  field.members = mcp::MembersOf<ValueArgs>();
  // The list of tools shows the members in one line.
  field.schema = mcp::HeadOf(row.name, {{"type", "object"}}, row.about).schema;
  return field;
}

// Accepts true or "meaningful". There is no condition with false.
mcp::Field<UntilArgs> FieldOf(
    const Row& row, std::optional<waits::ChangeIs> waits::Until::*change) {
  using Written = std::variant<bool, std::string>;
  mcp::Field<UntilArgs> field(
      mcp::HeadOf(row.name, mcp::ArgType<Written>::Schema({}), row.about));
  field.words = {std::string(waits::kMeaningful)};
  field.parse = [change](const Json& value, const mcp::ArgPlace& place,
                         UntilArgs* args) {
    Written written{};
    RETURN_IF_ERROR(mcp::ArgType<Written>::Parse(value, {}, place, &written));
    const std::string* word = std::get_if<std::string>(&written);
    if (word != nullptr && *word != waits::kMeaningful) {
      return mcp::Mismatch(place, "true or \"meaningful\"", value);
    }
    (args->*change).reset();
    if (word != nullptr) args->*change = waits::ChangeIs::kMeaningful;
    if (written == Written(true)) args->*change = waits::ChangeIs::kAny;
    return absl::OkStatus();
  };
  return field;
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
