// Measures frames, paints and pictures: the cost of a watcher and of a look at
// a picture.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "observe/painter.h"
#include "picture/program.h"
#include "picture/svg.h"
#include "terminal/terminal.h"
#include "testing/source_tree.h"
#include "testing/system.h"

namespace glasstty::bench {
namespace {

constexpr terminal::Size kSize = {40, 120};

observe::Frame FrameAfter(std::string_view bytes) {
  auto terminal = *terminal::Terminal::Create({.size = kSize});
  terminal->Feed(bytes);
  return observe::TakeFrame(*terminal);
}

// Returns a recorded program's bytes; the recordings are of 24 by 80.
std::string Recorded(const std::string& name) {
  return testing::ReadWholeFile(
      SourcePath("fixtures/recordings/" + name + ".bytes"));
}

void PaintBench(benchmark::State& state, const observe::Frame* before,
                const observe::Frame& after) {
  size_t bytes = 0;
  for (auto unused : state) bytes = observe::Paint(before, after).size();
  state.counters["bytes"] = static_cast<double>(bytes);
}

void Png(benchmark::State& state, const picture::Job& job) {
  size_t bytes = 0;
  for (auto unused : state) {
    auto drawn = picture::DrawPng(job);
    if (!drawn.ok()) return state.SkipWithError("no picture was drawn");
    bytes = drawn->png.size();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}

void Svg(benchmark::State& state, const picture::Job& job) {
  size_t bytes = 0;
  for (auto unused : state) bytes = picture::DrawSvg(job).size();
  state.counters["bytes"] = static_cast<double>(bytes);
}

void RegisterAll() {
  using benchmark::RegisterBenchmark;
  for (const char* name : {"htop", "vim", "mc", "less", "grep-color"}) {
    std::string bytes = Recorded(name), at = std::string("/") + name;
    observe::Frame after = FrameAfter(bytes);
    observe::Frame before = FrameAfter(bytes.substr(0, bytes.size() * 9 / 10));
    RegisterBenchmark(("frame" + at).c_str(), [bytes](benchmark::State& state) {
      auto terminal = *terminal::Terminal::Create({.size = kSize});
      terminal->Feed(bytes);
      for (auto unused : state) {
        benchmark::DoNotOptimize(observe::TakeFrame(*terminal).rows.data());
      }
    })->Unit(benchmark::kMicrosecond);
    RegisterBenchmark(("repaint" + at).c_str(), [after](
                                                    benchmark::State& state) {
      PaintBench(state, nullptr, after);
    })->Unit(benchmark::kMicrosecond);
    RegisterBenchmark(("paint" + at).c_str(), [before,
                                               after](benchmark::State& state) {
      PaintBench(state, &before, after);
    })->Unit(benchmark::kMicrosecond);
    RegisterBenchmark(("png" + at).c_str(),
                      [after](benchmark::State& state) {
                        Png(state, {after, {}});
                      })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
    RegisterBenchmark(("svg" + at).c_str(), [after](benchmark::State& state) {
      Svg(state, {after, {}});
    })->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace
}  // namespace glasstty::bench

int main(int argc, char** argv) {
  // Use the program of this build, which is BUILD/bench/paint_bench.
  auto build = std::filesystem::read_symlink("/proc/self/exe")
                   .parent_path()
                   .parent_path();
  setenv("GLASSTTY_PICTURE",
         (build / "src/screen/picture/glasstty-picture").c_str(), 0);
  benchmark::Initialize(&argc, argv);
  glasstty::bench::RegisterAll();
  benchmark::RunSpecifiedBenchmarks();
}
