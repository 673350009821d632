// Plays a .rpc transcript: lines that are sent and received, the clock and
// other actors.
//
//   Prose: what this shows.
//
//   --> 2 wait {"seconds":5}          a tools/call with id 2
//   --> {"jsonrpc":"2.0",...}         a line sent as it is
//   --> raw {"half                    likewise, for text that is not JSON;
//                                     escapes as in base/escape.h
//   @+2s                              the clock moves (also ms)
//   @pty c "text\r\n"                 an actor of the host, with its words
//   <-- 2 text                        the answer to 2, line by line; `error`
//   |done                             instead of `text` when isError is set
//   <-- {"jsonrpc":"2.0","id":3,...}  a message, compared as JSON
//   <-- nothing                       no message is left
//
// Messages are matched by id, notifications by method, in order of arrival; at
// the end none may be left. Wildcards: <int>, <any>; a line `|...` stands for
// any number of lines, a member "..." for any others, a last item "..." for
// any rest.
//
// Knows no tool: a test of tools provides a host.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "support/json.h"

namespace glasstty::testing {

struct TranscriptHost {
  // Sends one line to the server and lets it run.
  std::function<void(std::string_view line)> send;
  // Returns the messages that have arrived since the last call.
  std::function<std::vector<Json>()> take;
  std::function<void(Duration)> advance;
  // By the first word after "@". Each gets the rest of the line, and returns
  // what went wrong.
  std::map<std::string, std::function<std::string(std::string_view)>> actors;
};

// Keeps the last call that ended in a question (modern), for `@client answers`.
class LastRound {
 public:
  void Sent(std::string_view line);
  void Got(const Json& message);
  // Takes "ID KEY ANSWER"; returns the call once more as request ID, with this
  // answer, which has no blanks. "": a part is missing.
  std::string Answer(std::string_view words) const;

 private:
  Json call_;
  Json state_;
};

struct TranscriptResult {
  std::string failure;  // empty if everything was as expected
  std::string actual;   // the correct form of the transcript
};

TranscriptResult PlayTranscript(std::string_view text,
                                const TranscriptHost& host);

// Plays the file and returns the failure. With GLASSTTY_UPDATE=1 in the
// environment it rewrites the file instead; look at each change.
std::string PlayTranscriptFile(const std::string& path,
                               const TranscriptHost& host);

// For other formats with the same wildcards.
bool MatchesText(std::string_view pattern, std::string_view text);
bool MatchesLines(const std::vector<std::string>& patterns,
                  const std::vector<std::string>& lines);
bool MatchesJson(const Json& pattern, const Json& value);

}  // namespace glasstty::testing
