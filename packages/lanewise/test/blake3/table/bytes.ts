/** Calls of `lanewise/blake3.js` that give bytes to a kernel. */
import { blake3, hash, hashMany, root, rootXof, subtree } from '../../../src/blake3.ts';
import { concat, sample } from '../../support/bytes.ts';
import { aad, key, messageOf, room, type Family } from '../../support/byte-call.ts';

export const families: readonly Family[] = [
  (length) => [
    { title: 'blake3()', run: (given) => blake3(given(messageOf(length))) },
    { title: 'hash()', run: (given) => hash(given(messageOf(length))) },
    { title: 'blake3() with a key', run: (given) => blake3(given(messageOf(length)), { key: given(key) }) },
    {
      title: 'blake3() with a context',
      run: (given) => blake3(given(messageOf(length)), { context: given(aad), dkLen: 100 }),
    },
    {
      title: 'blake3.create()',
      run: (given) =>
        blake3
          .create({ key: given(key) })
          .update(given(messageOf(length)))
          .update(given(messageOf(length)))
          .xofInto(given(room(200))),
    },
    {
      title: 'hashMany()',
      run: (given) =>
        concat(
          ...hashMany(
            [...[1, 2, 3, 4, 5].map((seed) => sample(length, seed)), messageOf(length), sample(length, 7)].map(
              (each, i) => (i === 5 ? given(each) : each),
            ),
          ),
        ),
    },
    {
      title: 'subtree()',
      run(given) {
        const left = subtree(given(sample(2048, 308)), { offset: 0, key: given(key) });
        const right = subtree(given(messageOf(length).subarray(0, 2000)), { offset: 2048, key });
        return concat(root(left, right), rootXof(left, right).xof(100));
      },
    },
  ],
];
