/**
 * For each exported function of a kernel that seals messages, the beginnings of the names of claims that call it, the
 * cheapest first.
 */

/** These lengths execute nearly all code once: the interleaved loop starts at 513 and 961. */
const LENGTHS = [1, 64, 65, 513, 961];

export const ABOUT_SEALING: Readonly<Record<string, readonly string[]>> = {
  extend: ['HChaCha', 'HSalsa20'],
  xor: [
    'original ChaCha8',
    'Salsa20/8',
    'bounds: xor',
    'original ChaCha20',
    'original ChaCha',
    'counters',
    'continuing',
  ],
  begin: ['ChaCha20-Poly1305: one-time key', 'secretbox: encrypt'],
  absorb: [
    'bounds: absorb',
    'poly1305: 1 blocks',
    'poly1305: 2 blocks',
    'chacha20-poly1305: seal',
    'secretbox: encrypt',
  ],
  encrypt: ['a message in parts', 'chacha20-poly1305: seal', 'secretbox: encrypt'],
  decrypt: ['a message in parts', 'chacha20-poly1305: open', 'secretbox: decrypt'],
  finish: ['chacha20-poly1305: seal', 'poly1305: the last', 'secretbox: encrypt'],
  verify: ['comparison of tags', 'secretbox: decrypt'],
  seal: [
    ...LENGTHS.map((length) => `chacha20-poly1305: seal ${length} `),
    'bounds: seal',
    'chacha20-poly1305: seal',
    'secretbox: seal 1',
    'secretbox: seal',
  ],
  open: [
    ...LENGTHS.map((length) => `chacha20-poly1305: open ${length} `),
    'bounds: open',
    'chacha20-poly1305: open',
    'secretbox: open 1',
    'secretbox: open',
  ],
};
