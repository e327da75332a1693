// The public calls of blake2.js whose use of memory is recorded.
import { ANY, bound, key, message, type Library, type Recorded, type Scenario } from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly blake2: typeof import('../../../../lanewise/src/blake2.ts');
  }
}

/** Lengths around blocks of both functions, and around the stage. */
const LENGTHS = [0, 1, 63, 64, 65, 127, 128, 129, 500, 64_511, 64_512, 64_513, 70_000, ...ANY];

const scenarios = (): Scenario[] =>
  (['blake2b', 'blake2s'] as const).flatMap((name) => {
    const made = (what: string, call: (library: Library) => unknown): Scenario => ({
      group: name,
      name: `${name}, ${what}`,
      remains: 'nothing',
      call,
    });
    return [
      ...LENGTHS.flatMap((length) => [
        made(`${length} bytes`, ({ blake2 }) => blake2[name](message(length))),
        made(`${length} bytes under a key`, ({ blake2 }) => blake2[name](message(length), { key, dkLen: 20 })),
        made(`${length} bytes in two pieces`, ({ blake2 }) =>
          blake2[name].create({ key }).update(message(length)).update(message(length)).digest(),
        ),
      ]),
      made('a clone', ({ blake2 }) => blake2[name].create({ key }).update(message(100)).clone().digest()),
    ];
  });

export const blake2Recorded: Recorded = {
  groups: { blake2b: ['blake2b'], blake2s: ['blake2s'] },
  doors: ['blake2'],
  async bindings() {
    const binding = await import('../../../../lanewise/src/blake2/binding.ts');
    return {
      blake2b: bound(binding.blake2bKernel, binding.blake2bInstance),
      blake2s: bound(binding.blake2sKernel, binding.blake2sInstance),
    };
  },
  scenarios,
};
