/** ChaCha8Rand: the output of a seed, beside the keystream of ChaCha8, from which it is made. */
import { unhex } from '../../client/bytes.ts';
import { ours } from '../../client/entrants.ts';
import { workBy, type Operation, type SynchronousStart } from '../../client/operation.ts';
import { chacha8 } from '../chacha/operations.ts';

const BLOCKS = 16;
const SET = 4;
const WORDS = 16;
const KEY_BYTES = 32;
const OUTPUT_BYTES = 64 * BLOCKS - KEY_BYTES;

/** ChaCha8Rand as its specification says it: noble's ChaCha8, without the constants added back, in sets of four blocks. */
async function reference(): Promise<SynchronousStart> {
  const { chacha8: keystream } = await import('@noble/ciphers/chacha.js');
  const constants = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
  return (seed) => (_, out) => {
    let key = seed;
    for (let at = 0; at < out.length; at += OUTPUT_BYTES) {
      const blocks = new DataView(keystream(key, new Uint8Array(12), new Uint8Array(64 * BLOCKS)).buffer);
      const iteration = new Uint8Array(64 * BLOCKS);
      const view = new DataView(iteration.buffer);
      for (let block = 0; block < BLOCKS; block++)
        for (let w = 0; w < WORDS; w++) {
          const added = w < constants.length ? constants[w] : w === 12 ? block : 0;
          const place = WORDS * SET * Math.floor(block / SET) + SET * w + (block % SET);
          view.setUint32(4 * place, blocks.getUint32(64 * block + 4 * w, true) - added, true);
        }
      out.set(iteration.subarray(0, Math.min(OUTPUT_BYTES, out.length - at)), at);
      key = iteration.subarray(OUTPUT_BYTES);
    }
    return out;
  };
}

export const bytes: Operation = {
  id: 'chacha8rand/bytes',
  primitive: 'ChaCha8Rand',
  operation: 'bytes',
  work: workBy(reference),
  entrants: [
    ours(async () => {
      const { chacha8rand } = await import('lanewise/random.js');
      return (seed) => (_, out) => chacha8rand(seed).bytes(out);
    }),
  ],
  // C2SP chacha8rand.md, "Sample output".
  knownAnswer: {
    key: new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZ123456'),
    nonce: new Uint8Array(),
    data: new Uint8Array(64),
    expected: unhex(
      'a516463d06b673b73cbc6aa622af60117c288d41d999258cd65cdc7e037ee07ead161c2de09eaacf79eaeb8fef0e090e3e5b8b1271d2823c4fa35212c1dd5a9c',
    ),
  },
  beside: [chacha8],
};

export const operations: readonly Operation[] = [bytes];
