"""Draws the plugin's icon, a prompt in a terminal, from the text below. Each character is a square of 32 pixels."""
import struct
import zlib

SIDE = 32
COLOURS = {".": (0, 0, 0, 0), "#": (24, 26, 32, 255), "=": (58, 64, 78, 255), "o": (122, 132, 150, 255),
           "*": (108, 220, 140, 255), "_": (235, 238, 244, 255)}
PICTURE = """
.==============.
================
==o=o=o=========
================
################
################
##**############
###**###########
####**##########
#####**#########
####**##########
###**###_____###
##**####_____###
################
################
.##############.
""".split()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png():
    """Returns the picture as a PNG with a palette."""
    signs = list(COLOURS)
    rows = b"".join((b"\0" + b"".join(bytes([signs.index(sign)]) * SIDE for sign in line)) * SIDE for line in PICTURE)
    size = len(PICTURE) * SIDE
    return b"\x89PNG\r\n\x1a\n" + b"".join([
        chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0)),
        chunk(b"PLTE", b"".join(bytes(colour[:3]) for colour in COLOURS.values())),
        chunk(b"tRNS", bytes(colour[3] for colour in COLOURS.values())),
        chunk(b"IDAT", zlib.compress(rows, 9)), chunk(b"IEND", b"")])


def same(one, other):
    """Compares two pictures of ours; libraries compress differently."""
    def unpacked(picture):
        at = picture.find(b"IDAT")
        if at < 0:
            return picture
        size = struct.unpack(">I", picture[at - 4:at])[0]
        return picture[:at - 4] + zlib.decompress(picture[at + 4:at + 4 + size])
    return unpacked(one) == unpacked(other)
