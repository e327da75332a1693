/** Serpent with 256-bit keys: CTR, CBC decryption, and sealing by OCB. */
import { joined, unhex } from '../../client/bytes.ts';
import { byJavaScript, inNode, natives, ours } from '../../client/entrants.ts';
import { synchronous, type Entrant, type Operation, type SynchronousStart, type Work } from '../../client/operation.ts';
import { aesCtr, aesGcm } from '../others/operations.ts';

const library = () => import('lanewise/serpent.js');
type Serpent = Awaited<ReturnType<typeof library>>;

/** The first counter block for a nonce of 12 bytes. */
const counterOf = (nonce: Uint8Array): Uint8Array => {
  const counter = new Uint8Array(16);
  counter.set(nonce);
  return counter;
};

const raw = { disablePadding: true };
const starts = ({ ctr, cbc, ocb }: Serpent) =>
  ({
    ctr: (key, nonce) => (data, out) => ctr(key, counterOf(nonce)).encrypt(data, out),
    cbc: (key, nonce) => (data, out) => cbc(key, counterOf(nonce), raw).decrypt(data, out),
    ocb: (key, nonce) => (data, out) => ocb(key, nonce).encrypt(data, out),
  }) satisfies Record<string, SynchronousStart>;
type Mode = keyof ReturnType<typeof starts>;

/** Other libraries have CTR only, or no other mode that is worth a row. */
const others: readonly Entrant[] = [
  inNode('bcrypto', ({ bcrypto }) => synchronous(bcrypto, (key, nonce) => bcrypto.serpentCtr(key, counterOf(nonce)))),
  natives('serpent-ctr', ['libgcrypt']),
];

/** Computed by libgcrypt 1.10.1 from 64 bytes of 3 under a key of ones and a nonce of twos; CBC the other way round. */
const answers: Readonly<Record<Mode, string>> = {
  ctr: '95f5c2d01a795f1b14f27bc2249fab043698eae440cd24904d431cda12eedb0acd0763a4e3618a2c8ae83e5f2d13b7eea810abb12b71962769a15de24b88f783',
  cbc: '01907e802c3d99ac4b53f1eadaaddb640da142f7d215bc9e8ef38735f185b7b2dbf3cef4a302b67cd63c9f48713a4e409256da2d4be79843ffe1ff212f6acb12',
  ocb: '51f9d1f696a3d61bba08fd45d723b4d697a9413a6e1aaffb9daa288b30e742d1b554740d2eca22071fa5f9d9c3fc8e217d3aa5056524e5061ab77ebff7d38e4cca892fb09919ea7950488bfb85a532b1',
};

function operation(
  mode: Mode,
  name: string,
  entrants: readonly Entrant[],
  beside: readonly Operation[] = [],
): Operation {
  const [key, nonce, text] = [32, 12, 64].map((length, i) => new Uint8Array(length).fill(i + 1));
  const answer = unhex(answers[mode]);
  const [data, expected] = mode === 'cbc' ? [answer, text] : [text, answer];
  return {
    id: `serpent-${mode}/${name}`,
    primitive: `Serpent-256-${mode.toUpperCase()}`,
    operation: name,
    async work(message, ownKey, ownNonce): Promise<Work> {
      // CBC takes whole blocks only.
      const input = mode === 'cbc' ? message.subarray(0, message.length & -16) : message;
      // No other library that runs in every engine has Serpent.
      const output = await byJavaScript(library, (serpent) =>
        joined(
          starts(serpent)[mode](ownKey, ownNonce)(input, new Uint8Array(input.length + (mode === 'ocb' ? 16 : 0))),
        ),
      );
      return { key: ownKey, nonce: ownNonce, data: input, expected: output };
    },
    entrants: [ours(async () => starts(await library())[mode]), ...entrants],
    knownAnswer: { key, nonce, data, expected },
    beside,
  };
}

export const serpent = {
  ctr: operation('ctr', 'encrypt', others, [aesCtr]),
  cbc: operation('cbc', 'decrypt', []),
  ocb: operation('ocb', 'seal', [], [aesGcm]),
};

export const operations: readonly Operation[] = Object.values(serpent);
