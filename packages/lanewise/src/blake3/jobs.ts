/** BLAKE3 in parallel: each job is a part of the message, and the chaining values make the tree. §2.1 of the paper */
import { hash } from './hash.ts';
import { Blake3 } from './hasher.ts';
import { chainingValueOf } from './message.ts';
import type { Mode } from './mode.ts';
import { Part } from './part.ts';
import { TreeBuilder } from './tree-builder.ts';
import type { JobKind, Work } from '../work/threads.ts';
import { byteLengthOf, copyOf, fillBytes } from '../engine/intrinsics.ts';
import { CHUNK } from './rounds.ts';

/** The bytes of a job, which is a whole subtree unless it is the last. */
export const JOB_BYTES = 1_048_576;

/** A part of a message: where it starts, a multiple of {@link JOB_BYTES}. */
export interface SubtreeJob {
  readonly offset: number;
}

/** The code of workers. An answer is a chaining value. */
export const subtrees: JobKind = {
  kind: 'blake3',
  open(flags, [key]) {
    const mode: Mode = { key, flags: flags as number, length: 32 };
    return {
      run: (job, input) => chainingValueOf(mode, (job as SubtreeJob).offset / CHUNK, input!, byteLengthOf(input)),
      wipe: () => void fillBytes(key, 0),
    };
  },
};

/** A message whose parts are hashed as jobs. */
export class ParallelHash {
  readonly work: Work<SubtreeJob, Uint8Array<ArrayBuffer>>;
  readonly #mode: Mode;
  readonly #tree = new TreeBuilder();

  /** @param mode - Its key is copied. */
  constructor({ key, flags, length }: Mode) {
    const secrets = [copyOf(key)];
    this.#mode = { key: secrets[0], flags, length };
    const here = subtrees.open(flags, secrets);
    this.work = {
      kind: subtrees.kind,
      parameters: flags,
      secrets,
      here: (job, input) => here.run(job, input) as Uint8Array<ArrayBuffer>,
    };
  }

  /** Takes the answer of a job. */
  add(offset: number, length: number, chainingValue: Uint8Array<ArrayBuffer>): void {
    this.#tree.add(new Part(this.#mode, chainingValue, offset, length));
  }

  /** The digest of a message of at least two parts. */
  digest(): Uint8Array<ArrayBuffer> {
    return this.#tree.digest(this.#mode.length);
  }

  /** The output of a message of at least two parts. */
  output(): Blake3 {
    return this.#tree.xof();
  }

  /** The digest of a message that is shorter than two parts. */
  digestOf(message: Uint8Array): Uint8Array<ArrayBuffer> {
    return hash(message, byteLengthOf(message), this.#mode);
  }

  /** The output of a message that is shorter than two parts. */
  outputOf(message: Uint8Array): Blake3 {
    return new Blake3(this.#mode).update(message);
  }
}
