"""Measures how fast pyte reads a file: MB/s of processor time.

   rate_pyte.py FILE ROWS COLS

Only the beginning of the file is fed, because it takes 10 s per megabyte. With
10,000 lines of history, as the others have.
"""
import codecs
import sys
import time

import pyte

BYTES = 100_000


def main():
    file, rows, cols = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with open(file, "rb") as stream:
        data = stream.read(BYTES)
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(data)
    screen = pyte.HistoryScreen(cols, rows, history=10_000)
    feed = pyte.Stream(screen)
    start = time.process_time()
    feed.feed(text)
    print(f"{len(data) / 1e6 / (time.process_time() - start):.3f}")


main()
