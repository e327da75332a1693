/** Calls of `lanewise/random.js` that give bytes to a kernel, or take them. */
import { chacha8rand } from '../../../src/random.ts';
import { key, once, room, type Family } from '../../support/byte-call.ts';

export const families: readonly Family[] = [
  (length) => [
    { title: 'chacha8rand().bytes()', run: (given) => chacha8rand(given(key)).bytes(given(room(length))) },
    {
      title: 'chacha8rand.load()',
      run(given) {
        const saved = once('chacha8rand.save()', () => chacha8rand(key).save());
        return chacha8rand.load(given(saved)).bytes(given(room(length)));
      },
    },
  ],
];
