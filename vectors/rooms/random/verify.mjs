// Who confirms the vectors of ChaCha8Rand: whoever has ChaCha8, put together as the specification says. Go's calls are Go's own.
import { oracles, unhex } from '../../oracles.mjs';
import { equal } from '../../verify-file.mjs';

const BLOCKS = 16;
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

/** The output of a seed: sixteen blocks an iteration, without constants and counter added, the words of four blocks in turns. */
function output(stream, seed, length) {
  const out = [];
  let key = seed;
  while (out.length < length) {
    const bytes = stream({ key, nonce: new Uint8Array(12), counter: 0n, data: new Uint8Array(64 * BLOCKS), rounds: 8 });
    const blocks = new DataView(Uint8Array.from(bytes).buffer);
    const iteration = new DataView(new ArrayBuffer(64 * BLOCKS));
    for (let block = 0; block < BLOCKS; block++)
      for (let w = 0; w < 16; w++) {
        const added = w < 4 ? CONSTANTS[w] : w === 12 ? block : 0;
        const place = 64 * (block >> 2) + 4 * w + (block & 3);
        iteration.setUint32(4 * place, blocks.getUint32(64 * block + 4 * w, true) - added, true);
      }
    out.push(...new Uint8Array(iteration.buffer, 0, 992));
    key = new Uint8Array(iteration.buffer, 992);
  }
  return Uint8Array.from(out.slice(0, length));
}

/** By file, how its vectors are confirmed. */
export const files = {
  'chacha8rand-c2sp.json'(f, { tests }) {
    for (const t of tests) {
      const said = ['noble', 'model'].map((name) => [
        name,
        output(oracles[name].stream, Uint8Array.from(unhex(t.seed)), t.output.length / 2),
      ]);
      f.vector(`seed ${t.seed}`, equal(said, t.output));
    }
  },
};
