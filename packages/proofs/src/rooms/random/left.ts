// Where the kernels of ChaCha8Rand leave bytes that depend on the seed.
import { KEY_BYTES, OUTPUT_BYTES, STAGE, STATE } from '../../../../lanewise/src/random/map.ts';
import { from, wiped, type LeftBy } from '../../claims/left.ts';

export const randomLeft: LeftBy = {
  generate: (iterations) => wiped(from(STATE, STAGE + OUTPUT_BYTES * iterations + KEY_BYTES)),
};
