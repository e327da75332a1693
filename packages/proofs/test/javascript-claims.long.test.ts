// Claims about the `js` engine's text that hold, and do not hold of texts in which one thing is wrong.
import { afterEach, describe, expect, it } from 'vitest';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { textClaims } from '../src/claims/index.ts';
import { textOf } from '../src/javascript/texts.ts';
import type { Family } from '../src/kernels.ts';
import { forgetTerms } from '../src/terms/term.ts';

/** One thing that is wrong: a family, the text before and after, and a claim that does not hold then. */
type Fault = readonly [family: Family, what: string, before: string, after: string, claim: string, message: RegExp];

const DATA_DIFFERS = /bytes differ/;
const faults: readonly Fault[] = [
  // ChaCha.
  [
    'chacha',
    'a rotation by 9',
    'x4 = (x4 << 7) | (x4 >>> 25);',
    'x4 = (x4 << 9) | (x4 >>> 23);',
    'HChaCha',
    DATA_DIFFERS,
  ],
  ['chacha', 'a shift that is no rotation', '(x4 >>> 25)', '(x4 >> 25)', 'HChaCha', DATA_DIFFERS],
  ['chacha', 'one bit of a constant', '1634760805', '1634760804', 'ChaCha20: ', DATA_DIFFERS],
  ['chacha', 'the constants of short keys', '824206446', '857760878', '128-bit key', DATA_DIFFERS],
  [
    'chacha',
    'a counter that does not carry',
    'words[669] += ((words[668] & 1) |',
    'words[669] += 0 & ((words[668] & 1) |',
    'counters of 64 bits',
    DATA_DIFFERS,
  ],
  ['chacha', 'a round less', 'inner0(p1, p2, p3);', 'inner0((p1 - 1) | 0, p2, p3);', 'ChaCha20: ', DATA_DIFFERS],
  [
    'chacha',
    'a word that is not fed forward',
    'words[(p1 + 60) >> 2] ^= x15 + words[671];',
    'words[(p1 + 60) >> 2] ^= x15;',
    'ChaCha20: ',
    DATA_DIFFERS,
  ],
  [
    'chacha',
    'a backdoor that one message in 2^32 opens',
    'words[p1 >> 2] ^= x0 + words[656];',
    'words[p1 >> 2] ^= x0 + words[656]; words[p1 >> 2] ^= isZero(x1 ^ 305419896);',
    'ChaCha20: ',
    DATA_DIFFERS,
  ],
  [
    'chacha',
    'a branch on a secret without effect',
    'words[p1 >> 2] ^= x0',
    'if (x1 === 305419896) x1 = 305419896; words[p1 >> 2] ^= x0',
    'constant time',
    /condition in line/,
  ],
  [
    'chacha',
    'the same, met in a run',
    'words[p1 >> 2] ^= x0',
    'if (x1 === 305419896) x1 = 305419896; words[p1 >> 2] ^= x0',
    'ChaCha20: ',
    /a condition depends on a secret/,
  ],
  [
    'chacha',
    'a word of the key beside the verdict',
    'return verify(2832);',
    'return verify(2832) + words[660];',
    'constant time',
    /result of open depends on a secret/,
  ],
  [
    'chacha',
    'a secret index',
    'words[p1 >> 2] ^= x0 + words[656];',
    'words[p1 >> 2] ^= x0 + words[656] + 0 * words[x1 & 15];',
    'constant time',
    /index in line/,
  ],
  [
    'chacha',
    'a write behind the data',
    'p1 = (p1 + 64) | 0;',
    'p1 = (p1 + 64) | 0; bytes[p1] = 0;',
    'ChaCha20: ',
    /stray-write/,
  ],
  [
    'chacha',
    'a read of what nothing was written to',
    'let x0 = words[668];',
    'let x0 = words[668] | (words[20] & 0);',
    'HChaCha',
    /over-read/,
  ],
  [
    'chacha',
    'a part that is not wiped',
    'fillBytes(bytes, 0, 1088, 2880);',
    'fillBytes(bytes, 0, 1088, 2816);',
    'ChaCha20-Poly1305: ciphertext',
    /secrets are left/,
  ],
  [
    'chacha',
    'keystream that is left behind the tag',
    '((2896 + p2) | 0) + 256);',
    '((2896 + p2) | 0) + 32);',
    'ChaCha20-Poly1305: ciphertext',
    /secrets are left/,
  ],
  [
    'chacha',
    'a word that is not compared',
    ' | (readWord(p0 + 12) ^ words[679])',
    ' | (readWord(p0 + 12) ^ words[679] & 0)',
    'comparison of tags',
    /verdict/,
  ],
  [
    'chacha',
    'additional data whose length is not authenticated',
    'finish(p1, 0, p2, 0, (2880 + p2) | 0);',
    'finish(0, 0, p2, 0, (2880 + p2) | 0);',
    'seal 1 bytes with 12',
    /not congruent/,
  ],
  // Poly1305.
  ['poly1305', 'a limb of r that is not carried', 'x7 += x24;', 'x7 += 0 * x24;', '1 block,', /not congruent/],
  ['poly1305', 'a product less', 'x20 += x4 * x16;', '', '1 block,', /not congruent/],
  ['poly1305', 'the modulus 2^130 - 4', 'imul(x30 >> 20, 5)', 'imul(x30 >> 20, 4)', '1 block,', /not congruent/],
  [
    'poly1305',
    'a bit of r that is not cleared',
    '&= 268435452;',
    '&= 268435453;',
    'state that every key',
    /r is not what it was/,
  ],
  [
    'poly1305',
    'a carry less in the last step',
    'x6 = ((x3 >>> 16) + x6) >>> 16;',
    'x6 = 0;',
    ' 16 bytes',
    /z3 says sat/,
  ],
  [
    'poly1305',
    'no bit above a short block',
    'bytes[p0 + 192] = 1;',
    'bytes[p0 + 192] = 0;',
    ' 15 bytes',
    /not congruent/,
  ],
  [
    'poly1305',
    'a block that is left out',
    'p0 = (p0 + 16) | 0;',
    'p0 = (p0 + 32) | 0;',
    'induction: ',
    /the next block is another one/,
  ],
  [
    'poly1305',
    'every other block',
    '(p1 = (p1 - 1) | 0)',
    '(p1 = (p1 - 2) | 0)',
    'induction: ',
    /the next block is another one/,
  ],
  [
    'poly1305',
    'a limb that is lost with 70,000 blocks left',
    'x0 = x18;',
    'x0 = x18; if (p1 === 70000) x0 = 0;',
    'induction: ',
    /a condition is not known/,
  ],
  [
    'poly1305',
    'a limb that is lost by a counter of blocks in memory',
    'x0 = x18;',
    'words[56] = (words[56] + 1) | 0; x0 = x18 * (1 - (words[56] >>> 31));',
    'induction: ',
    /not congruent/,
  ],
  [
    'poly1305',
    'a limb that is lost by a counter of blocks in a parameter',
    'x0 = x18;',
    'x0 = x18; p2 = (p2 + 2) | 0;',
    'induction: ',
    /the next block is another one/,
  ],
  [
    'poly1305',
    'a variable of the block before',
    'x24 = (x0 + 5.226737155905615e+41) - 5.226737155905615e+41;\n        x0 -= x24;',
    'x0 += x24 * 0; x24 = (x0 + 5.226737155905615e+41) - 5.226737155905615e+41;\n        x0 -= x24;',
    'induction: ',
    /a variable of an earlier iteration/,
  ],
  // BLAKE3.
  ['blake3', 'a rotation by 26', '(x4 << 25) | (x4 >>> 7)', '(x4 << 26) | (x4 >>> 6)', 'parent:', DATA_DIFFERS],
  [
    'blake3',
    'two words of the message that change places',
    'x0 = (x0 + words[(p0 + 8) >> 2]) | 0;',
    'x0 = (x0 + words[(p0 + 24) >> 2]) | 0;',
    'parent:',
    DATA_DIFFERS,
  ],
  [
    'blake3',
    'a word of a root that lacks the chaining value',
    'words[(p5 + 60) >> 2] = x15 ^ words[1639];',
    'words[(p5 + 60) >> 2] = x15;',
    'compression,',
    DATA_DIFFERS,
  ],
  [
    'blake3',
    'a chaining value at a place that is not claimed of the compression',
    'inner0(p0, 64, p2, p3, p4 | x0, 6528);',
    'inner0(p0, 64, p2, p3, p4 | x0, 6532);',
    'derive key, context',
    /compression of 64 bytes/,
  ],
  ['blake3', 'a flag less', 'p4 |= p5 | 2;', 'p4 |= p5;', 'derive key, context', DATA_DIFFERS],
  [
    'blake3',
    'a block number that does not carry',
    'if ((p2 >>> 0) < 1) {',
    'if (p2 < -2147483648) {',
    'output:',
    DATA_DIFFERS,
  ],
  [
    'blake3',
    'a last block that is not filled up',
    '((64 - p1) | 0)',
    '((63 - p1) | 0)',
    'derive key, context',
    DATA_DIFFERS,
  ],
  [
    'blake3',
    'a shift by a secret',
    'x12 = (x12 << 16) | (x12 >>> 16);',
    'x12 = (x12 << (16 + (x0 & 0))) | (x12 >>> 16);',
    'constant time',
    /shift count in line/,
  ],
];

/** The message of a claim's failure about a text; `undefined` if the claim holds. */
async function failureOf(claim: Claim): Promise<string | undefined> {
  try {
    await claim.prove();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

const found = new Map<string, Promise<string | undefined>>();
/** The same, found out once. */
function once(claim: Claim): Promise<string | undefined> {
  const key = `${claim.kernel}: ${claim.claim}`;
  const known = found.get(key) ?? failureOf(claim);
  found.set(key, known);
  return known;
}

describe('what is wrong is found', () => {
  afterEach(forgetTerms);

  it.each(faults)('%s: %s', async (family, _, before, after, claim, message) => {
    const shipped = textOf(family);
    expect(shipped.text).toContain(before);
    const claimOf = (text: string): Claim =>
      textClaims({ ...shipped, text }).find((made) => made.claim.includes(claim))!;
    expect(await once(claimOf(shipped.text))).toBeUndefined();
    expect(await failureOf(claimOf(shipped.text.replace(before, after)))).toMatch(message);
  });
});
