// Creates and propagates an absl::Status in one line each.
//
// Statuses with a message are created only here: Debian 12's abseil (20220623)
// has its own absl::string_view, so messages go through StrFormat, which also
// accepts std::string_view. A message names the failed operation, the value,
// and a remedy. Signatures use std::string_view, never absl's.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"

namespace glasstty {

// Defines NotFound("no session '%s'", name) and its siblings.
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

// Returns an error such as "open /var/log/x: Permission denied". Reads errno,
// so call this directly after the failed call.
absl::Status ErrnoStatus(std::string_view call, std::string_view what);
// Like ErrnoStatus above, for an errno that was saved.
absl::Status ErrnoStatus(int error, std::string_view call,
                         std::string_view what);

// Returns the message on one line for a person or a model. ShowOnOneLine makes
// it safe, because messages quote untrusted text.
std::string Message(const absl::Status& status);

}  // namespace glasstty

#define GLASSTTY_CAT_(a, b) a##b
#define GLASSTTY_CAT(a, b) GLASSTTY_CAT_(a, b)

// Returns the status of `expr` if it is an error.
#define RETURN_IF_ERROR(expr)                      \
  do {                                             \
    absl::Status status_macro_ = (expr);           \
    if (!status_macro_.ok()) return status_macro_; \
  } while (0)

// Assigns the value of `expr` to `lhs`, which may declare a variable. If `expr`
// is an error, returns its status instead. The macro expands to several
// statements, so it must not be the body of an unbraced `if`.
#define ASSIGN_OR_RETURN(lhs, expr) \
  ASSIGN_OR_IMPL_(GLASSTTY_CAT(result_, __LINE__), return, lhs, expr)
#define ASSIGN_OR_CO_RETURN(lhs, expr) \
  ASSIGN_OR_IMPL_(GLASSTTY_CAT(result_, __LINE__), co_return, lhs, expr)
#define ASSIGN_OR_IMPL_(tmp, ret, lhs, expr)  \
  auto tmp = (expr);                          \
  if (!tmp.ok()) ret std::move(tmp).status(); \
  lhs = *std::move(tmp)
