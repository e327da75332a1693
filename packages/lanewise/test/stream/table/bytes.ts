/** Calls of `lanewise/stream.js` that give bytes to a kernel. */
import { agePayload, secretstream } from '../../../src/stream.ts';
import { concat } from '../../support/bytes.ts';
import { aad, key, messageOf, once, room, type Family } from '../../support/byte-call.ts';

export const families: readonly Family[] = [
  (length) => {
    const sealed = (): Uint8Array =>
      once(`agePayload ${length}`, () => {
        const sealer = agePayload(key).sealer();
        return concat(sealer.push(messageOf(length)), sealer.end());
      });
    return [
      {
        title: 'agePayload.sealer()',
        run(given) {
          const sealer = agePayload(given(key)).sealer();
          const message = given(messageOf(length));
          return concat(sealer.push(message, given(room(sealer.outputLength(length)))), sealer.end());
        },
      },
      {
        title: 'agePayload.opener()',
        run(given) {
          const opener = agePayload(given(key)).opener();
          const size = sealed().length;
          return concat(opener.push(given(sealed()), given(room(opener.outputLength(size)))), opener.end());
        },
      },
    ];
  },
  (length) => {
    const made = new Map<number, { header: Uint8Array; sealed: Uint8Array }>();
    const stream = () => {
      const known = made.get(length);
      if (known) return known;
      const sealer = secretstream(key).sealer();
      const its = { header: sealer.header, sealed: sealer.push(messageOf(length), undefined, { ad: aad }) };
      made.set(length, its);
      return its;
    };
    return [
      {
        title: 'secretstream.sealer() and back',
        run(given) {
          const sealer = secretstream(given(key)).sealer();
          const sealed = sealer.push(given(messageOf(length)), given(room(length + 17)), { ad: given(aad) });
          return secretstream(key).opener({ header: sealer.header }).push(sealed, undefined, { ad: aad });
        },
      },
      {
        title: 'secretstream.opener()',
        run(given) {
          const opener = secretstream(given(key)).opener({ header: given(stream().header) });
          return opener.push(given(stream().sealed), given(room(length)), { ad: given(aad) });
        },
      },
    ];
  },
];
