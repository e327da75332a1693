/** scrypt in a worker: a job is a whole derivation, in slices between which the worker takes orders. */
import { inSlices } from './functions.ts';
import type { Parameters } from './parameters.ts';
import type { SliceOptions } from '../work/slices.ts';
import type { JobKind } from '../work/threads.ts';
import { byteLengthOf, fillBytes } from '../engine/intrinsics.ts';

/** The end of the last derivation: each takes much memory, so a worker does one after the other. */
let last: Promise<unknown> | undefined;

/** The code of workers. An answer is a key, or the message of the RangeError for memory that the host does not have. */
export const derivations: JobKind = {
  kind: 'scrypt',
  open(parameters, secrets) {
    const ends = new AbortController();
    const { signal } = ends;
    const [password, salt] = secrets.map((bytes) => ({ bytes, length: byteLengthOf(bytes) }));
    const derive = async (onProgress: SliceOptions['onProgress']): Promise<Uint8Array | string | undefined> => {
      try {
        return await inSlices({ parameters: parameters as Parameters, password, salt, slices: { signal, onProgress } });
      } catch (error) {
        // The answer is not wanted then.
        if (signal.aborted) return undefined;
        if (error instanceof RangeError) return error.message;
        throw error;
      }
    };
    return {
      run(_job, _input, _output, tell) {
        const answer = last ? last.then(() => derive(tell)) : derive(tell);
        last = answer.catch(() => undefined);
        return answer;
      },
      wipe() {
        ends.abort();
        for (const secret of secrets) fillBytes(secret, 0);
      },
    };
  },
};
