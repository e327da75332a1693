/** ChaCha20-Poly1305-SIV, sealing and opening, beside XChaCha20-Poly1305. */
import { joined, unhex } from '../../client/bytes.ts';
import { ours } from '../../client/entrants.ts';
import type { Operation, SynchronousStart } from '../../client/operation.ts';
import { xchacha20poly1305 } from '../aead/operations.ts';

const TAG_BYTES = 32;

/** "Encrypt" of C2SP chacha20-poly1305-siv.md, by noble's ChaCha20 and Poly1305; without additional data. */
async function reference(): Promise<SynchronousStart> {
  const [{ chacha20 }, { poly1305 }] = await Promise.all([
    import('@noble/ciphers/chacha.js'),
    import('@noble/ciphers/_poly1305.js'),
  ]);
  const block = (key: Uint8Array, from: Uint8Array): Uint8Array => {
    const counter = new DataView(from.buffer, from.byteOffset).getUint32(0, true);
    return chacha20(key, from.slice(4, 16), new Uint8Array(64), undefined, counter);
  };
  return (key, nonce) => (plaintext) => {
    const subkeys = block(key, nonce);
    const padded = (plaintext.length + 15) & -16;
    const message = new Uint8Array(padded + 16);
    message.set(plaintext);
    new DataView(message.buffer).setBigUint64(padded + 8, BigInt(plaintext.length), true);
    const tag = block(subkeys.slice(32), poly1305(message, subkeys.slice(0, 32))).slice(0, TAG_BYTES);
    const encryptionKey = block(subkeys.slice(32), tag).slice(32);
    return [chacha20(encryptionKey, tag.slice(16, 28), plaintext), tag];
  };
}

type Direction = 'seal' | 'open';

async function own(direction: Direction): Promise<SynchronousStart> {
  const { chacha20poly1305siv } = await import('lanewise/siv.js');
  return (key, nonce) =>
    direction === 'seal'
      ? (plaintext, out) => chacha20poly1305siv(key, nonce).encrypt(plaintext, out)
      : (sealed, out) => chacha20poly1305siv(key, nonce).decrypt(sealed, out);
}

/** C2SP chacha20-poly1305-siv.md, the start of "Test Vector 1": no plaintext, no additional data. */
const example = {
  key: unhex('1a1ea9537ef6e0587ac4d36d4c73e07b1526e18bf5bb008f63e4a49b2178a8d2'),
  nonce: unhex('530ee5e3dae7693017d28e5d7c6936ce'),
  plaintext: new Uint8Array(),
  sealed: unhex('85ebd6b3a2dbad07d4811283aaf9777acff58bdab40939a13237be73d3ddd73a'),
};

const operation = (direction: Direction, beside: Operation): Operation => ({
  id: `chacha20poly1305siv/${direction}`,
  primitive: 'ChaCha20-Poly1305-SIV',
  operation: direction,
  async work(plaintext, key, nonce) {
    const sealed = joined((await reference())(key, nonce)(plaintext, plaintext));
    const [data, expected] = direction === 'seal' ? [plaintext, sealed] : [sealed, plaintext];
    return { key, nonce, data, expected };
  },
  entrants: [ours(() => own(direction))],
  knownAnswer: {
    key: example.key,
    nonce: example.nonce,
    data: direction === 'seal' ? example.plaintext : example.sealed,
    expected: direction === 'seal' ? example.sealed : example.plaintext,
  },
  beside: [beside],
});

export const seal: Operation = operation('seal', xchacha20poly1305.seal);
export const open: Operation = operation('open', xchacha20poly1305.open);

export const operations: readonly Operation[] = [seal, open];
