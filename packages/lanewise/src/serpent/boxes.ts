/**
 * Serpent's S-boxes, and circuits for them.
 *
 * A circuit is of the gates and (`&`), or (`|`), exclusive or (`^`) and and-not (`-`: the first and not the second). The four
 * bits of its input are the letters a to d, the low bit first; each gate makes the next letter; the last four letters are
 * the output. All four gates map zeros to zero, so a circuit of S gives S(x) ^ S(0).
 *
 * Found by scripts/circuits/serpent.ts; the tests compare each with its table.
 */

/** The S-boxes. §3.1, and the appendix's table A.5 */
export const SBOXES: readonly (readonly number[])[] = [
  [3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12],
  [15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4],
  [8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2],
  [0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14],
  [1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13],
  [15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1],
  [7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0],
  [1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6],
];

/** S(x) ^ S(0): 111 gates. */
export const FORWARD: readonly string[] = [
  'a|d b^e a^d c^f c^g f&g d^j k^i h&l i^m k&i f^o k^m qnph',
  'b-a c^e a^b d^f d|g a^i h^g j^k f-l k&l f^n j^m k^m oqhp',
  'a&c d^e d-a c^g b^c a^i b&f f^i j-h f^m h^k j^k n^o lqnp',
  'b^d a|d a&b a^e e|g c|g h^j c&f b&i j^i i^l k^l f^o k-o r^n k^m sqtp',
  'd-a c^e a^d b-g f^h d^f b|f g^k b^g d|m n-j b^o i|j m^q iprl',
  'b-a c^e a^b a^f d-g f^i d^g f&g f|k m^l h&m d^o h-j k^q jnrp',
  'a&d c^e a^d a^b b^f b^g g-i h^k f|l j^m j&l f^o l^n qinp',
  'c-b d^e a-f b^c a^h g^h f^i k-g c^l k-c b^n i|o f|n p&q k^p smrj',
];

/** The inverses of these: 115 gates. */
export const INVERSE: readonly string[] = [
  'a&b c^e a^b d^f d|g a^i h^g f-j k^l f^j k-n j^o m^n mphq',
  'b-d a^e b^d a-g d^h c^g c^f i^j k|l i&l f^n i^m j^m pqok',
  'b^c d^e a^d a|e c^h g|i b^h f-b a^f m-l g^l g|k f^p j^k j^n oqrs',
  'b-c a^e d|f b^c d^h g^h f^i g-k b^l b|k n-f c^n i&p o|q k^q jrms',
  'a|b c^e c&e a|c h-d f^i f-d b^k b-d a^d n-m o^g j-a l^q l^n rjps',
  'a|d c-a c^e b|f g^h e&g b|g d^k a^b a&d m-n o^j l^m i-a l^r qspi',
  'a-c d^e a^c d-g c^h b^f j^g i^k l-b i&k f^n i^m k^m qjop',
  'a^c d-a c|d d^e e&g g-b b-f c|i i^k j^k h^j h^n f^m o&m o^l n^r psqt',
];
