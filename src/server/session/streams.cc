#include "session/streams.h"

#include <algorithm>

namespace glasstty::session {

std::vector<const Output*> StreamsOf(const Session& session,
                                     OutputStream wanted) {
  std::vector<const Output*> streams;
  if (wanted != OutputStream::kErrors) streams.push_back(&session.output());
  bool has_errors =
      wanted != OutputStream::kOutput && session.errors() != nullptr;
  if (has_errors) streams.push_back(session.errors());
  return streams;
}

const record::LineMark& MarkOf(const Session& session, const Output& stream,
                               const record::ReadMark& mark) {
  return &stream == session.errors() ? mark.errors : mark;
}

record::ReadMark MarkNow(const Session& session) {
  record::ReadMark mark = record::MarkNow(session.output().terminal());
  if (session.errors() != nullptr) {
    mark.errors = record::MarkNow(session.errors()->terminal());
  }
  return mark;
}

record::ReadMark InheritedMark(const Session& session) {
  record::ReadMark mark = session.output().inherited_mark();
  if (session.errors() != nullptr) {
    mark.errors = session.errors()->inherited_mark();
  }
  return mark;
}

bool IsReplaying(const Session& session) {
  std::vector<const Output*> streams = StreamsOf(session);
  return std::ranges::any_of(streams, &Output::replaying);
}

int64_t CountUnread(const Session& session, const record::ReadMark& mark) {
  int64_t unread = 0;
  for (const Output* stream : StreamsOf(session)) {
    unread +=
        record::CountUnread(stream->terminal(), MarkOf(session, *stream, mark));
  }
  return unread;
}

uint64_t LinesRevision(const Session& session) {
  uint64_t revision = 0;
  for (const Output* stream : StreamsOf(session)) {
    revision += stream->terminal().lines_revision();
  }
  return revision;
}

uint64_t ScreensRevision(const Session& session) {
  uint64_t revision = 0;
  for (const Output* stream : StreamsOf(session)) {
    revision += stream->terminal().revision();
  }
  return revision;
}

}  // namespace glasstty::session
