#!/usr/bin/env python3
"""Runs a fuzz target over its seeds: replay_seeds.py FUZZ_DIR FIXTURES KIND EXE."""
import os
import subprocess
import sys
import tempfile

fuzz, fixtures, kind, exe = sys.argv[1:]
with tempfile.TemporaryDirectory() as corpus:
    subprocess.run([sys.executable, os.path.join(fuzz, "make_corpus.py"),
                    fixtures, corpus], check=True)
    subprocess.run([exe, os.path.join(corpus, kind)], check=True)
