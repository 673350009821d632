#include "typing/put_file.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "record/file_writer.h"
#include "support/status.h"

namespace glasstty::typing {
namespace {

// A window and one more piece fit into the holder's queue, so no piece is
// refused.
constexpr size_t kPutPiece = 64 << 10;
constexpr uint64_t kPutWindow = 256 << 10;
static_assert(kPutWindow + kPutPiece <= wire::kMaxQueuedInput);
// The longest time without progress.
constexpr Duration kPutPatience = std::chrono::seconds(20);
constexpr Duration kPutGrace = std::chrono::seconds(1);

// Ends the session and removes it from the list, whatever the outcome.
class PutSession {
 public:
  PutSession(session::RemoteSessions* remote, session::SessionRef session)
      : remote_(remote), session_(std::move(session)) {}
  PutSession(const PutSession&) = delete;
  PutSession& operator=(const PutSession&) = delete;
  ~PutSession() { remote_->EndHelper(session_); }

 private:
  session::RemoteSessions* const remote_;
  const session::SessionRef session_;
};

// Returns true while all packets after packet `after` may still arrive.
bool Goes(const session::Session& put, uint64_t after) {
  return !put.finished() &&
         put.input().FindRefusal(after, put.input().last_write()) == nullptr;
}

// Sends the content and the end marker. Returns true if, as far as is known,
// nothing was refused. `status` receives an error of `content`.
Task<bool> Feed(Cancellation* cancellation, session::Session* put,
                uint64_t size, const Content* content, absl::Status* status) {
  uint64_t first = put->input().last_write();
  uint64_t sent = 0;
  uint64_t unread = 0;
  while (sent < size) {
    auto piece = (*content)(
        sent, static_cast<size_t>(std::min<uint64_t>(kPutPiece, size - sent)));
    if (!piece.ok()) *status = piece.status();
    if (!piece.ok()) co_return false;
    uint64_t serial = put->Write(*piece);
    sent += piece->size();
    unread += piece->size();
    if (unread < kPutWindow && sent < size) continue;
    Outcome read = co_await put->WaitFor(
        [put, serial, first] {
          return put->input().consumed(serial) || !Goes(*put, first);
        },
        put->loop()->Now() + kPutPatience, cancellation);
    if (read != Outcome::kMet || !Goes(*put, first)) co_return false;
    unread = 0;
  }
  put->Write(wire::kPutEnd, wire::kWriteEof);
  co_await put->WaitFor([put, first] { return !Goes(*put, first); },
                        put->loop()->Now() + kPutPatience, cancellation);
  co_return put->input().FindRefusal(first, put->input().last_write()) ==
      nullptr;
}

bool FindResult(const session::Session& put, wire::PutResult* result) {
  const record::History& history = put.output().history();
  for (const terminal::Line& line :
       history.Lines(history.first_line(), history.end_line())) {
    if (wire::DecodePutResult(line.text, result)) return true;
  }
  return false;
}

// Explains why the program has printed no result.
absl::Status WhyNoResult(const session::Session& put, bool fed) {
  const std::string& place = put.origin().place;
  if (!put.life().start_error().ok()) return put.life().start_error();
  if (put.finished()) {
    return FailedPrecondition(
        "on %s: our program there has another version, so nothing was written "
        "(close the sessions there, then glasstty places clean %s)",
        place, place);
  }
  return Unavailable("on %s: the connection broke or does not answer: %s",
                     place,
                     fed ? "whether the file was written is not known"
                         : "nothing was written");
}

}  // namespace

Task<absl::StatusOr<wire::PutResult>> PutFile(session::RemoteSessions* remote,
                                              Cancellation* cancellation,
                                              session::SessionRef session,
                                              wire::PutRequest request,
                                              const Content* content) {
  auto opened = remote->OpenHelper("@put", wire::EncodePut(request), *session);
  if (!opened.ok()) co_return opened.status();
  PutSession put(remote, *opened);
  session::Session* s = opened->get();
  co_await s->WaitFor(
      [s] {
        return s->life().started() || !s->life().start_error().ok() ||
               s->finished() || s->contact().away_since().has_value();
      },
      s->loop()->Now() + kPutPatience, cancellation);
  absl::Status unreadable;
  bool fed = s->life().started() &&
             co_await Feed(cancellation, s, request.size, content, &unreadable);
  if (!unreadable.ok()) co_return unreadable;
  wire::PutResult result;
  // Even if not everything was sent, there may be a result: the program reports
  // a refusal before it has read everything.
  co_await s->WaitFor([s] { return s->finished(); },
                      s->loop()->Now() + kPutGrace, cancellation);
  if (!FindResult(*s, &result)) co_return WhyNoResult(*s, fed);
  absl::Status status = record::StatusOf(result.problem);
  if (!status.ok()) co_return status;
  co_return result;
}

}  // namespace glasstty::typing
