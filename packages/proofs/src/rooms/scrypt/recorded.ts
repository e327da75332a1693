// The public calls of scrypt.js whose use of memory is recorded. Derivations in slices do the same between turns of the event
// loop; scrypt/scrypt.test.ts of the library looks at their memory.
import { ANY, bound, bytes, key, message, type Library, type Recorded, type Scenario } from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly scrypt: typeof import('../../../../lanewise/src/scrypt.ts');
  }
}

const made = (name: string, call: (library: Library) => unknown): Scenario => ({
  group: 'scrypt',
  name,
  remains: 'nothing',
  call,
});

/** Lengths around a block of SHA-256, its padding, and the stage. */
const LENGTHS = [0, 1, 51, 52, 55, 56, 64, 65, 500, 2049, 3071, 3072, 3073, 6200, ...ANY];

const scenarios = (): Scenario[] => [
  ...LENGTHS.flatMap((length) => [
    made(`a salt of ${length} bytes`, ({ scrypt }) => scrypt.scryptSync(key, message(length), { N: 2, r: 1 })),
    made(`a password of ${length} bytes`, ({ scrypt }) => scrypt.scryptSync(message(length), key, { N: 2, r: 1 })),
  ]),
  ...[
    { N: 4, r: 1 },
    { N: 2, r: 3, p: 2 },
    { N: 8, r: 2, p: 3, dkLen: 100 },
    { N: 2, r: 1, p: 20, dkLen: 2500 },
  ].map((options) =>
    made(`64 bytes, ${JSON.stringify(options)}`, ({ scrypt }) => scrypt.scryptSync(bytes(64, 7), key, options)),
  ),
];

export const scryptRecorded: Recorded = {
  groups: { scrypt: ['scrypt'] },
  doors: ['scrypt'],
  async bindings() {
    const { scryptKernel, scryptInstance } = await import('../../../../lanewise/src/scrypt/binding.ts');
    return { scrypt: bound(scryptKernel, scryptInstance) };
  },
  scenarios,
};
