// absl::Status made and passed on in one line each.
//
// The only place where statuses are made: Debian 12's abseil (20220623) has
// its own absl::string_view, so messages go through StrFormat, which also
// takes std::string_view. A message says what failed, with which value, and
// the way out. Use std::string_view in signatures, never absl's.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"

namespace glasstty {

// NotFound("no session '%s'", name) and its siblings.
#define GLASSTTY_STATUS_MAKER(Name)                             \
  template <class... Args>                                      \
  absl::Status Name(const absl::FormatSpec<Args...>& format,    \
                    const Args&... args) {                      \
    return absl::Name##Error(absl::StrFormat(format, args...)); \
  }
GLASSTTY_STATUS_MAKER(NotFound)
GLASSTTY_STATUS_MAKER(InvalidArgument)
GLASSTTY_STATUS_MAKER(FailedPrecondition)
GLASSTTY_STATUS_MAKER(ResourceExhausted)
GLASSTTY_STATUS_MAKER(AlreadyExists)
GLASSTTY_STATUS_MAKER(Unavailable)
GLASSTTY_STATUS_MAKER(Internal)
#undef GLASSTTY_STATUS_MAKER

// "open /var/log/x: Permission denied". Reads errno: call it first after the
// failure.
absl::Status ErrnoStatus(std::string_view call, std::string_view what);
// The same for an errno that was kept.
absl::Status ErrnoStatus(int error, std::string_view call,
                         std::string_view what);

// What a person or a model reads of it. Control characters are shown as
// escapes, for messages quote what strangers wrote.
std::string Message(const absl::Status& status);

}  // namespace glasstty

#define GLASSTTY_CAT_(a, b) a##b
#define GLASSTTY_CAT(a, b) GLASSTTY_CAT_(a, b)

// Returns the status of `expr` when it is an error.
#define RETURN_IF_ERROR(expr)                      \
  do {                                             \
    absl::Status status_macro_ = (expr);           \
    if (!status_macro_.ok()) return status_macro_; \
  } while (0)

// `lhs` may declare a variable. Expands to several statements: always a line of
// its own, never the body of an unbraced `if`.
#define ASSIGN_OR_RETURN(lhs, expr) \
  ASSIGN_OR_IMPL_(GLASSTTY_CAT(result_, __LINE__), return, lhs, expr)
#define ASSIGN_OR_CO_RETURN(lhs, expr) \
  ASSIGN_OR_IMPL_(GLASSTTY_CAT(result_, __LINE__), co_return, lhs, expr)
#define ASSIGN_OR_IMPL_(tmp, ret, lhs, expr)  \
  auto tmp = (expr);                          \
  if (!tmp.ok()) ret std::move(tmp).status(); \
  lhs = *std::move(tmp)
