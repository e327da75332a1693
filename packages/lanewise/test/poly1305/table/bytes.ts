/** Calls of `lanewise/poly1305.js` that give bytes to a kernel. */
import { poly1305 } from '../../../src/poly1305.ts';
import { key, messageOf, room, type Family } from '../../support/byte-call.ts';

export const families: readonly Family[] = [
  (length) => [
    {
      title: 'poly1305()',
      run: (given) => poly1305(given(messageOf(length)), given(key)),
    },
    {
      title: 'poly1305.create()',
      run(given) {
        const tag = given(room(16));
        poly1305
          .create(given(key))
          .update(given(messageOf(length)))
          .update(given(messageOf(length)))
          .digestInto(tag);
        return tag;
      },
    },
  ],
];
