// The text of lines that no longer fit into memory, in files of the session's
// directory.
//
//   STEM.<16 hex>  whole lines; the name is the number of the first
//   STEM.places    pairs {offset in the log, line}: there that line begins. By
//                  them numbers survive a server that died and a log whose
//                  beginning has gone
//   STEM-new.*     the same, made anew from the log by a server that takes the
//                  session over; they replace the others when it is through
//
// Owns the files and an index of one entry per kBlockBytes. Removes the oldest
// file when `cap` is exceeded; if the disk refuses writes, everything that was
// kept is dropped. first_line() reflects both. Keeps the file that it writes to
// open, and opens the others for each read. Borrows the folder, which must
// outlive it. Single-threaded.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "record/folder.h"
#include "terminal/terminal.h"

namespace glasstty::record {

class LineArchive {
 public:
  // Bytes of text between two entries of the index.
  static constexpr uint64_t kBlockBytes = 16 << 10;
  // Of a longer line so much is kept, and a count of the rest.
  static constexpr size_t kMaxLineBytes = 64 << 10;
  static constexpr uint64_t kFileBytes = 4 << 20;

  // `cap` is in bytes; the newest file is kept whatever it takes. Opens
  // nothing.
  LineArchive(const Folder* folder, std::string stem, uint64_t cap);

  // Begins with what an earlier server has left, up to `*offset` of the log.
  // `*offset` is moved on to the next place whose line is known, if there is
  // one. Returns the number of the line that begins there; lines before it are
  // here, as far as they were kept. Nothing is deleted before EndRestore.
  int64_t Restore(uint64_t* offset);
  // The log has been read: what was appended since Restore replaces what the
  // earlier server left of the same lines.
  void EndRestore();

  // As Terminal::TakeEvicted gives it.
  void Append(std::string_view text);
  // At `offset` of the log the line with this number begins.
  void AddPlace(uint64_t offset, int64_t line);

  // What is more than that goes now, but for the newest file.
  void SetCap(uint64_t cap);
  // Keeps no file open. What is appended later begins a new one.
  void Close() { writer_.Reset(); }

  // Lines [first_line, open_line] are here, if any; open_line may go on
  // elsewhere.
  int64_t first_line() const;
  int64_t open_line() const { return open_line_; }
  bool empty() const { return files_.empty() && pending_.empty(); }

  // Those of [from, to) that are here, up to about `max_bytes` of text and at
  // least one. Blanks at the end are kept.
  std::vector<terminal::Line> Lines(int64_t from, int64_t to,
                                    size_t max_bytes) const;

  // Reads many lines as one text, for whoever looks at all of them. Borrows the
  // archive, which must outlive it and may grow meanwhile.
  class Reader {
   public:
    explicit Reader(const LineArchive* archive) : archive_(archive) {}
    // Whole lines [first, end), each with its newline; about `bytes` of text
    // from an index entry at or before `line` on. Valid until the next call.
    // Empty: the line is not here, is the open one, or cannot be read.
    struct Piece {
      int64_t first = 0;
      int64_t end = 0;
      std::string_view text;
    };
    Piece Read(int64_t line, size_t bytes);

   private:
    bool ReadBytes(uint64_t start, char* out, size_t size);

    const LineArchive* const archive_;
    std::vector<char> text_;
    // The file that is open.
    UniqueFd fd_;
    int64_t line_ = 0;
    bool is_new_ = false;
  };

 private:
  struct File {
    int64_t line = 0;    // its first
    uint64_t start = 0;  // its first byte, counted over all files
    uint64_t size = 0;
    bool is_new = false;  // made since Restore
    bool is_cut = false;  // the file goes on behind `size`
  };
  // Where a line begins.
  struct Place {
    uint64_t start = 0;
    int64_t line = 0;
  };

  void Begin(int64_t first_line);
  void Clear(int64_t first_line);
  std::string NewStem() const { return stem_ + "-new"; }
  std::string FileName(int64_t line, bool is_new) const;
  std::string PlacesName(bool is_new) const;
  std::vector<int64_t> ListFiles(bool is_new) const;
  std::vector<Place> ReadPlaces() const;
  void RemoveNew();
  void RemoveStale();
  void AdoptFiles(int64_t end_line);
  bool AdoptFile(int64_t line, int64_t end_line);
  void FillUpTo(int64_t line);
  void AppendLines(std::string_view lines);
  // Into the index, when it is due.
  void BeginLine();
  void AppendPiece(std::string_view text);
  void EndLine();
  void Flush();
  bool WriteToFile(std::string_view lines);
  bool OpenFile();
  void EnforceCap();
  void RemoveOldest();
  const File* FileAt(uint64_t start) const;
  // One past the last byte on disk, and with what is not written yet.
  uint64_t disk_end() const;
  uint64_t end() const { return disk_end() + pending_.size(); }

  // Constant.
  const Folder* const folder_;
  const std::string stem_;
  // State.
  uint64_t cap_;
  std::deque<File> files_;
  UniqueFd writer_;          // of files_.back(), or invalid
  std::deque<Place> index_;  // ascending
  std::string pending_;      // behind the files
  int64_t open_line_ = 0;
  size_t open_bytes_ = 0;  // of the open line, with what was cut off it
  uint64_t last_place_ = 0;
  // Between Restore and EndRestore.
  bool restoring_ = false;
  bool places_are_new_ = false;
  std::vector<int64_t> stale_;  // files that go at EndRestore
};

}  // namespace glasstty::record
