/** scrypt (RFC 7914 §5, §6) over linear memory, in short steps: so it can be done at once, or in slices. */
import type { Steps } from '../work/slices.ts';
import type { Instance } from '../engine/instance.ts';
import { floor, max, min, moveBytes } from '../engine/intrinsics.ts';
import { testAgain } from './binding.ts';
import { BLOCK_BYTES, ROWS, STATE, STATE_BYTES } from './map.ts';
import type { Functions } from './module.ts';
import type { Counted, Parameters } from './parameters.ts';
import { Pbkdf2 } from './pbkdf2.ts';

/** The bytes of rows that one step mixes. With WebAssembly that takes 30 to 100 µs. */
const STEP_BYTES = 65536;
/** The blocks of PBKDF2 that one step makes. */
const STEP_BLOCKS = 64;

/**
 * Derives a key into `key`. The first step reads password and salt, and no later one does. Each step yields the part of the
 * work that is done.
 *
 * @param kernel - An instance with a memory of its own, of `parameters.memory` bytes at least.
 */
export function* derive(
  kernel: Instance<Functions>,
  { N, r, p, dkLen }: Parameters,
  password: Counted,
  salt: Counted,
  key: Uint8Array,
): Steps {
  const { run, memory } = kernel;
  const rowBytes = 128 * r;
  const stepRows = max(1, floor(STEP_BYTES / rowBytes));
  /** X, Y and B of RFC 7914. */
  const x = ROWS + N * rowBytes;
  const y = x + rowBytes;
  const b = y + rowBytes;
  const bBytes = p * rowBytes;
  const rows = 2 * N * p;
  let done = 0;

  const pbkdf2 = new Pbkdf2(kernel, password.bytes, password.length);
  // §6 step 1
  pbkdf2.salt(salt.bytes, salt.length);
  for (let block = 0; STATE_BYTES * block < bBytes; block++) {
    pbkdf2.block(block + 1);
    moveBytes(memory, b + STATE_BYTES * block, STATE, STATE + STATE_BYTES);
    if (block % STEP_BLOCKS === STEP_BLOCKS - 1) yield 0;
  }

  // §6 step 2
  for (let lane = b; lane < b + bBytes; lane += rowBytes) {
    // §5 steps 1 and 2: the row after V[N - 1] is X.
    moveBytes(memory, ROWS, lane, lane + rowBytes);
    for (let i = 0; i < N; i += stepRows) {
      const count = min(stepRows, N - i);
      run.fill(ROWS + i * rowBytes, r, count);
      yield (done += count) / rows;
    }
    // §5 step 3. N is even, so X is in its own row at the end.
    let from = x;
    let to = y;
    for (let i = 0; i < N; i += stepRows) {
      const count = min(stepRows, N - i);
      for (let left = count; left > 0; left--) {
        // Integerify: N is a power of two below 2^32, so the first word of the last block tells j.
        const last = from + rowBytes - BLOCK_BYTES;
        const word = memory[last] | (memory[last + 1] << 8) | (memory[last + 2] << 16) | (memory[last + 3] << 24);
        run.mix(from, ROWS + (word & (N - 1)) * rowBytes, to, r);
        const mixed = to;
        to = from;
        from = mixed;
      }
      yield (done += count) / rows;
    }
    moveBytes(memory, lane, x, x + rowBytes);
  }

  // §6 step 3. B is a salt of whole blocks.
  pbkdf2.beginSalt();
  for (let at = 0; at < bBytes; at += STEP_BYTES) {
    run.compress(b + at, min(STEP_BYTES, bBytes - at) / BLOCK_BYTES);
    yield 1;
  }
  pbkdf2.endSalt(bBytes);
  // A wrong key might be noticed years later, so the kernel, which is hot by now, is tested once more.
  testAgain();
  for (let block = 0; STATE_BYTES * block < dkLen; block++) {
    pbkdf2.block(block + 1);
    kernel.read(STATE, min(STATE_BYTES, dkLen - STATE_BYTES * block), key, STATE_BYTES * block);
    if (block % STEP_BLOCKS === STEP_BLOCKS - 1) yield 1;
  }
}
