# Makes stream-cobblestone.json: C2SP chunked-encryption with AES-GCM, by the package `cryptography` of PyPI.
# pip install cryptography==50.0.2; python3 vectors/generate-stream-cobblestone.py > vectors/stream-cobblestone.json
# Salts are random, so each run gives other vectors.
import hashlib
import json

import cryptography
from cryptography import cobblestone

CHUNK = 16384
LENGTHS = [0, 1, 100, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK, 5 * CHUNK + 77]


def plaintext(length):
    return bytes((i * 7 + (i >> 8) * 3) & 255 for i in range(length))


tests = []
for bits, encryptor in ((128, cobblestone.Cobblestone128Encryptor), (256, cobblestone.Cobblestone256Encryptor)):
    for number, length in enumerate(LENGTHS):
        key = bytes((i * 11 + number + bits) & 255 for i in range(bits // 8))
        context = b"" if number % 2 else b"context %d" % number
        machine = encryptor(key, context)
        stream = machine.update(plaintext(length)) + machine.finalize()
        tests.append(
            {
                "name": f"Cobblestone-{bits}",
                "key": key.hex(),
                "context": context.hex(),
                "length": length,
                "header": stream[:56].hex(),
                "size": len(stream),
                "last": stream[-16:].hex(),
                "sha256": hashlib.sha256(stream).hexdigest(),
            }
        )

print(
    json.dumps(
        {
            "source": "C2SP chunked-encryption in the instances Cobblestone-128 and Cobblestone-256, by the package"
            f" cryptography {cryptography.__version__} of PyPI (module cobblestone). Byte i of a plaintext is"
            " (7i + 3⌊i/256⌋) mod 256; header is the first 56 bytes of the stream, last its last 16, sha256 that of all.",
            "made": "python3 vectors/generate-stream-cobblestone.py; salts are random",
            "licence": "CC0",
            "tests": tests,
        },
        ensure_ascii=False,
        indent=2,
    )
)
