/** The machines of `lanewise/stream.js`, timed: keys, and the refusal of wrong tags. */
import { agePayload, secretstream } from '../../../src/stream.ts';
import { SecretstreamState } from '../../../src/stream/secretstream-state.ts';
import { aad, keyed, LENGTH, message, nonceOf, tagged, type Target } from '../../support/timing.ts';

const header = nonceOf(24);
const key = new Uint8Array(32);
const ageSealer = agePayload(key).sealer();
ageSealer.push(message);
const payload = ageSealer.end();

const refused = (work: () => unknown): void => {
  try {
    work();
  } catch {
    return;
  }
  throw new Error('a forgery was opened');
};

export const targets: readonly Target[] = [
  keyed('agePayload sealing', (its) => {
    const sealer = agePayload(its).sealer();
    sealer.push(message);
    sealer.end();
  }),
  tagged('agePayload opening', payload.subarray(LENGTH), true, () => {
    const opener = agePayload(key).opener();
    opener.push(payload);
    refused(() => opener.end());
  }),
  // A length for which cipher and MAC run together, and one for which they run apart.
  ...[LENGTH, LENGTH - 1].flatMap((length) => {
    const plaintext = message.subarray(0, length);
    const seal = (its: Uint8Array, out: Uint8Array): void =>
      new SecretstreamState(its, header).seal(0, aad, aad.length, plaintext, length, out);
    const [sealed, out] = [new Uint8Array(length + 17), new Uint8Array(length + 17)];
    seal(key, sealed);
    return [
      keyed(`secretstream sealing ${length} bytes`, (its) => seal(its, out)),
      tagged(`secretstream opening ${length} bytes`, sealed.subarray(length + 1), true, () => {
        const opener = secretstream(key).opener({ header });
        refused(() => opener.push(sealed, undefined, { ad: aad }));
      }),
    ];
  }),
];
