// The public calls of random.js whose use of memory is recorded.
import { ANY, bound, key, type Library, type Recorded, type Scenario } from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly random: typeof import('../../../../lanewise/src/random.ts');
  }
}

const made = (name: string, call: (library: Library) => unknown): Scenario => ({
  group: 'ChaCha8Rand',
  name,
  remains: 'nothing',
  call,
});

/** Lengths around words, iterations and the most that one call makes. */
const LENGTHS = [1, 8, 9, 991, 992, 993, 2000, 63_488, 63_489, 130_000, ...ANY];

const scenarios = (): Scenario[] => [
  ...LENGTHS.map((length) => made(`${length} bytes`, ({ random }) => random.chacha8rand(key).bytes(length))),
  ...LENGTHS.map((length) =>
    made(`3 bytes and ${length}, then a number`, ({ random }) => {
      const generator = random.chacha8rand(key);
      generator.bytes(3);
      generator.bytes(length);
      return generator.uint64();
    }),
  ),
  made('numbers of each kind', ({ random }) => {
    const generator = random.chacha8rand(key);
    return [
      generator.uint32(),
      generator.float(),
      generator.below(6),
      generator.below(6n),
      generator.below(2 ** 40),
      generator.shuffle([1, 2, 3]),
    ];
  }),
  made('a state of which all is drawn', ({ random }) => {
    const generator = random.chacha8rand(key);
    generator.bytes(992);
    return random.chacha8rand.load(generator.save()).uint32();
  }),
];

export const randomRecorded: Recorded = {
  groups: { random: ['ChaCha8Rand'] },
  doors: ['random'],
  async bindings() {
    const { randomKernel, randomInstance } = await import('../../../../lanewise/src/random/binding.ts');
    return { random: bound(randomKernel, randomInstance) };
  },
  scenarios,
};
