"""Gemini CLI with the extension."""
from world import ROOT, has

EXTENSION = ROOT / "packaging/plugins/glasstty"


def install(world):
    world.run("gemini", "extensions", "validate", EXTENSION)
    world.run("gemini", "extensions", "install", EXTENSION, "--consent")
    has(world.run("gemini", "mcp", "list"), "glasstty", "Connected")


TRIALS = [install]
