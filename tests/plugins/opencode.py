"""opencode, which has no plugins of this kind: its configuration as `glasstty setup` writes it."""
from world import check, has


def install(world):
    world.run("glasstty", "setup", "opencode", "--yes")
    has(world.run(world.opencode, "mcp", "list"), "glasstty", "connected")
    world.run("glasstty", "setup", "opencode", "--yes", "--remove")
    listed = world.run(world.opencode, "mcp", "list")
    check("glasstty" not in listed, listed)


TRIALS = [install]
