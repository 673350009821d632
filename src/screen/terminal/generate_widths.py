#!/usr/bin/env python3
"""Writes the table of widths.h as C++: generate_widths.py UNICODE_DIR OUTPUT.

UNICODE_DIR is /usr/share/unicode of the Debian package unicode-data. Later
rules win over earlier ones; each says why it is there.
"""
import os
import re
import sys

SIZE = 0x110000
# As in widths.h.
TAKES_SELECTOR, PICTOGRAPH, SPACING_MARK, SKIN_TONE, FLAG_HALF = 4, 8, 16, 32, 64
BLOCK = 256


def properties(path):
    """Yields (first, last, value) of a file in the format of the UCD."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.split("#")[0].strip()
            if not line:
                continue
            code, value = [part.strip() for part in line.split(";")[:2]]
            first, _, last = code.partition("..")
            yield int(first, 16), int(last or first, 16), value


def widths(root):
    table = bytearray(b"\1") * SIZE

    def assign(file, values, width):
        for first, last, value in properties(os.path.join(root, file)):
            if value in values:
                table[first:last + 1] = bytes([width]) * (last + 1 - first)

    assign("EastAsianWidth.txt", {"W", "F"}, 2)
    assign("emoji/emoji-data.txt", {"Emoji_Presentation"}, 2)
    # Two regional indicators form a flag; the C library counts one column for
    # each.
    table[0x1F1E6:0x1F200] = b"\1" * 26
    # Marks, joiners, variation selectors and tags take no column.
    assign("extracted/DerivedGeneralCategory.txt", {"Mn", "Me", "Cf"}, 0)
    # The soft hyphen is shown, and so are the Arabic number signs that stand
    # before their digits.
    table[0xAD] = 1
    assign("PropList.txt", {"Prepended_Concatenation_Mark"}, 1)
    # Medial vowels and final consonants of Hangul join the syllable before.
    table[0x1160:0x1200] = bytes(0x1200 - 0x1160)
    table[0xD7B0:0xD800] = bytes(0xD800 - 0xD7B0)
    # Circled numbers on black squares and hexagrams are wide in the C library,
    # contrary to the Unicode data, and programs count as the C library does.
    table[0x3248:0x3250] = b"\2" * (0x3250 - 0x3248)
    table[0x4DC0:0x4E00] = b"\2" * (0x4E00 - 0x4DC0)
    # These traits say how code points join others.
    def mark(file, values, bit):
        for first, last, value in properties(os.path.join(root, file)):
            if value in values:
                for code in range(first, last + 1):
                    table[code] |= bit

    selectors = os.path.join(root, "emoji/emoji-variation-sequences.txt")
    with open(selectors, encoding="utf-8") as lines:
        for line in lines:
            match = re.match(r"([0-9A-F]+) FE0F", line)
            if match:
                table[int(match.group(1), 16)] |= TAKES_SELECTOR
    mark("emoji/emoji-data.txt", {"Extended_Pictographic"}, PICTOGRAPH)
    mark("emoji/emoji-data.txt", {"Emoji_Modifier"}, SKIN_TONE)
    mark("auxiliary/GraphemeBreakProperty.txt", {"SpacingMark"}, SPACING_MARK)
    mark("auxiliary/GraphemeBreakProperty.txt", {"Regional_Indicator"},
         FLAG_HALF)
    return bytes(table)


def main():
    root, output = sys.argv[1:]
    table = widths(root)
    blocks, index = [], []
    for start in range(0, SIZE, BLOCK):
        block = table[start:start + BLOCK]
        if block not in blocks:
            blocks.append(block)
        index.append(blocks.index(block))
    text = ['#include "terminal/widths.h"', "namespace glasstty::terminal {",
            "const uint8_t kWidthBlockOf[0x110000 >> 8] = {",
            ",".join(map(str, index)) + "};",
            "const uint8_t kWidthBlocks[][256] = {"]
    text += ["{" + ",".join(map(str, block)) + "}," for block in blocks]
    text += ["};", "}  // namespace glasstty::terminal", ""]
    with open(output, "w", encoding="ascii") as out:
        out.write(re.sub(r"(.{70,76}),", r"\1,\n", "\n".join(text)))


if __name__ == "__main__":
    main()
