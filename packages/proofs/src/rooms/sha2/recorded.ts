// The public calls of sha2.js whose use of memory is recorded. Derivations of PBKDF2 in slices do the same between turns of the event
// loop; sha2/pbkdf2.test.ts of the library looks at their memory.
import { ANY, bound, key, message, type Library, type Recorded, type Scenario } from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly sha2: typeof import('../../../../lanewise/src/sha2.ts');
    readonly box: typeof import('../../../../lanewise/src/box.ts');
  }
}

type Name = 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'sha512_256';

const made = (group: string, name: string, call: (library: Library) => unknown): Scenario => ({
  group,
  name: `${group}, ${name}`,
  remains: 'nothing',
  call,
});

/** Messages of a few lengths: those around the padding of a block, 500, and one that is drawn. */
const hashed = (group: string, name: Name, lengths: readonly number[]): Scenario[] =>
  lengths.map((length) => made(group, `${name} of ${length} bytes`, ({ sha2 }) => sha2[name](message(length))));

/** Everything that a hash function is for. */
function of(group: string, name: Name, block: 64 | 128): Scenario[] {
  const around = [0, 1, block - block / 8 - 1, block - block / 8, block, block + 1, 500];
  const each = (what: (length: number) => string, call: (library: Library, length: number) => unknown, any: number) =>
    [0, block, block + 1, 500, any].map((length) =>
      made(group, `${name}, ${what(length)}`, (all) => call(all, length)),
    );
  return [
    // Around the stage, too.
    ...hashed(group, name, [...around, ...ANY, 65_536, 65_537]),
    ...each(
      (length) => `${length} bytes, twice`,
      ({ sha2 }, length) => sha2[name].create().update(message(length)).update(message(length)).digest(),
      ANY[0],
    ),
    ...each(
      (length) => `HMAC of ${length} bytes`,
      ({ sha2 }, length) => sha2.hmac(sha2[name], key, message(length)),
      ANY[1],
    ),
    ...each(
      (length) => `HMAC under a key of ${length} bytes`,
      ({ sha2 }, length) => sha2.hmac.create(sha2[name], message(length)).update(message(length)).digest(),
      ANY[2],
    ),
    ...each(
      (length) => `HKDF of ${length} bytes`,
      ({ sha2 }, length) => sha2.hkdf(sha2[name], message(length), message(length), message(length), 100),
      ANY[3],
    ),
    ...each(
      (length) => `PBKDF2 of ${length} bytes`,
      ({ sha2 }, length) => sha2.pbkdf2Sync(sha2[name], message(length), message(length), { c: 3, dkLen: 100 }),
      ANY[0],
    ),
    made(group, `${name}, a clone`, ({ sha2 }) => sha2[name].create().update(message(100)).clone().digest()),
    // A full stage is hashed, and less than a block is left.
    made(group, `${name}, 65537 bytes in a piece`, ({ sha2 }) => sha2[name].create().update(message(65_537)).digest()),
    made(group, `${name}, extract of 64 bytes`, ({ sha2 }) => sha2.extract(sha2[name], message(64))),
    made(group, `${name}, expand of 64 bytes`, ({ sha2 }) => sha2.expand(sha2[name], message(64), key, 500)),
    // The second slice has one iteration.
    made(group, `${name}, PBKDF2 of 258 iterations`, ({ sha2 }) =>
      sha2.pbkdf2Sync(sha2[name], message(64), key, { c: 258 }),
    ),
  ];
}

/** Messages of these lengths, side by side: fewer than lanes, as many, more, longer than a lane's stage. */
const LISTS = [
  [0, 64],
  [65, 55, 56, 64],
  [2000, 0, 1, 64, 65, 129, 500],
  [200, 15_351, 15_352, 15_360, 30_000],
  [...ANY, 9],
];

const lanes = (): Scenario[] =>
  (['sha224', 'sha256'] as const).flatMap((name) =>
    LISTS.map((lengths) =>
      made('sha256lanes', `${name} of ${lengths.join(', ')} bytes`, ({ sha2 }) =>
        sha2.hashMany(sha2[name], lengths.map(message)),
      ),
    ),
  );

export const sha2Recorded: Recorded = {
  groups: { sha256: ['sha256'], sha512: ['sha512'], sha256lanes: ['sha256lanes'] },
  // A box has the chaining values of its key kept.
  doors: ['sha2', 'box'],
  async bindings() {
    const binding = await import('../../../../lanewise/src/sha2/binding.ts');
    const { lanesKernel, lanesInstance } = await import('../../../../lanewise/src/sha2/lanes-binding.ts');
    return {
      sha256: bound(binding.sha256Kernel, binding.sha256Instance),
      sha512: bound(binding.sha512Kernel, binding.sha512Instance),
      sha256lanes: bound(lanesKernel, lanesInstance),
    };
  },
  scenarios: () => [
    ...of('sha256', 'sha256', 64),
    ...hashed('sha256', 'sha224', [0, 64, 500]),
    ...of('sha512', 'sha512', 128),
    ...hashed('sha512', 'sha384', [0, 64, 500]),
    ...hashed('sha512', 'sha512_256', [0, 64, 500]),
    ...lanes(),
  ],
};
