/** Chunks in parallel: each job has whole chunks, never the last. */
import { ChaChaChunks } from './chacha-chunks.ts';
import { lengthsOf, type Chunking, type IndependentChunks } from './chunking.ts';
import type { JobKind, Work } from '../work/threads.ts';
import { byteLengthOf, Bytes, copyOf, fillBytes, part } from '../engine/intrinsics.ts';

/** The most bytes of plaintext in a job, a multiple of all lengths of chunks. */
export const JOB_BYTES = 1_048_576;

/** The number of the first chunk of a job. */
export interface ChunksJob {
  readonly index: number;
}

/** What workers are told of a stream. */
interface Parameters {
  readonly seals: boolean;
  readonly telling: boolean;
  readonly chunkLength: number;
  readonly tagLength: number;
}

/** The code of workers. An answer is the result of all chunks; undefined if one is not authentic, or is the last. */
export const chunks: JobKind = {
  kind: 'chunks',
  open(parameters, [key, base]) {
    const { seals, telling, ...lengths } = parameters as Parameters;
    const [from, to] = lengthsOf(lengths, seals);
    const cipher = new ChaChaChunks(key, base, telling);
    return {
      run(job, input, output) {
        const { index } = job as ChunksJob;
        const count = byteLengthOf(input!) / from;
        // There is no memory of an answer before if it is that of the input, whose length is another.
        const out = output && byteLengthOf(output) === count * to ? output : new Bytes(count * to);
        for (let i = 0; i < count; i++) {
          const taken = part(input!, i * from, from);
          const made = part(out, i * to, to);
          if (seals) cipher.seal(index + i, false, taken, made);
          else if (!cipher.open(index + i, false, taken, made)) {
            fillBytes(out, 0);
            return undefined;
          }
        }
        return out;
      },
      wipe: () => cipher.wipe(),
    };
  },
};

/** The work of one stream. */
export function workOf(
  { key, base, telling }: IndependentChunks,
  { chunkLength, tagLength }: Chunking,
  seals: boolean,
): Work<ChunksJob, Uint8Array<ArrayBuffer> | undefined> {
  const secrets = [copyOf(key), copyOf(base)];
  const parameters: Parameters = { seals, telling, chunkLength, tagLength };
  const [from, to] = lengthsOf(parameters, seals);
  const here = chunks.open(parameters, secrets);
  return {
    kind: chunks.kind,
    parameters,
    secrets,
    outputLength: (length) => (length / from) * to,
    here: (job, input) => here.run(job, input) as Uint8Array<ArrayBuffer> | undefined,
  };
}
