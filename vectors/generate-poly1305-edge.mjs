// Makes poly1305-edge.json: Poly1305 at the edges of its arithmetic, computed from the polynomial with BigInt and
// confirmed by every oracle before it is written.  node vectors/generate-poly1305-edge.mjs [--check]
import { createHash } from 'node:crypto';
import { CLAMP, P, poly1305Trace } from './model.mjs';
import { agreed, compact, hex, writeOrCheck } from './oracles.mjs';

const two = (n) => 1n << BigInt(n);
const mod = (n, m = P) => ((n % m) + m) % m;
const le = (n, size = 16) => Uint8Array.from({ length: size }, (_, i) => Number((n >> BigInt(8 * i)) & 255n));
const cat = (...parts) => Uint8Array.from(parts.flatMap((p) => [...p]));
const ff = (n) => new Uint8Array(n).fill(255);
/** Numbers that look random and are the same on every run. */
const seeded = (label) =>
  BigInt(`0x${createHash('sha256').update(`lanewise poly1305 edge ${label}`).digest('hex')}`) & (two(128) - 1n);

function inverse(a) {
  let [r0, r1, t0, t1] = [P, mod(a), 0n, 1n];
  while (r1) {
    const q = r0 / r1;
    [r0, r1, t0, t1] = [r1, r0 - q * r1, t1, t0 - q * t1];
  }
  return mod(t0);
}
/** Two whole blocks after which the accumulator of r is `target`, started from h. */
function blocksTo(target, r, h = 0n) {
  for (let n = 0; ; n++) {
    const first = seeded(`${target} ${r} ${h} ${n}`);
    const after = ((h + first + two(128)) * r) % P;
    const second = mod(mod(target) * inverse(r) - after);
    if (second >= two(128) && second < two(129)) return cat(le(first), le(second - two(128)));
  }
}

const tests = [];
function add(comment, r, s, message) {
  const key = cat(le(r), le(s));
  const { accumulator, tag } = poly1305Trace(key, message);
  if (agreed('poly1305', key, message) !== hex(tag)) throw new Error(comment);
  tests.push({
    tcId: tests.length + 1,
    comment,
    key: hex(key),
    message: hex(message),
    accumulator: accumulator.toString(16),
    tag: hex(tag),
  });
  return accumulator;
}
function expect(actual, wanted) {
  if (actual !== mod(wanted)) throw new Error(`accumulator is ${actual.toString(16)}`);
}

const R1 = 0x0806d5400e52447c036d555408bed685n & CLAMP; // RFC 8439 2.5.2
const RMAX = CLAMP;

// 1. The accumulator at the end is just below p, at 0 (which is p, and 1..4 are p+1..p+4 where reduction is partial),
//    and all ones in limbs of 26, 32, 44 and 64 bits.
const finals = [
  ['0, that is p', 0n],
  ['1, that is p+1', 1n],
  ['2', 2n],
  ['3', 3n],
  ['4, that is 2^130-1', 4n],
  ['5, that is 2^130', 5n],
  ['p-1', P - 1n],
  ['p-2', P - 2n],
  ['p-5', P - 5n],
  ['p-6', P - 6n],
  ['2^128-1', two(128) - 1n],
  ['2^128', two(128)],
  ['2^129-1', two(129) - 1n],
  ['2^129', two(129)],
  ['2^128+2^129-1', two(128) + two(129) - 1n],
  ['2^26-1', two(26) - 1n],
  ['2^44-1', two(44) - 1n],
  ['2^52-1', two(52) - 1n],
  ['2^64-1', two(64) - 1n],
  ['2^88-1', two(88) - 1n],
  ['2^96-1', two(96) - 1n],
  ['2^104-1', two(104) - 1n],
  ['2^128-2^96', two(128) - two(96)],
  ['2^130-2^104', two(130) - two(104)],
];
for (const [name, target] of finals) expect(add(`final accumulator ${name}`, R1, 0n, blocksTo(target, R1)), target);
for (const [name, target] of finals.slice(0, 10)) {
  expect(
    add(`final accumulator ${name}, r all clamped ones, s all ones`, RMAX, two(128) - 1n, blocksTo(target, RMAX)),
    target,
  );
}

// 2. h + s carries out of 2^128, exactly, one short of it, and along all four words.
for (const [name, h, s] of [
  ['h + s = 2^128', two(127), two(127)],
  ['h + s = 2^128 - 1', two(127), two(127) - 1n],
  ['h + s = 2^128 + 1', two(127), two(127) + 1n],
  ['1 + (2^128 - 1): carry through every word', 1n, two(128) - 1n],
  ['(2^128 - 1) + 1: carry through every word', two(128) - 1n, 1n],
  ['(2^128 - 1) + (2^128 - 1)', two(128) - 1n, two(128) - 1n],
  ['(p-1) + (2^128 - 1)', P - 1n, two(128) - 1n],
  ['(p-1) + 6: the low words carry', P - 1n, 6n],
  ['carry out of word 0 only', 0xffffffffn, 1n],
  ['carry out of word 2 only', 0xffffffffn << 64n, 1n << 64n],
])
  expect(add(`final addition: ${name}`, R1, s, blocksTo(h, R1)), h);

// 3. The largest r, and blocks of ff: lengths on both sides of block edges and of groups of blocks.
for (const n of [
  0, 1, 2, 3, 7, 8, 14, 15, 16, 17, 18, 30, 31, 32, 33, 34, 47, 48, 49, 62, 63, 64, 65, 191, 192, 193, 256, 257,
]) {
  add(`r all clamped ones, ${n} bytes of ff`, RMAX, two(128) - 1n, ff(n));
}
for (const n of [15, 16, 31, 64])
  add(`r = 1, ${n} bytes of 00: only the padding bit counts`, 1n, 0n, new Uint8Array(n));

// 4. r = 1: the accumulator is the sum of the blocks, brought to the edges before it is reduced.
for (const [name, sum, blocks] of [
  ['p - 1', P - 1n, 3n],
  ['p', P, 3n],
  ['p + 1', P + 1n, 3n],
  ['2^130 - 1', two(130) - 1n, 3n],
  ['2^130', two(130), 3n],
  ['2^130 + 4', two(130) + 4n, 3n],
  ['2p - 1', 2n * P - 1n, 5n],
  ['2p', 2n * P, 5n],
  ['2p + 1', 2n * P + 1n, 5n],
  ['2^131', two(131), 5n],
]) {
  let left = sum - blocks * two(128);
  const parts = [];
  for (let i = 0n; i < blocks; i++) {
    const part = left < two(128) ? left : two(128) - 1n;
    parts.push(le(part));
    left -= part;
  }
  if (left !== 0n) throw new Error(name);
  expect(add(`r = 1, blocks add up to ${name}`, 1n, 0n, cat(...parts)), sum);
}

// 5. An edge in the middle: the accumulator after two blocks, from which the rest continues.
for (const [name, target] of [
  ['p-1', P - 1n],
  ['0', 0n],
  ['4', 4n],
  ['2^128-1', two(128) - 1n],
  ['2^129-1', two(129) - 1n],
  ['2^104-1', two(104) - 1n],
]) {
  add(
    `accumulator ${name} after two blocks, then 32 bytes of ff, r all clamped ones`,
    RMAX,
    seeded(name),
    cat(blocksTo(target, RMAX), ff(32)),
  );
  add(`accumulator ${name} after two blocks, then one byte`, R1, seeded(name), cat(blocksTo(target, R1), ff(1)));
}

// 6. Clamping.
add('key all ones: r must be clamped', two(128) - 1n, two(128) - 1n, ff(40));
add('r has only the bits that clamping clears: it is 0, the tag is s', (two(128) - 1n) ^ CLAMP, seeded('s'), ff(40));
add('r = 2^124 - 2^122: top word of r only', 0x0ffffffcn << 96n, 0n, ff(48));

await writeOrCheck(
  new URL('poly1305-edge.json', import.meta.url),
  compact({
    source:
      'Our own: Poly1305 (RFC 8439 2.5) at the edges of its arithmetic. "accumulator" is the fully reduced accumulator before s is added, as a hexadecimal number.',
    made: 'node vectors/generate-poly1305-edge.mjs: computed from the polynomial with BigInt, confirmed by libsodium and @noble/ciphers',
    tests,
  }),
);
