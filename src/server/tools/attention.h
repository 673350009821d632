// Finds out what an agent should be told about a session that it is not looking
// at: the program asks something, or has ended.
//
// Pure functions of a session. tools/clients.h records what the agent has been
// told already.
#pragma once

#include <optional>
#include <string>

#include "lookout/sentry.h"
#include "session/session.h"
#include "tools/clients.h"

namespace glasstty {

struct Attention {
  ToldState::News news;
  // Somebody must answer, because the program asks a question or for a secret.
  // A REPL or an editor waits without asking.
  bool asks = false;
  // The command or the program has ended with a failure.
  bool failed = false;
  // The session was closed on request, so its end is no news.
  bool was_closed = false;
};

Attention AttentionTo(const session::Session& session);

// Returns only Attention::news.
ToldState::News NewsOf(const session::Session& session);

// Returns the program's question, or "waits for input" if no question can be
// recognized. nullopt: the program is busy, has ended, is at a shell's prompt,
// or draws screens without a question.
std::optional<lookout::Surroundings::Question> QuestionOf(
    const session::Session& session);

// Returns a description that follows the session's name: `asks: "Overwrite?
// [y/N]"`. Texts that programs chose are quoted.
std::string AttentionText(const session::Session& session);
// Returns advice on how to answer a program that asks for a secret; "" in other
// states. Show the advice before AttentionText, because a text that a program
// chose must not seem to introduce our advice.
std::string AdviceAbout(const session::Session& session);

}  // namespace glasstty
