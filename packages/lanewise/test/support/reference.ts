/** ChaCha with any rounds, nonce and key, as its papers draw it: for the forms that no other library has. */

const SIGMA = 'expand 32-byte k';
const TAU = 'expand 16-byte k';

function quarterRound(x: Uint32Array, a: number, b: number, c: number, d: number): void {
  const step = (to: number, from: number, mixed: number, turn: number): void => {
    x[to] += x[from];
    const word = x[mixed] ^ x[to];
    x[mixed] = (word << turn) | (word >>> (32 - turn));
  };
  step(a, b, d, 16);
  step(c, d, b, 12);
  step(a, b, d, 8);
  step(c, d, b, 7);
}

/** The state after its rounds, without the final addition. */
function permuted(state: Uint32Array, rounds: number): Uint32Array {
  const x = state.slice();
  for (let round = 0; round < rounds; round += 2) {
    for (let i = 0; i < 4; i++) quarterRound(x, i, 4 + i, 8 + i, 12 + i);
    for (let i = 0; i < 4; i++) quarterRound(x, i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
  }
  return x;
}

function stateOf(key: Uint8Array, lastRow: Uint8Array): Uint32Array {
  const constants = Buffer.from(key.length === 16 ? TAU : SIGMA);
  const bytes = Buffer.concat([constants, key, ...(key.length === 16 ? [key] : []), lastRow]);
  return Uint32Array.from({ length: 16 }, (_, i) => bytes.readUInt32LE(4 * i));
}

/** The counter takes the rest of 16 bytes beside the nonce; a nonce of 24 bytes goes through HChaCha first. */
export function keystream(
  key: Uint8Array,
  nonce: Uint8Array,
  rounds: number,
  counter: bigint,
  length: number,
): Uint8Array {
  if (nonce.length === 24) {
    const mixed = permuted(stateOf(key, nonce.subarray(0, 16)), rounds);
    const subkey = new Uint8Array(Uint32Array.of(...mixed.subarray(0, 4), ...mixed.subarray(12)).buffer);
    return keystream(subkey, nonce.subarray(16), rounds, counter, length);
  }
  const out = new Uint8Array(Math.ceil(length / 64) * 64);
  const lastRow = Buffer.alloc(16);
  lastRow.set(nonce, 16 - nonce.length);
  const view = new DataView(out.buffer);
  for (let at = 0; at < length; at += 64, counter++) {
    if (nonce.length === 12) lastRow.writeUInt32LE(Number(counter));
    else lastRow.writeBigUInt64LE(counter);
    const state = stateOf(key, lastRow);
    permuted(state, rounds).forEach((word, i) => view.setUint32(at + 4 * i, word + state[i], true));
  }
  return out.subarray(0, length);
}
