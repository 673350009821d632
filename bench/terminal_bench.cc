// Measures the terminal core alone: bytes to screen, screen to value.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <string_view>

#include "terminal/terminal.h"
#include "testing/source_tree.h"
#include "workloads.h"

namespace glasstty::bench {

using terminal::Size;
using terminal::Terminal;

namespace {

constexpr size_t kSize = 4 << 20;
constexpr size_t kSlice = 16 << 10;  // as the session feeds

std::unique_ptr<Terminal> MakeTerminal(Size size) {
  return *Terminal::Create({.size = size});
}

void FeedAll(Terminal* terminal, std::string_view bytes) {
  for (size_t at = 0; at < bytes.size(); at += kSlice) {
    terminal->Feed(bytes.substr(at, kSlice));
  }
}

void Feed(benchmark::State& state, const std::string& bytes, Size size) {
  for (auto unused : state) {
    std::unique_ptr<Terminal> terminal = MakeTerminal(size);
    FeedAll(terminal.get(), bytes);
    benchmark::DoNotOptimize(terminal->revision());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(bytes.size()));
}

void Snapshot(benchmark::State& state, const std::string& bytes, Size size) {
  std::unique_ptr<Terminal> terminal = MakeTerminal(size);
  FeedAll(terminal.get(), bytes.substr(0, 100'000));
  for (auto unused : state) {
    benchmark::DoNotOptimize(terminal->TakeSnapshot().rows.data());
  }
}

void RegisterAll() {
  for (Workload& workload :
       Workloads(kSize, SourcePath("fixtures/recordings"))) {
    workload.bytes = AsDelivered(workload.bytes);
    for (Size size : {Size{24, 80}, Size{40, 120}, Size{50, 200}}) {
      std::string at = "/" + workload.name + "/" + std::to_string(size.rows) +
                       "x" + std::to_string(size.cols);
      benchmark::RegisterBenchmark(
          ("feed" + at).c_str(),
          [bytes = workload.bytes, size](benchmark::State& state) {
            Feed(state, bytes, size);
          })
          ->Unit(benchmark::kMillisecond);
      if (size.cols != 120) continue;
      benchmark::RegisterBenchmark(
          ("snapshot" + at).c_str(),
          [bytes = workload.bytes, size](benchmark::State& state) {
            Snapshot(state, bytes, size);
          })
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

}  // namespace
}  // namespace glasstty::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  glasstty::bench::RegisterAll();
  benchmark::RunSpecifiedBenchmarks();
}
