/** Kernels of ChaCha20-Poly1305: the library's, with the MAC woven into the cipher, and for study in two passes. */
import type { Functions } from '../../../../lanewise/src/chacha/module.ts';
import { STAGE, CONTINUE, PLAIN, STATE } from '../../../../lanewise/src/keystream/map.ts';
import { TAG_BYTES } from '../../client/contestants/contestant.ts';
import type { RoomKernels } from '../../client/room.ts';
import type { KernelForm } from '../../kernels/form.ts';
import { memoryOf } from '../../kernels/instances.ts';
import { ours } from '../chacha/forms.ts';
import { chacha20poly1305 } from './operations.ts';

const BLOCK = 64;

/** Behind the constants, as the library's binding writes it: the key, a counter of 0, the nonce. */
const INPUT = STATE + 16;

/** Both ways wipe or use up the state, so it is written before each call. */
const sealForm = (engine: 'simd' | 'scalar', passes: 1 | 2): KernelForm => ({
  // The same module as ChaCha20's.
  ...ours.find((form) => form.engine === engine)!,
  name: `${engine} kernel${passes === 2 ? ', two passes' : ''}`,
  library: passes === 2 ? 'study' : 'lanewise',
  operation: chacha20poly1305.seal.id,
  multiple: 1,
  place(exports, { key, nonce, data }) {
    const run = exports as unknown as Functions;
    const memory = memoryOf(exports);
    const input = new Uint8Array(48);
    input.set(key);
    input.set(nonce, 36);
    const { length } = data;
    const blocks = Math.ceil(length / BLOCK);
    memory.set(data, STAGE);
    const sealed = (): void => {
      memory.set(input, INPUT);
      run.seal(PLAIN, 0, length);
    };
    const inTwoPasses = (): void => {
      memory.set(input, INPUT);
      run.begin(PLAIN);
      run.xor(CONTINUE, 10, STAGE, blocks);
      run.absorb(STAGE, length);
      run.finish(0, 0, length, 0, STAGE + length);
    };
    return {
      run: passes === 2 ? inTwoPasses : sealed,
      output: () => memory.subarray(STAGE, STAGE + length + TAG_BYTES),
    };
  },
});

export const kernels: RoomKernels = {
  ours: [sealForm('simd', 1), sealForm('scalar', 1)],
  studies: { weaving: [sealForm('simd', 1), sealForm('simd', 2)] },
};
