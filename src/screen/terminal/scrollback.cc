// A slab is filled from the front and never moved; a record is always in a
// single slab. The index has one entry per row, so the n-th row is found at
// once, and the first row of a line by bisection, because line numbers ascend.
#include "terminal/scrollback.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace glasstty::terminal {
namespace {

// A record consists of this header, the text, the runs and the gaps. It is
// copied in and out, so it need not be aligned. The header has 24 bytes; moving
// these fields to a separate index would not save memory.
struct Header {
  int64_t line;
  uint64_t revision;
  uint16_t text_size;
  uint16_t runs_size;
  uint16_t gaps_size;
  uint8_t wrapped;
  uint8_t concealed;
};

}  // namespace

// Allows 1 KiB for each row, plus one slab, plus the one that is being filled.
Scrollback::Scrollback(const Options& options)
    : max_rows_(static_cast<size_t>(std::max(options.max_rows, 0))),
      max_slabs_(max_rows_ * 1024 / kSlabSize + 2),
      keep_evicted_(options.keep_evicted) {}

// Lines are counted even if nothing is kept.
void Scrollback::Push(const Row& row, const ClusterTable& clusters) {
  if (!row.wrapped) ++next_line_;
  if (max_rows_ == 0 && !keep_evicted_) return;
  RowRecord record = encoder_.Encode(row, clusters);
  if (max_rows_ == 0) return CollectEvicted(record.text, row.wrapped);
  newest_line_bytes_ =
      (row.wrapped ? newest_line_bytes_ : 0) + record.text.size();
  Header header = {next_line_ - 1,
                   row.line_revision,
                   static_cast<uint16_t>(record.text.size()),
                   static_cast<uint16_t>(record.runs.size()),
                   static_cast<uint16_t>(record.gaps.size()),
                   row.wrapped,
                   record.conceals && row.ConcealsSome(row.used)};
  char* out = Allocate(sizeof(header) + record.text.size() +
                       record.runs.size() + record.gaps.size());
  std::memcpy(out, &header, sizeof(header));
  out += sizeof(header);
  std::memcpy(out, record.text.data(), record.text.size());
  out += record.text.size();
  for (std::string_view part : {record.runs, record.gaps}) {
    if (part.empty()) continue;
    std::memcpy(out, part.data(), part.size());
    out += part.size();
  }
  ++pops_;
  while (index_.size() > max_rows_) EvictFront();
}

// Makes room for one record in the last slab, or in a new one, and adds its
// entry to the index. The largest possible row, with 1,000 columns that each
// have another style and a full cluster, takes 57 KiB, so every row fits into a
// slab.
char* Scrollback::Allocate(size_t size) {
  auto bytes = static_cast<uint32_t>(size);
  if (slabs_.empty() || slabs_.back().used + bytes > kSlabSize) {
    Slab slab;
    while (slabs_.size() >= max_slabs_) EvictFront();
    slab.bytes = spare_ ? std::move(spare_)
                        : std::unique_ptr<char[]>(new char[kSlabSize]);
    slabs_.push_back(std::move(slab));
  }
  Slab& slab = slabs_.back();
  auto number = first_slab_ + static_cast<uint32_t>(slabs_.size() - 1);
  index_.push_back({number, slab.used});
  char* out = slab.bytes.get() + slab.used;
  slab.used += bytes;
  return out;
}

// A slab is dropped together with its last row.
void Scrollback::EvictFront() {
  if (keep_evicted_) {
    RowView front = row(0);
    CollectEvicted(front.text, front.wrapped);
  }
  index_.pop_front();
  ++dropped_;
  pops_ = std::min(pops_, index_.size());
  while (!slabs_.empty() &&
         (index_.empty() || index_.front().slab > first_slab_)) {
    spare_ = std::move(slabs_.front().bytes);
    slabs_.pop_front();
    ++first_slab_;
  }
}

void Scrollback::CollectEvicted(std::string_view text, bool wrapped) {
  if (any_evicted_ && !wrapped) evicted_ += '\n';
  any_evicted_ = true;
  evicted_ += text;
}

// Used when the screen becomes taller. The slab is truncated, so rows that move
// between screen and history leave no gap.
bool Scrollback::Pop(Row* row, ClusterTable* clusters) {
  if (pops_ == 0 || index_.empty()) return false;
  Place place = index_.back();
  size_t text_size = this->row(index_.size() - 1).text.size();
  Decode(index_.size() - 1, row, clusters);
  if (!row->wrapped) --next_line_;
  --pops_;
  index_.pop_back();
  slabs_.back().used = place.offset;
  if (place.offset == 0) slabs_.pop_back();
  // If no row of the line is left, the previous line is the newest one.
  newest_line_bytes_ -= std::min(newest_line_bytes_, text_size);
  if (!row->wrapped) CountNewestLine();
  return true;
}

void Scrollback::CountNewestLine() {
  newest_line_bytes_ = 0;
  for (size_t i = LowerBound(next_line_ - 1); i < index_.size(); ++i) {
    newest_line_bytes_ += row(i).text.size();
  }
}

// Overwrites the revision in place, because it has a fixed size.
void Scrollback::TouchNewest(uint64_t revision) {
  if (index_.empty()) return;
  char* bytes = const_cast<char*>(At(index_.back()));
  std::memcpy(bytes + offsetof(Header, revision), &revision, sizeof(revision));
}

const char* Scrollback::At(Place place) const {
  return slabs_[place.slab - first_slab_].bytes.get() + place.offset;
}

Scrollback::RowView Scrollback::row(size_t i) const {
  Header header;
  const char* bytes = At(index_[i]);
  std::memcpy(&header, bytes, sizeof(header));
  return {header.line, header.revision, header.wrapped != 0,
          header.concealed != 0,
          std::string_view(bytes + sizeof(header), header.text_size)};
}

void Scrollback::Decode(size_t i, Row* row, ClusterTable* clusters) const {
  Header header;
  const char* bytes = At(index_[i]);
  std::memcpy(&header, bytes, sizeof(header));
  bytes += sizeof(header);
  const char* runs = bytes + header.text_size;
  const char* gaps = runs + header.runs_size;
  DecodeRow({{bytes, header.text_size},
             {runs, header.runs_size},
             {gaps, header.gaps_size}},
            row, clusters);
  row->wrapped = header.wrapped != 0;
  row->line_revision = header.revision;
}

int64_t Scrollback::first_line() const {
  return index_.empty() ? next_line_ : row(0).line;
}

size_t Scrollback::LowerBound(int64_t line) const {
  size_t low = 0, high = index_.size();
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (row(middle).line < line) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

size_t Scrollback::MemoryBytes() const {
  return slabs_.size() * kSlabSize + index_.size() * sizeof(Place) +
         encoder_.MemoryBytes();
}

}  // namespace glasstty::terminal
