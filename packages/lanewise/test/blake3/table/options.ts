/** Calls of `lanewise/blake3.js` that take options. */
import { blake3, hash, hashMany, root, subtree, subtreeFrom, type Subtree } from '../../../src/blake3.ts';
import { concat } from '../../support/bytes.ts';
import { key, message, page, type OptionsCall } from '../../support/options-call.ts';

const hashing = { key, context: 'example.org 2026 options', dkLen: 16 };
const PART = 'give it to subtree()';
const LENGTH = 'give the length to root() or digest()';
const partOf = (offset: number): Subtree => {
  const { chainingValue, length } = subtree(page.subarray(0, 1024), { offset });
  return { chainingValue, offset, length };
};

/** BLAKE3's calls take one of two options that exclude each other, so each option is tried alone. */
export const optionsCalls: readonly OptionsCall[] = [
  {
    title: 'blake3.blake3',
    name: 'options',
    all: hashing,
    required: {},
    others: { offset: PART },
    use: (options) => blake3(message, options),
  },
  {
    title: 'blake3.blake3.create',
    name: 'options',
    all: hashing,
    required: {},
    others: { offset: PART },
    use: (options) => blake3.create(options).update(message).digest(),
  },
  {
    title: 'blake3.hash',
    name: 'options',
    all: hashing,
    required: {},
    others: { offset: PART },
    use: (options) => hash(message, options),
  },
  {
    title: 'blake3.hashMany',
    name: 'options',
    all: hashing,
    required: {},
    others: { offset: PART },
    use: (options) => concat(...hashMany([message, page], options)),
  },
  {
    title: 'blake3.subtree',
    name: 'options',
    all: { key, context: hashing.context, offset: 1024 },
    required: { offset: 0 },
    others: { dkLen: LENGTH },
    use: (options) => subtree(page, options).chainingValue,
  },
  {
    title: 'blake3.subtreeFrom',
    name: 'options',
    all: { key, context: hashing.context },
    required: {},
    others: { dkLen: LENGTH },
    use(options) {
      const left = subtreeFrom(partOf(0), options);
      // Parts of one mode only have a root.
      for (const mode of [{}, { key }, { context: hashing.context }])
        try {
          return root(left, subtreeFrom(partOf(1024), mode));
        } catch {
          continue;
        }
      throw new Error('of no known mode');
    },
  },
];
