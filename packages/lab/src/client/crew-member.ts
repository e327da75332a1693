/** What a worker of a crew does, and how it is told. */

import type { Subtree } from 'lanewise/blake3.js';

/** How a worker knows what it is. */
export const CREW = 'lanewise-lab-crew';
/** The same in browsers and in Node. */
export interface WorkerHandle {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
  onError(listener: (reason: string) => void): void;
  end(): void;
}
/** Its other end. */
export interface CrewPort {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** ChaCha20 in place, from a block on. */
interface EncryptJob {
  readonly kind: 'encrypt';
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly counter: number;
  readonly data: ArrayBuffer;
}
/** BLAKE3 of a part of a message that begins there, or without `offset` of all of it. */
interface HashJob {
  readonly kind: 'hash';
  readonly offset: number | undefined;
  readonly data: ArrayBuffer;
}
/** ChaCha20 of the same data, timed by the worker's own clock. */
interface TimeJob {
  readonly kind: 'time';
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly data: Uint8Array;
  readonly count: number;
}
export type PartJob = EncryptJob | HashJob;
export type Job = PartJob | TimeJob | { readonly kind: 'hello' };
/** What a worker answers: its data back and what it found, or milliseconds. */
export interface Answer {
  readonly data?: ArrayBuffer;
  readonly part?: Subtree;
  readonly digest?: Uint8Array;
  readonly milliseconds?: number;
  readonly error?: string;
}

/** What a worker does, for as long as it is let. */
export async function serveCrew(port: CrewPort): Promise<void> {
  const [{ chacha20 }, { blake3, subtree }] = await Promise.all([
    import('lanewise/chacha.js'),
    import('lanewise/blake3.js'),
  ]);
  let out = new Uint8Array();

  const answerTo = (job: Job): Answer => {
    if (job.kind === 'hello') return {};
    if (job.kind === 'hash') {
      const { data, offset } = job;
      const bytes = new Uint8Array(data);
      return offset === undefined ? { data, digest: blake3(bytes) } : { data, part: subtree(bytes, { offset }) };
    }
    const { key, nonce } = job;
    if (job.kind === 'encrypt') {
      const data = new Uint8Array(job.data);
      chacha20(key, nonce, data, data, job.counter);
      return { data: job.data };
    }
    if (out.length !== job.data.length) out = new Uint8Array(job.data.length);
    // What the message itself left in the caches is not a part of this.
    chacha20(key, nonce, job.data, out);
    const start = performance.now();
    for (let i = 0; i < job.count; i++) chacha20(key, nonce, job.data, out);
    return { milliseconds: performance.now() - start };
  };

  port.onMessage((message) => {
    let answer: Answer;
    try {
      answer = answerTo(message as Job);
    } catch (error) {
      answer = { error: String(error) };
    }
    port.post(answer, answer.data ? [answer.data] : []);
  });
  port.post({}, []);
}
