/** Operations of `lanewise/blake3.js` on random bytes, in which tests make the stack overflow. */
import * as hashing from '../../../src/blake3.ts';
import { expected as blake3Of, key as blake3Key } from '../../support/blake3.ts';
import { concat } from '../../support/bytes.ts';
import { LONG, type Operation } from '../../support/overflow-operation.ts';
import { instances } from './instances.ts';

// Read here once: the tests' module loader reports a stack overflow in the getter of a re-export as a missing export.
const { blake3, hash, hashMany, merge, root, subtree } = hashing;

const memories = (): Uint8Array[] => instances().map(({ memory }) => memory);

export const operations: readonly Operation[] = [
  {
    name: 'blake3',
    memories,
    longest: LONG,
    work: ({ text }) => blake3(text, { key: blake3Key }),
    expected: ({ text }) => blake3Of(text, 'keyed_hash'),
  },
  {
    name: 'blake3, 300 bytes of digest',
    memories,
    longest: LONG,
    work: ({ text }) => blake3(text, { key: blake3Key, dkLen: 300 }),
    expected: ({ text }) => blake3Of(text, 'keyed_hash', 300),
  },
  {
    name: 'hash',
    memories,
    longest: LONG,
    work: ({ text }) => hash(text, { key: blake3Key }),
    expected: ({ text }) => blake3Of(text, 'keyed_hash'),
  },
  {
    name: 'hashMany',
    memories,
    longest: 1500,
    work: ({ text }) => concat(...hashMany([text, text.subarray(1), text, text, text], { key: blake3Key })),
    expected({ text }) {
      const [digest, second] = [text, text.subarray(1)].map((bytes) => blake3Of(bytes, 'keyed_hash'));
      return concat(digest, second, digest, digest, digest);
    },
  },
  {
    name: 'subtree, merge and root',
    memories,
    longest: LONG,
    work({ text }) {
      const message = concat(new Uint8Array(3 * 1024), text, new Uint8Array(1)).subarray(0, 4096);
      const parts = [0, 1024, 2048, 3072].map((at) =>
        subtree(message.subarray(at, at + 1024), { offset: at, key: blake3Key }),
      );
      return root(merge(parts[0], parts[1]), merge(parts[2], parts[3]));
    },
    expected: ({ text }) =>
      blake3Of(concat(new Uint8Array(3 * 1024), text, new Uint8Array(1)).subarray(0, 4096), 'keyed_hash'),
  },
  {
    name: 'a hasher: update and digest',
    memories,
    longest: LONG,
    make: () => blake3.create({ key: blake3Key }),
    work: ({ text }, hasher: hashing.Blake3) => hasher.update(text).digest(),
    expected: ({ text }) => blake3Of(text, 'keyed_hash'),
  },
  {
    name: 'a hasher: output',
    memories,
    longest: LONG,
    make: ({ text }) => blake3.create({ key: blake3Key }).update(text),
    work: (_, hasher: hashing.Blake3) => hasher.xof(5000),
    expected: ({ text }) => blake3Of(text, 'keyed_hash', 5000),
  },
  {
    name: 'a hasher: a saved state and a clone',
    memories,
    longest: LONG,
    make: ({ text }) => blake3.create({ key: blake3Key }).update(text),
    work: (_, hasher: hashing.Blake3) => blake3.load(hasher.save()).clone().peek(),
    expected: ({ text }) => blake3Of(text, 'keyed_hash'),
  },
];
