"""Serpent by libgcrypt (libgcrypt.so.20 of Debian's libgcrypt20), for generate-serpent.mjs: prints JSON.

Byte i of the input with a seed is (167 i + 59 (i >> 8) + seed) mod 256. Of a message of n bytes:

    key    16, 24 or 32 bytes (n mod 3 = 0, 1, 2), seed 1 + n
    iv     16 bytes, seed 2 + n; for CTR with n mod 4 = 0 its last nine bytes are 255, so that all of the counter carries
    nonce  8 + n mod 8 bytes, seed 2 + n (libgcrypt takes no shorter ones)
    aad    7 n mod 71 bytes, seed 3 + n; n bytes if n mod 100 = 0
    text   n bytes, seed 4 + n; PKCS #7 padding for CBC

Each entry is the first eight bytes of SHA-256 of the ciphertext, for OCB with its tag.

With --answer it encrypts what it reads: one line each of MODE KEY IV AAD TEXT in hexadecimal, - for nothing; it prints the
ciphertexts, for OCB with their tags.
"""
import ctypes
import hashlib
import json
import sys

gcrypt = ctypes.CDLL('libgcrypt.so.20')
gcrypt.gcry_check_version.restype = ctypes.c_char_p
version = gcrypt.gcry_check_version(None).decode()
CBC, CTR, OCB = 3, 6, 11
SERPENT = {16: 304, 24: 305, 32: 306}
FINALIZE = 5
LENGTHS = [*range(1101), 4095, 4096, 4097, 16384, 65536, 100003, 122879, 122880, 122881, 122896, 300001]


def check(error):
    if error:
        raise RuntimeError(f'libgcrypt: {error:#x}')


def pattern(length, seed):
    return bytes((167 * i + 59 * (i >> 8) + seed) & 255 for i in range(length))


def encrypted(mode, key, iv, aad, text):
    handle = ctypes.c_void_p()
    check(gcrypt.gcry_cipher_open(ctypes.byref(handle), SERPENT[len(key)], mode, 0))
    check(gcrypt.gcry_cipher_setkey(handle, key, len(key)))
    (check(gcrypt.gcry_cipher_setctr(handle, iv, 16)) if mode == CTR else check(gcrypt.gcry_cipher_setiv(handle, iv, len(iv))))
    if aad:
        check(gcrypt.gcry_cipher_authenticate(handle, aad, len(aad)))
    if mode == OCB:
        check(gcrypt.gcry_cipher_ctl(handle, FINALIZE, None, 0))
    out = ctypes.create_string_buffer(len(text) + 1)
    check(gcrypt.gcry_cipher_encrypt(handle, out, len(text), text, len(text)))
    tag = ctypes.create_string_buffer(16)
    if mode == OCB:
        check(gcrypt.gcry_cipher_gettag(handle, tag, 16))
    gcrypt.gcry_cipher_close(handle)
    return out.raw[: len(text)] + (tag.raw if mode == OCB else b'')


def digest(mode, n):
    key = pattern((16, 24, 32)[n % 3], 1 + n)
    iv = pattern(8 + n % 8 if mode == OCB else 16, 2 + n)
    if mode == CTR and n % 4 == 0:
        iv = iv[:7] + b'\xff' * 9
    aad = pattern(n if n % 100 == 0 else 7 * n % 71, 3 + n) if mode == OCB else b''
    text = pattern(n, 4 + n)
    if mode == CBC:
        text += bytes([16 - n % 16]) * (16 - n % 16)
    return hashlib.sha256(encrypted(mode, key, iv, aad, text)).hexdigest()[:16]


def answer(line):
    mode, *values = line.split()
    key, iv, aad, text = (b'' if value == '-' else bytes.fromhex(value) for value in values)
    return encrypted({'cbc': CBC, 'ctr': CTR, 'ocb': OCB}[mode], key, iv, aad, text).hex()


if sys.argv[1:] == ['--answer']:
    for line in sys.stdin:
        print(answer(line))
else:
    tests = [{'length': n, 'ctr': digest(CTR, n), 'cbc': digest(CBC, n), 'ocb': digest(OCB, n)} for n in LENGTHS]
    print(json.dumps({'version': version, 'tests': tests}))
