/**
 * An operation as every axis sees it: a function of a key, a nonce, data and an output buffer, some of which it may ignore.
 * Each room in `rooms/` exports those of its primitive.
 */
import { joined } from './bytes.ts';
import type { Contestant, Output } from './contestants/contestant.ts';
import type { NativeContestant, NativeInput, Timer } from './package-types.ts';

export type Run = (data: Uint8Array, out: Uint8Array) => Output | Promise<Output>;
/** Makes ready with a key and a nonce, which is not timed unless an axis is about it. */
export type Start = (key: Uint8Array, nonce: Uint8Array) => Run | Promise<Run>;
export type SynchronousStart = (key: Uint8Array, nonce: Uint8Array) => (data: Uint8Array, out: Uint8Array) => Output;

/** A contestant that can do it. */
export type Performer = {
  readonly contestant: Contestant;
  /** Whether it can do so many bytes; any, unless said. */
  readonly takes?: (bytes: number) => boolean;
} & (
  | { readonly kind: 'synchronous'; readonly start: SynchronousStart }
  | { readonly kind: 'asynchronous'; readonly start: Start }
  /** In another process, which has the clock. */
  | { readonly kind: 'native'; readonly start: (input: NativeInput) => Timer }
);

/** Those of one library, loaded when they are needed. */
export interface Entrant {
  readonly library: string;
  /** Elsewhere nobody expects it. */
  readonly nodeOnly?: boolean;
  readonly load: () => Promise<readonly Performer[]>;
}

/** All that one operation needs, and what it has to give. */
export interface Work {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly data: Uint8Array;
  readonly expected: Uint8Array;
  /** Bytes of the buffer that it is given for its output. */
  readonly room: number;
}

export interface Operation {
  /** Stable: the ids of contests are made of it. */
  readonly id: string;
  /** As in `ChaCha20-Poly1305` and `seal`. */
  readonly primitive: string;
  readonly operation: string;
  readonly keyBytes: number;
  readonly nonceBytes: number;
  /** From a message to what goes in, and what has to come out: by the reference. */
  readonly work: (message: Uint8Array, key: Uint8Array, nonce: Uint8Array) => Promise<Work>;
  readonly entrants: readonly Entrant[];
  /** From a specification: every contestant has to get this right before it is measured. */
  readonly knownAnswer: Work;
  /** Operations outside the library that people choose instead; the platforms axis measures them beside this one. */
  readonly beside?: readonly Operation[];
}

/** The usual work: the message goes in, what the reference makes of it comes out. */
export const workBy =
  (reference: () => Promise<SynchronousStart>, room: (bytes: number) => number = (bytes) => bytes): Operation['work'] =>
  async (data, key, nonce) => {
    const start = await reference();
    const expected = joined(start(key, nonce)(data, new Uint8Array(room(data.length))));
    return { key, nonce, data, expected, room: expected.length };
  };

export const synchronous = (contestant: Contestant, start: SynchronousStart): Performer => ({
  kind: 'synchronous',
  contestant,
  start,
});

export const asynchronous = (contestant: Contestant, start: Start): Performer => ({
  kind: 'asynchronous',
  contestant,
  start,
});

export const native = (contestant: NativeContestant): Performer => ({
  kind: 'native',
  contestant,
  start: (input) => contestant.start(input),
});
