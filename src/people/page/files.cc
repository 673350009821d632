#include "page/files.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "picture/movie.h"
#include "picture/program.h"
#include "record/cast.h"
#include "record/recording.h"
#include "support/status.h"
#include "watch/film.h"

namespace glasstty::page {
namespace {

Download::Produce PictureOf(const Visitor& visitor,
                            const http::Request& request) {
  picture::Job job;
  job.frame = visitor.FrameNow();
  job.options.light = request.query.contains("light");
  return [job](int fd) -> absl::Status {
    ASSIGN_OR_RETURN(picture::DrawnPicture drawn, picture::DrawPng(job));
    return WriteAll(fd, drawn.png) ? absl::OkStatus()
                                   : ErrnoStatus("write", "the picture");
  };
}

// Returns the number in the query, or `otherwise`.
double SecondsIn(const http::Request& request, const char* key,
                 double otherwise) {
  auto found = request.query.find(key);
  double seconds = otherwise;
  bool is_number =
      found != request.query.end() && absl::SimpleAtod(found->second, &seconds);
  return is_number && seconds >= 0 ? seconds : otherwise;
}

// Reads the session's files, like RecordingOf.
template <picture::MovieFormat kFormat>
Download::Produce MovieOf(const Visitor& visitor,
                          const http::Request& request) {
  picture::Options look = {.light = request.query.contains("light")};
  double from = SecondsIn(request, "from", 0);
  double to = SecondsIn(request, "to", 1e9);
  return [path = visitor.watched()->path(), look, from,
          to](int fd) -> absl::Status {
    ASSIGN_OR_RETURN(record::RecordedSession session,
                     record::FindRecorded(path));
    ASSIGN_OR_RETURN(observe::Film film, watch::FilmOf(session, from, to));
    ASSIGN_OR_RETURN(picture::DrawnPicture drawn,
                     picture::DrawMovie(
                         picture::EncodeMovie(std::move(film), look, kFormat)));
    return WriteAll(fd, drawn.png) ? absl::OkStatus()
                                   : ErrnoStatus("write", "the movie");
  };
}

// Opens the session's files by their path, because the page's own descriptors
// are not open in the producing process.
Download::Produce RecordingOf(const Visitor& visitor, const http::Request&) {
  return [path = visitor.watched()->path()](int fd) -> absl::Status {
    ASSIGN_OR_RETURN(record::RecordedSession session,
                     record::FindRecorded(path));
    std::unique_ptr<record::CastWriter> writer;
    std::string lines;
    bool taken = true;
    auto flush = [&](size_t most) {
      if (lines.size() <= most) return;
      taken = taken && WriteAll(fd, lines);
      lines.clear();
    };
    RETURN_IF_ERROR(record::PlayRecorded(
        session, {.markers = true},
        [&](const record::RecordedBegin& begin) {
          record::CastHeader header = begin.header;
          header.version = 2;
          writer = std::make_unique<record::CastWriter>(
              header, [&](std::string_view line) { lines += line; });
        },
        [&](const record::CastEvent& event) {
          writer->Write(event);
          flush(size_t{64} << 10);
          return taken;
        }));
    writer->Finish();
    flush(0);
    return absl::OkStatus();
  };
}

constexpr PageFile kFiles[] = {
    {"/api/picture", ".png", "image/png", PictureOf},
    {"/api/movie", ".png", "image/apng", MovieOf<picture::MovieFormat::kApng>},
    {"/api/movie.gif", ".gif", "image/gif",
     MovieOf<picture::MovieFormat::kGif>},
    {"/api/recording", ".cast", "application/x-asciicast", RecordingOf},
};

}  // namespace

const PageFile* FindPageFile(std::string_view path) {
  const PageFile* file =
      std::find_if(std::begin(kFiles), std::end(kFiles),
                   [path](const PageFile& row) { return path == row.path; });
  return file == std::end(kFiles) ? nullptr : file;
}

std::string FileName(const std::string& session, const PageFile& file) {
  std::string name = session;
  for (char& c : name) {
    bool safe = absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                c == '-' || c == '_' || c == '.';
    if (!safe) c = '_';
  }
  return name + file.ending;
}

}  // namespace glasstty::page
