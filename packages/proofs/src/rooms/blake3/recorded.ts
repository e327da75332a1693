// The public calls of blake3.js whose use of memory is recorded.
import type { Blake3Options } from '../../../../lanewise/src/blake3.ts';
import {
  ANY,
  bound,
  bytes,
  key,
  LONG_MESSAGE,
  message,
  type Library,
  type Recorded,
  type Scenario,
} from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly blake3: typeof import('../../../../lanewise/src/blake3.ts');
  }
}

const scenario =
  (group: string) =>
  (name: string, call: (library: Library) => unknown, throws?: RegExp): Scenario => ({
    group,
    name,
    remains: 'nothing',
    call,
    ...(throws && { throws }),
  });

const MODES: Readonly<Record<string, Blake3Options>> = {
  hash: {},
  'keyed hash': { key },
  'derive key': { context: 'lanewise 2026-11-21 proofs' },
};
/** Lengths around blocks, chunks, the most bytes of a short message, and the most that a hasher gathers before a call. */
const LENGTHS = [0, 1, 64, 65, 1024, 1025, 2048, 2049, 3072, 4097, 16_384, 16_385, 31_745];
const STAGES = [65_536, 65_537];

function blake3Calls(): Scenario[] {
  return Object.entries(MODES).flatMap(([mode, options]) => {
    const oneShot = scenario('BLAKE3, one call');
    const pieces = scenario('BLAKE3, in pieces');
    const output = scenario('BLAKE3, output');
    const many = scenario('BLAKE3, many messages');
    const parts = scenario('BLAKE3, parts of a message');
    const lengths =
      mode === 'hash' ? [...LENGTHS, ...ANY] : mode === 'keyed hash' ? [0, 64, 2049, ...STAGES] : [64, 1025];
    return [
      ...lengths.flatMap((length) => [
        oneShot(`${mode}, ${length} bytes`, ({ blake3 }) => blake3.blake3(message(length), options)),
        oneShot(`${mode}, ${length} bytes, long digest`, ({ blake3 }) =>
          blake3.blake3(message(length), { ...options, dkLen: 200 }),
        ),
        pieces(`${mode}, 100 and ${length} bytes`, ({ blake3 }) =>
          blake3.blake3.create(options).update(message(100)).update(message(length)).digest(),
        ),
        pieces(`${mode}, ${length} bytes, peek, clone, save`, ({ blake3 }) => {
          const hasher = blake3.blake3.create(options).update(message(length));
          hasher.peek();
          const twin = hasher.clone().update(message(5));
          blake3.blake3.load(twin.save()).update(message(100)).digest();
          hasher.destroy();
        }),
      ]),
      ...(mode === 'hash' ? [1, 64, 65, 1000, 5000, 65_537, ...ANY] : [64, 1000]).map((length) =>
        output(`${mode}, ${length} bytes of output`, ({ blake3 }) => {
          const hasher = blake3.blake3.create(options).update(message(1500));
          hasher.xof(length);
          hasher.seek(7).xof(length);
        }),
      ),
      ...(mode === 'hash' ? [0, 64, 65, 1024, 1025] : [64]).flatMap((length) =>
        [1, 3, 17, 70].map((count) =>
          many(`${mode}, ${count} of ${length} bytes`, ({ blake3 }) =>
            blake3.hashMany(
              Array.from({ length: count }, (_, i) => bytes(length, i)),
              options,
            ),
          ),
        ),
      ),
      ...[1, 1024, 3000, 8192].map((length) =>
        parts(`${mode}, ${length} bytes behind 8 KiB`, ({ blake3: { merge, root, subtree } }) => {
          const left = subtree(message(4096), { ...options, offset: 0 });
          const middle = subtree(message(4096), { ...options, offset: 4096 });
          return root(merge(left, middle), subtree(message(length), { ...options, offset: 8192 }));
        }),
      ),
    ];
  });
}

export const blake3Recorded: Recorded = {
  groups: {
    blake3: [
      'BLAKE3, one call',
      'BLAKE3, in pieces',
      'BLAKE3, output',
      'BLAKE3, many messages',
      'BLAKE3, parts of a message',
    ],
  },
  doors: ['blake3'],
  async bindings() {
    const blake3 = await import('../../../../lanewise/src/blake3/binding.ts');
    return {
      'blake3 long': bound(blake3.longKernel, () => blake3.blake3Instance(LONG_MESSAGE)),
      'blake3 short': bound(blake3.shortKernel, () => blake3.blake3Instance(0)),
    };
  },
  scenarios: blake3Calls,
};
