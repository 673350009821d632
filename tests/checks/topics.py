#!/usr/bin/env python3
"""Every end-to-end test is run once: its suite's name begins with one of the topics in tests/e2e/meson.build.

    python3 topics.py tests/e2e     # one line per suite that no topic runs, or two; exit 1 when there is any

The topics are filters for the one binary, which has no objection to tests that none of them names. Of two topics that
a suite's name begins with, the longer runs it. The name of an instantiation stands in front of its suite's, so a topic
must not begin it as well.
"""
import os
import re
import sys

TOPICS = re.compile(r"topics = \[(.*?)\]", re.S)
TEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+),", re.M)
INSTANCES = re.compile(r"^INSTANTIATE_TEST_SUITE_P\(\s*(\w+),\s*(\w+),", re.M)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: topics.py FOLDER")
    folder = sys.argv[1]
    with open(os.path.join(folder, "meson.build")) as f:
        listed = TOPICS.search(f.read())
    if listed is None:
        sys.exit("topics: meson.build has no list of topics")
    topics = tuple(re.findall(r"'(\w+)'", listed.group(1)))
    problems = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith("_test.cc"):
            continue
        with open(os.path.join(folder, name)) as f:
            text = f.read()
        suites = dict.fromkeys(TEST.findall(text))
        problems += [f"{name}: no topic runs {suite}" for suite in suites if not suite.startswith(topics)]
        problems += [f"{name}: two topics run {prefix}/{suite}" for prefix, suite in INSTANCES.findall(text)
                     if prefix.startswith(topics)]
    print("\n".join(problems) or f"topics: {len(topics)} run every suite")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
