#!/usr/bin/env python3
"""Tries the plugins with the real clients, offline, with a model of ours.

    run.py BUILD MODULES [CLIENT...]     MODULES is the folder node_modules with the packages of package.json
"""
import pathlib
import sys
import time

import claude
import codex
import gemini
import opencode
from world import World, leave_network

CLIENTS = {"claude": claude, "codex": codex, "gemini": gemini, "opencode": opencode}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, modules = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    leave_network()
    for name in sys.argv[3:] or CLIENTS:
        world = World(build, modules)
        try:
            for trial in CLIENTS[name].TRIALS:
                began = time.monotonic()
                trial(world)
                print(f"ok      {name}: {trial.__name__} ({time.monotonic() - began:.1f} s)", flush=True)
        except AssertionError as error:
            screen = world.screen() if world.driver else ""
            sys.exit(f"FAILED  {name}: {trial.__name__}: {error}\n{world.model.heard()[-3000:]}\n{screen}")
        finally:
            world.end()
    print("plugins: as they should be")


main()
