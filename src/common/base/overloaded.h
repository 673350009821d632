// Makes one function object of several lambdas, for std::visit.
#pragma once

namespace glasstty {

template <typename... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
// clang 14 does not deduce the template arguments of an aggregate by itself.
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace glasstty
