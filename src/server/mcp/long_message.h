// Finds the id of a request that is too long to be kept.
//
// Takes the message in pieces and keeps only its id, which may come before or
// after the parameters. Does not check the JSON, so the caller must parse the
// id. Pure state; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glasstty::mcp {

class LongMessage {
 public:
  void Add(std::string_view bytes);
  // Returns true once further bytes can no longer change id().
  bool done() const { return done_; }
  // Returns the id as JSON; "" if this is not a request but, for example, an
  // array of messages, or if its id has not been found yet.
  std::string id() const { return has_method_ ? id_ : ""; }

 private:
  void Take(char c);
  void TakeMark(char c);
  void Keep(char c);
  void EndMember();

  // Members with longer names or values are ignored.
  static constexpr size_t kMostKept = 1 << 10;

  int depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
  bool done_ = false;
  bool has_method_ = false;
  std::string key_;   // the name of the current member, as written
  std::string text_;  // a name or a value at the top level, as written
  std::string id_;
};

}  // namespace glasstty::mcp
