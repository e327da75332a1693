/** Calls of `lanewise/stream.js` that take options at once. */
import { SecretstreamState } from '../../../src/stream/secretstream-state.ts';
import { agePayload, secretstream } from '../../../src/stream.ts';
import { bytes, iv, key, message, type OptionsCall } from '../../support/options-call.ts';

const ad = iv;
/**
 * Streams under headers of zeros and of ones, because not every host gives random bytes while modules are loaded: two
 * messages, the second with additional data; and one that ends its stream.
 */
const header = new Uint8Array(24);
const otherHeader = header.map(() => 1);
const sealedBy = (its: Uint8Array, tag: number, parts: readonly Uint8Array[]): Uint8Array[] => {
  const state = new SecretstreamState(key, its);
  return parts.map((additional) => {
    const out = new Uint8Array(message.length + 17);
    state.seal(tag, additional, additional.length, message, message.length, out);
    return out;
  });
};
const sealed = sealedBy(header, 0, [new Uint8Array(0), ad]);
const [otherSealed] = sealedBy(otherHeader, 3, [new Uint8Array(0)]);

const otherAgeHeader = ad.map((byte) => byte ^ 1);
function agePayloadOf(plaintext: Uint8Array): Uint8Array {
  const sealer = agePayload(key).sealer({ header: ad });
  return Buffer.concat([ad, sealer.push(plaintext), sealer.end()]);
}

export const optionsCalls: readonly OptionsCall[] = [
  {
    title: 'agePayload().sealer',
    name: 'options',
    all: { header: otherAgeHeader, firstChunk: 1, isLast: false },
    required: { header: ad },
    others: {},
    use(options) {
      const sealer = agePayload(key).sealer(options);
      try {
        return Buffer.concat([sealer.header, sealer.push(message), sealer.end()]);
      } catch (error) {
        sealer.destroy();
        return bytes(String(error));
      }
    },
  },
  {
    title: 'agePayload().opener',
    name: 'options',
    all: { firstChunk: 1, isLast: false },
    required: {},
    others: {},
    use(options) {
      const opener = agePayload(key).opener(options);
      try {
        return Buffer.concat([opener.push(agePayloadOf(message)), opener.end()]);
      } catch (error) {
        opener.destroy();
        return bytes(String(error));
      }
    },
  },
  {
    title: 'secretstream().opener',
    name: 'options',
    all: { header: otherHeader, requireFinal: false },
    required: { header },
    others: {},
    use(options) {
      const opener = secretstream(key).opener(options);
      try {
        opener.push(sealed[0]);
      } catch {
        opener.destroy();
        return secretstream(key).opener({ header: otherHeader }).push(otherSealed).slice(1);
      }
      try {
        opener.end();
        return bytes('ended');
      } catch (error) {
        return bytes(String(error));
      }
    },
  },
  {
    title: 'MessageSealer.push',
    name: 'options',
    all: { tag: 3, ad },
    required: {},
    others: {},
    use(options) {
      const machine = secretstream(key).sealer();
      const made = machine.push(message, undefined, options);
      const opener = secretstream(key).opener({ header: machine.header });
      try {
        opener.push(made);
        return bytes(`tag ${opener.tag}`);
      } catch (error) {
        return bytes(String(error));
      }
    },
  },
  {
    title: 'MessageOpener.push',
    name: 'options',
    all: { ad },
    required: {},
    others: { tag: 'the message has it: see opener.tag' },
    use(options) {
      const opener = secretstream(key).opener({ header });
      opener.push(sealed[0]);
      // Before it is known whether the message is authentic, an error of the options.
      const call = () => opener.push(sealed[1], undefined, options);
      try {
        return call();
      } catch (error) {
        if ((error as Error).message !== 'message 1 is not authentic') throw error;
        return bytes('not authentic');
      }
    },
  },
];
