// Keeps the text of lines that no longer fit into memory, in files of the
// session's directory.
//
//   STEM.<16 hex>  whole lines; the name is the number of the first line
//   STEM.places    pairs {offset in the log, line}: the line begins at the
//                  offset. They preserve line numbers when a server dies or the
//                  beginning of the log is deleted
//   STEM-new.*     the same files, rebuilt from the log by a server that takes
//                  the session over; they replace the others when it is done
//
// Owns the files and an index of one entry per kBlockBytes. Removes the oldest
// file when `cap` is exceeded; if the disk refuses writes, it drops everything
// that was kept. first_line() reflects both. Keeps open only the file to which
// it writes, and opens files anew to read them. Borrows the folder, which must
// outlive it. Single-threaded.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
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
  // Longer lines are truncated to this; a note says how much is missing.
  static constexpr size_t kMaxLineBytes = 64 << 10;
  static constexpr uint64_t kFileBytes = 4 << 20;

  // `cap` is in bytes; the newest file is kept even if it exceeds the cap. The
  // constructor opens no files.
  LineArchive(const Folder* folder, std::string stem, uint64_t cap);

  // Call before the log is read from `*offset` on. Adopts the lines that an
  // earlier server has left, unless `*offset` is 0, because a complete log
  // reproduces them. Advances `*offset` to the next position whose line number
  // is known, if there is one. Returns the number of the line that begins at
  // `*offset`. Before EndRestore, adopted files are deleted only if the disk is
  // full or the cap is exceeded.
  int64_t Restore(uint64_t* offset);
  // Like Restore, if the caller knows that `line` begins or continues at the
  // position from which the log will be read.
  void RestoreAt(int64_t line);
  // Call when the log has been read: lines appended since Restore replace the
  // lines with the same numbers that the earlier server left.
  void EndRestore();

  // Appends text as Terminal::TakeEvicted returns it.
  void Append(std::string_view text);
  // Records that `line` begins at `offset` of the log.
  void AddPlace(uint64_t offset, int64_t line);
  // Records that the lines [begin, end) do not exist: line `end` comes directly
  // after line `begin` - 1. REQUIRES: the end of line `begin` - 1 has not been
  // appended yet.
  void AddGap(int64_t begin, int64_t end);

  // A position in the log at which a line begins. FirstPlace returns the first
  // one at or after `offset` that AddPlace has recorded in this directory;
  // nullopt: none.
  struct LinePlaceInLog {
    uint64_t offset = 0;
    int64_t line = 0;
  };
  static std::optional<LinePlaceInLog> FirstPlace(int dir_fd,
                                                  const std::string& stem,
                                                  uint64_t offset);

  // Deletes the oldest files until the archive fits, but never the newest one.
  void SetCap(uint64_t cap);
  // Deletes all files of the archive. Nothing may be appended or read after
  // this.
  void Remove();
  // Closes all files. Text that is appended later goes into a new file.
  void Close() { writer_.Reset(); }

  // Lines [first_line, open_line] are in the archive, except for gaps. The end
  // of open_line may still be in the terminal.
  int64_t first_line() const;
  // Returns why the disk refused the lines before first_line(); empty if they
  // were removed because of `cap`, or if only an earlier server knew the
  // reason.
  std::string WhyNotKept() const;
  int64_t open_line() const { return open_line_; }
  bool empty() const { return files_.empty() && pending_.empty(); }

  // Returns `line`, or the first line after the gap that contains it.
  int64_t SkipGap(int64_t line) const;
  // Returns `end`, or the beginning of the gap that contains the line before
  // it.
  int64_t SkipGapBack(int64_t end) const;
  // Returns how many of the lines [from, to) are in gaps.
  int64_t MissingIn(int64_t from, int64_t to) const;
  // Returns the archived lines of [from, to): about `max_bytes` of text at
  // most, but at least one line if there is one. Trailing blanks are kept.
  std::vector<terminal::Line> Lines(int64_t from, int64_t to,
                                    size_t max_bytes) const;

  // The number of times that kept lines could not be read, and the reason for
  // the last failure. Readers compare the count before and after, so that
  // unreadable lines are not mistaken for lines that never existed.
  uint64_t failed_reads() const { return failed_reads_; }
  const std::string& failure() const { return failure_; }

  // Reads many lines as one text, for code that examines all of them. Borrows
  // the archive, which must outlive it and may grow in the meantime.
  class Reader {
   public:
    explicit Reader(const LineArchive* archive) : archive_(archive) {}
    // Returns whole lines [first, end), each with its newline: about `bytes` of
    // text, starting at an index entry at or before `line`. The text is valid
    // until the next call. It is empty if the line is not in the archive, is
    // the open one, or cannot be read.
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
    // The file that is open now.
    UniqueFd fd_;
    int64_t line_ = 0;
    bool is_new_ = false;
  };

 private:
  struct File {
    int64_t line = 0;    // the first line in the file
    uint64_t start = 0;  // the first byte, counted across all files
    uint64_t size = 0;
    bool is_new = false;  // created since Restore
    bool is_cut = false;  // the file continues after `size`
  };
  // A line begins at byte `start` of all files or, in STEM.places, of the log.
  struct Place {
    uint64_t start = 0;
    int64_t line = 0;
  };
  // Lines that were never archived; the next line begins at byte `start`.
  struct Gap {
    int64_t begin = 0;
    int64_t end = 0;
    uint64_t start = 0;
  };

  void Begin(int64_t first_line);
  void Clear(int64_t first_line);
  std::string NewStem() const { return stem_ + "-new"; }
  std::string FileName(int64_t line, bool is_new) const;
  std::string PlacesName(bool is_new) const;
  std::vector<int64_t> ListFiles(bool is_new) const;
  std::vector<Place> ReadPlaces() const;
  static std::vector<Place> DecodePlaces(int dir_fd, const std::string& name);
  void RemoveNew();
  void RemoveStale();
  void AdoptFiles(int64_t end_line);
  bool AdoptFile(int64_t line, int64_t end_line);
  void SkipTo(int64_t line);
  void Failed() const;
  void AppendLines(std::string_view lines);
  // REQUIRES: the open line is the first of a gap.
  void PassGap();
  // Appends the lines [from, to), which contain no gap. Returns false if
  // `max_bytes` is reached or the lines end before `to`.
  bool AppendStretch(int64_t from, int64_t to, size_t max_bytes,
                     std::vector<terminal::Line>* lines) const;
  // Adds the open line to the index if an entry is due.
  void BeginLine();
  void AppendPiece(std::string_view text);
  void EndLine();
  // Returns the note for a truncated line. It stands at the end of the line, or
  // in the middle if the terminal still holds the end.
  std::string NoteOfCut() const;
  void Flush();
  bool WriteToFile(std::string_view lines);
  bool OpenFile();
  void EnforceCap();
  void RemoveOldest();
  const File* FileAt(uint64_t start) const;
  // The offsets after the last byte on disk, and after the last byte that has
  // not been written yet.
  uint64_t disk_end() const;
  uint64_t end() const { return disk_end() + pending_.size(); }

  // Constant.
  const Folder* const folder_;
  const std::string stem_;
  // State.
  uint64_t cap_;
  std::deque<File> files_;
  UniqueFd writer_;              // writes files_.back(), or is invalid
  std::deque<Place> index_;      // ascending
  std::string pending_;          // text not written yet
  std::deque<Gap> gaps_;         // ascending
  std::deque<Gap> coming_gaps_;  // gaps after the open line
  int64_t open_line_ = 0;
  // The disk refused the lines before refused_before_, because of refusal_.
  int64_t refused_before_ = 0;
  std::string refusal_;
  size_t open_bytes_ = 0;  // how much of the open line is kept
  // The truncated part of the open line.
  size_t cut_bytes_ = 0;
  size_t cut_characters_ = 0;
  uint64_t last_place_ = 0;
  mutable uint64_t failed_reads_ = 0;
  mutable std::string failure_;
  // Between Restore and EndRestore.
  bool restoring_ = false;
  bool places_are_new_ = false;
  std::vector<int64_t> stale_;  // files that EndRestore deletes
};

}  // namespace glasstty::record
