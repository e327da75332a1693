/** The cost of hashers of SHA-2 and BLAKE2, and of a MAC, which take a message byte by byte. */
import { blake2b } from 'lanewise/blake2.js';
import { hmac, sha256 } from 'lanewise/sha2.js';
import { lines } from '../../drop-ins/src/lines.ts';
import type { Cost } from './cost.ts';
import { withinOf } from './inventory.ts';
import type { Methods } from './machine.ts';

const one = new Uint8Array(1);

export const ofHashers = (
  lanewise: (title: string, covers: readonly string[], run: Cost['run'], least?: number) => Cost,
  times: (n: number, work: () => unknown) => void,
): readonly Cost[] => [
  lanewise(
    'hashers of SHA-2 and BLAKE2, and a MAC',
    ['Sha2.update', 'Sha2.clone', 'Blake2.update', 'Blake2.clone', 'Hmac.update'],
    (n) => {
      for (const its of [sha256.create(), blake2b.create(), hmac.create(sha256, one)]) {
        times(n, () => its.update(one));
        its.digest();
      }
    },
    5000,
  ),
];

const programOf = (name: string): Methods =>
  withinOf(lines.find((line) => line.package === name)!)[0].program as unknown as Methods;
const program = programOf('blake3-wasm');
const jit = programOf('blake3-jit');

const HASHERS = ['Hasher', 'createHasher', 'createKeyed', 'createDeriveKey'];
/** The drop-in package for blake3-jit, byte by byte. */
const ofBlake3Jit: Cost = {
  title: 'blake3-jit: a hasher and a reader',
  covers: [...HASHERS, ...HASHERS.map((name) => `default.${name}`), 'XofReader'].flatMap((name) => [
    `blake3-jit 0 ${name}`,
    `blake3-jit 1 ${name}`,
  ]),
  run(n) {
    const hasher = jit.createHasher() as Methods;
    for (let i = 0; i < n; i++) hasher.update(one);
    const reader = hasher.finalizeXof() as Methods;
    for (let i = 0; i < n; i++) reader.read(1);
  },
  least: 5000,
};

/** The drop-in package for blake3-wasm, byte by byte. */
const ofBlake3Wasm: Cost = {
  title: 'blake3-wasm: a hasher and a reader',
  covers: ['Blake3Hash', 'HashReader', 'create_hasher', 'create_keyed', 'create_derive'].map(
    (name) => `blake3-wasm 2 ${name}`,
  ),
  run(n) {
    const hasher = program.createHash() as Methods;
    for (let i = 0; i < n; i++) hasher.update(one);
    const reader = hasher.reader() as Methods;
    for (let i = 0; i < n; i++) reader.read(1);
  },
  least: 5000,
};

export const ofDropInHashers: readonly Cost[] = [ofBlake3Jit, ofBlake3Wasm];
