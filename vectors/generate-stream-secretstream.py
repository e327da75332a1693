# Makes stream-secretstream.json: crypto_secretstream_xchacha20poly1305 of libsodium, by the package PyNaCl of PyPI.
# pip install pynacl==1.6.2; python3 vectors/generate-stream-secretstream.py [--check]
# A state made by init_pull with a given header serves for pushing, so that nothing is random.
import hashlib
import json
import pathlib
import sys

import nacl
from nacl import bindings as sodium
from nacl._sodium import ffi

NAME = "crypto_secretstream_xchacha20poly1305_"
KEY = bytes(range(32))
HEADER = bytes(range(0x40, 0x58))


def pattern(length, seed):
    return bytes((i * 7 + (i >> 8) * 3 + seed) & 255 for i in range(length))


def stream(name, counter, messages):
    state = getattr(sodium, NAME + "state")()
    getattr(sodium, NAME + "init_pull")(state, HEADER, KEY)
    ffi.buffer(state.statebuf)[32:36] = counter.to_bytes(4, "little")
    out = []
    for length, ad, tag in messages:
        if tag == "rekey":
            getattr(sodium, NAME + "rekey")(state)
            out.append({"rekey": True})
            continue
        sealed = getattr(sodium, NAME + "push")(state, pattern(length, 1), pattern(ad, 2), tag)
        short = {"ciphertext": sealed.hex()} if length <= 64 else {"sha256": hashlib.sha256(sealed).hexdigest()}
        out.append({"length": length, "ad": ad, "tag": tag, **short})
    return {"name": name, "counter": counter, "messages": out}


tests = [
    stream("every length up to two blocks", 1, [(n, 0, 0) for n in range(130)]),
    stream("every length of additional data up to two blocks", 1, [(20, n, 1) for n in range(34)]),
    stream("tags", 1, [(5, 3, tag) for tag in (0, 1, 2, 0, 4, 6, 128, 255, 0, 3)]),
    stream("rekey between messages", 1, [(5, 0, 0), (0, 0, "rekey"), (9, 2, 0), (0, 0, "rekey"), (1, 0, 3)]),
    stream("the counter comes to its end", 2**32 - 2, [(9, 0, 0), (9, 1, 0), (9, 2, 0), (9, 0, 3)]),
    stream("carries of the counter", 0xFFFFFF, [(9, 0, 0), (9, 1, 0)]),
    stream("long", 1, [(n, 100, 0) for n in (1000, 65536, 65537, 65535, 122880, 135168, 200001)] + [(4096, 3000, 3)]),
]
path = pathlib.Path(__file__).with_name("stream-secretstream.json")
text = (
    json.dumps(
        {
            "source": f"crypto_secretstream_xchacha20poly1305 of libsodium, by the package PyNaCl {nacl.__version__} of PyPI."
            " A counter is that of the first message. Byte i of a message is (7i + 3⌊i/256⌋ + 1) mod 256, of"
            " additional data the same with 2 in place of 1.",
            "made": "python3 vectors/generate-stream-secretstream.py",
            "licence": "CC0",
            "key": KEY.hex(),
            "header": HEADER.hex(),
            "tests": tests,
        },
        ensure_ascii=False,
        indent=2,
    )
    + "\n"
)
if "--check" in sys.argv:
    if path.read_text() != text:
        sys.exit("stream-secretstream.json is another")
else:
    path.write_text(text)
