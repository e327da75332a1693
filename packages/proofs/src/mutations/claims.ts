/** All claims about what a kernel does, those first that are likely to notice a change of one of its functions. */
import { checkClaims } from '../claims/checks.ts';
import type { Claim } from '../claims/claim.ts';
import { kernelClaims } from '../claims/index.ts';
import type { Kernel } from '../kernels.ts';

/** With these lengths nearly everything is run once: the woven loop starts at 513 and 961. */
const LENGTHS = [1, 64, 65, 513, 961];

/** By exported function: how claims begin that call it, the cheapest first. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
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
  start: ['poly1305: the state'],
  mac: ['poly1305: '],
  chunk: ['chunk'],
  prepare: ['prepare'],
  tree: ['tree', 'hash'],
  many: ['many'],
  copyUp: ['copyUp'],
  parent: ['parent'],
  hash: ['hash'],
  output: ['output'],
  ctr: ['CTR, big-endian', 'CTR'],
  ecbEncrypt: ['ecbEncrypt'],
  ecbDecrypt: ['ecbDecrypt'],
  cbcEncrypt: ['cbcEncrypt'],
  cbcDecrypt: ['cbcDecrypt'],
  cbcMany: ['cbcMany'],
  pages: [
    'adiantum: encrypt, 12 rounds, tweak of 32, 1 of 80',
    'hpolyc: decrypt, 12 rounds, tweak of 32, 1 of 81',
    'adiantum',
    'hpolyc',
  ],
  derive: ['keys from', 'key schedule'],
  expandKey: ['key schedule'],
  heads: ['heads'],
  turn: ['adiantum: encrypt, 12 rounds, tweak of 32, 1124', 'adiantum', 'hpolyc'],
  stream: ['adiantum: encrypt, 12 rounds, tweak of 32, 1124', 'hpolyc'],
  end: ['adiantum: encrypt, 12 rounds, tweak of 32, 1124'],
};
/** Functions of Serpent's that have the names of others. */
const OCB: readonly string[] = ['OCB: offsets', 'OCB seal', 'OCB open', 'OCB encrypt', 'OCB decrypt'];

export function claimsAbout(kernel: Kernel, name: string): Claim[] {
  // These say that the bytes are those that were looked at, and what can be seen without running them.
  const checks = new Set(checkClaims(kernel).map(({ claim }) => claim));
  const beginnings = [...ABOUT[name], ...OCB];
  const rank = ({ claim }: Claim): number => {
    // Those that count lengths one by one, or run all of a page, come last.
    if (/: every |: (?:en|de)crypt, a page /.test(claim)) return beginnings.length + 1;
    const found = beginnings.findIndex((beginning) => claim.startsWith(beginning));
    return found < 0 ? beginnings.length : found;
  };
  return (
    kernelClaims(kernel)
      // A known answer is asked of the engine itself, which runs a damaged kernel for ever.
      .filter(({ claim }) => !checks.has(claim) && !claim.startsWith('known answers'))
      .sort((a, b) => rank(a) - rank(b))
  );
}
