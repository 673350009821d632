// Finds out what an agent should know of a session that it has left alone: a
// program asks something, or has ended.
//
// Pure functions of a session; what the agent has been told already is in
// tools/clients.h.
#pragma once

#include <optional>
#include <string>

#include "lookout/sentry.h"
#include "session/session.h"
#include "tools/clients.h"

namespace glasstty {

struct Attention {
  ToldState::News news;
  // Somebody must answer: it is a question or a secret. A REPL or an editor
  // waits without asking.
  bool asks = false;
  // The command or the program has ended with a failure.
  bool failed = false;
  // Its end was asked for, so it is no news.
  bool was_closed = false;
};

Attention AttentionTo(const session::Session& session);

// Returns only Attention::news.
ToldState::News NewsOf(const session::Session& session);

// Returns what the program asks; nullopt: it does not wait for input, or draws
// screens and asks nothing on them.
std::optional<lookout::Surroundings::Question> QuestionOf(
    const session::Session& session);

// Returns what is going on, in words that follow the session's name: `asks:
// "Overwrite? [y/N]"`. Texts that programs chose are between quotes.
std::string AttentionText(const session::Session& session);
// Returns what may be done about it beyond a call of any tool; "" for nothing.
// It precedes AttentionText, because a text that a program chose must not seem
// to introduce our advice.
std::string AdviceAbout(const session::Session& session);

}  // namespace glasstty
