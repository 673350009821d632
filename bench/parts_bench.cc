// Measures parts that every call uses: tokens, history, diffs, searches, JSON.
#include <benchmark/benchmark.h>
#include <fcntl.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "motion/digest.h"
#include "motion/text_lines.h"
#include "record/folder.h"
#include "record/history.h"
#include "record/line_search.h"
#include "support/json.h"
#include "terminal/parser.h"
#include "testing/source_tree.h"
#include "testing/system.h"
#include "view/screen_diff.h"
#include "workloads.h"

namespace glasstty::bench {
namespace {

constexpr terminal::Size kScreen = {40, 120};

std::string Bytes(const std::string& name) {
  for (Workload& workload :
       Workloads(1 << 20, SourcePath("fixtures/recordings"))) {
    if (workload.name == name) return AsDelivered(workload.bytes);
  }
  return "";
}

// Measures the first stage of the interpreter alone: how fast bytes become
// tokens.
void Tokens(benchmark::State& state, const std::string& name) {
  std::string bytes = Bytes(name);
  for (auto unused : state) {
    terminal::Parser parser;
    std::string_view rest = bytes;
    terminal::Token token;
    while (parser.Next(&rest, &token)) continue;
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(bytes.size()));
}

// Returns a monitor's screen, in which every third row has another number.
std::vector<std::string> Monitor(int moment) {
  std::vector<std::string> rows;
  for (int i = 0; i < kScreen.rows; ++i) {
    int number = i % 3 == 0 ? i + moment : i;
    rows.push_back(std::to_string(1000 + i) + " root  20  0  " +
                   std::to_string(number) + ".7  /usr/bin/program --with " +
                   std::string(static_cast<size_t>(i), 'x'));
  }
  return rows;
}

void Diff(benchmark::State& state, view::DiffEncoding encoding) {
  std::vector<std::string> earlier = Monitor(0), later = Monitor(5);
  for (auto unused : state) {
    benchmark::DoNotOptimize(
        view::EncodeDiff(earlier, later, encoding, nullptr).data());
  }
}

// A terminal whose old lines go to disk.
struct Kept {
  // Feeds output in pieces, as a session does.
  void Feed(std::string_view bytes) {
    constexpr size_t kPiece = 16 << 10;
    for (; !bytes.empty();
         bytes.remove_prefix(std::min(kPiece, bytes.size()))) {
      terminal->Feed(bytes.substr(0, kPiece));
      history.Collect(0);
    }
  }

  testing::TempDir folder;
  record::Folder dir{AT_FDCWD, folder.path()};
  std::unique_ptr<terminal::Terminal> terminal = *terminal::Terminal::Create(
      {.size = kScreen, .scrollback_rows = 10'000, .keep_evicted = true});
  record::History history{terminal.get(), &dir, "lines", 64u << 20};
};

// Measures the path of bytes to screen, scrollback and disk.
void Keep(benchmark::State& state, const std::string& name) {
  std::string bytes = Bytes(name);
  Kept kept;
  for (auto unused : state) kept.Feed(bytes);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(bytes.size()));
}

// Searches a million lines, most of them on disk.
void Search(benchmark::State& state) {
  Kept kept;
  std::string lines;
  for (int i = 0; i < 1'000'000; ++i) lines += std::to_string(i) + "\r\n";
  kept.Feed(lines);
  for (auto unused : state) {
    record::LineSearch search(&kept.history, *Pattern::Compile("77777$"),
                              {.from = 0, .to = kept.history.end_line()});
    while (!search.Continue(std::chrono::milliseconds(1))) {
    }
    benchmark::DoNotOptimize(search.matches());
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * 1'000'000);
}

void Request(benchmark::State& state) {
  std::string line =
      R"({"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":)"
      R"("term_send","arguments":{"session":"main","input":"make -j2 check",)"
      R"("enter":true,"until":{"regex":"PASS|FAIL"},"timeout_s":30}}})";
  for (auto unused : state) {
    benchmark::DoNotOptimize(ParseJson(line)->size());
  }
}

// Formats a reply with a full screen in it.
void Answer(benchmark::State& state) {
  std::string screen;
  for (const std::string& row : Monitor(0)) screen += row + "\n";
  Json reply = {{"jsonrpc", "2.0"},
                {"id", 17},
                {"result",
                 {{"content", {{{"type", "text"}, {"text", screen}}}},
                  {"isError", false}}}};
  for (auto unused : state) {
    benchmark::DoNotOptimize(DumpJson(reply).data());
  }
}

// Sums up a build of 50,000 steps, from bytes to the digest of at most 2 kB.
void SumUp(benchmark::State& state) {
  std::string bytes;
  for (int i = 1; i <= 50'000; ++i) {
    bytes += absl::StrFormat(
        "[%d/50000] Compiling C++ object src/server/tools/libtools.a.p/"
        "unity%d.cpp.o\r\n",
        i, i * 7 % 9999);
    if (i % 1000 == 0) bytes += "a.cc:12:5: warning: unused variable 'x'\r\n";
  }
  for (auto unused : state) {
    motion::TextLines lines;
    motion::Digest digest;
    double seconds = 0;
    for (std::string_view rest = bytes; !rest.empty();) {
      std::string_view part = rest.substr(0, 4096);
      rest.remove_prefix(part.size());
      seconds += 1;
      while (!part.empty()) {
        motion::TextLines::Piece piece = lines.Next(&part);
        if (piece.kind != motion::TextLines::Piece::Kind::kLine) continue;
        digest.AddLine(piece.text, seconds);
      }
    }
    benchmark::DoNotOptimize(digest.Text({.end_s = seconds}).data());
  }
}

void RegisterAll() {
  for (const char* name : {"log lines", "colours", "wide", "recorded"}) {
    benchmark::RegisterBenchmark(
        (std::string("parse/") + name).c_str(),
        [name](benchmark::State& state) { Tokens(state, name); })
        ->Unit(benchmark::kMillisecond);
  }
  for (const char* name : {"seq", "long lines"}) {
    benchmark::RegisterBenchmark(
        (std::string("history/") + name).c_str(),
        [name](benchmark::State& state) { Keep(state, name); })
        ->Unit(benchmark::kMillisecond);
  }
  struct {
    const char* name;
    view::DiffEncoding encoding;
  } diffs[] = {{"diff/rows", view::DiffEncoding::kRows},
               {"diff/spans", view::DiffEncoding::kSpans},
               {"diff/moved", view::DiffEncoding::kMoved}};
  for (const auto& diff : diffs) {
    benchmark::RegisterBenchmark(diff.name, [encoding = diff.encoding](
                                                benchmark::State& state) {
      Diff(state, encoding);
    })->Unit(benchmark::kMicrosecond);
  }
  benchmark::RegisterBenchmark("search/million lines", Search)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("digest/50,000 lines", SumUp)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("json/request", Request)
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("json/screen", Answer)
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace
}  // namespace glasstty::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  glasstty::bench::RegisterAll();
  benchmark::RunSpecifiedBenchmarks();
}
