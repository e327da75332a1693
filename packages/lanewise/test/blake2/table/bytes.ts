/** Calls of `lanewise/blake2.js` that give bytes to a kernel. */
import { blake2b, blake2s } from '../../../src/blake2.ts';
import { key, messageOf, room, type Family } from '../../support/byte-call.ts';

export const families: readonly Family[] = [blake2b, blake2s].map((hash, i) => (length) => {
  const name = `blake2${'bs'[i]}`;
  const digest = (): Uint8Array => room(hash.outputLen);
  return [
    { title: `${name}()`, run: (given) => hash(given(messageOf(length))) },
    {
      title: `${name}() with a key`,
      run: (given) =>
        hash(given(messageOf(length)), { key: given(key), salt: given(key.slice(0, hash.outputLen / 4)) }),
    },
    {
      title: `${name}.create()`,
      run(given) {
        const out = given(digest());
        hash
          .create({ key: given(key) })
          .update(given(messageOf(length)))
          .update(given(messageOf(length)))
          .digestInto(out);
        return out;
      },
    },
  ];
});
