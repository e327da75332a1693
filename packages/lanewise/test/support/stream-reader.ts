/** Formats with random access, and sources to read them from. */
import {
  agePayload,
  chunked,
  type RandomAccess,
  type RandomAccessSource,
  type Reader,
  type ReaderOptions,
} from '../../src/stream.ts';
import { concat, sample } from './bytes.ts';
import { through } from './stream.ts';

export const key = sample(32, 81);
export const context = sample(9, 83);
export const plaintextOf = (length: number): Uint8Array<ArrayBuffer> => sample(length, 82);

export interface Format {
  readonly name: 'chunked' | 'agePayload';
  readonly chunk: number;
  readonly headerLength: number;
  seal(plaintext: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  reader(source: RandomAccessSource, options?: ReaderOptions, itsKey?: Uint8Array): Promise<Reader>;
}
export const formats: readonly Format[] = [
  {
    name: 'chunked',
    chunk: 16_384,
    headerLength: 56,
    async seal(plaintext) {
      const sealer = await chunked(key, { context }).sealer();
      return concat(sealer.header, through(sealer, [plaintext]));
    },
    reader: (source, options, itsKey = key) => chunked(itsKey, { context }).reader(source, options),
  },
  {
    name: 'agePayload',
    chunk: 65_536,
    headerLength: 0,
    seal: (plaintext) => Promise.resolve(concat(through(agePayload(key).sealer(), [plaintext]))),
    reader: (source, options, itsKey = key) => agePayload(itsKey).reader(source, options),
  },
];

/** A source that records the reads, and may lag behind. */
export class Recorder implements RandomAccess {
  readonly reads: [from: number, to: number][] = [];
  readonly bytes: Uint8Array;
  delay: () => Promise<void> = () => Promise.resolve();
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
  size(): number {
    return this.bytes.length;
  }
  async read(from: number, to: number): Promise<Uint8Array> {
    this.reads.push([from, to]);
    await this.delay();
    return this.bytes.slice(from, to);
  }
}

export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing was refused',
    (error: unknown) => error,
  );
