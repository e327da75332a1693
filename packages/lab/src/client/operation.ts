/**
 * An operation as every axis sees it: a function of a key, a nonce, data and an output buffer; it may ignore some of them.
 * Each room in `rooms/` exports those of its primitive.
 */
import { joined } from './bytes.ts';
import type { Contestant, Output } from './contestants/contestant.ts';
import type { NativeContestant, NativeInput, Timer } from './package-types.ts';

export type Run = (data: Uint8Array, out: Uint8Array) => Output | Promise<Output>;
/** Prepares key and nonce, which is not timed unless an axis is about it. */
export type Start = (key: Uint8Array, nonce: Uint8Array) => Run | Promise<Run>;
export type SynchronousStart = (key: Uint8Array, nonce: Uint8Array) => (data: Uint8Array, out: Uint8Array) => Output;

/** A contestant with its implementation of one operation. */
export type Performer = {
  readonly contestant: Contestant;
  /** Whether the performer can handle this many bytes; any number, unless given. */
  readonly takes?: (bytes: number) => boolean;
} & (
  | { readonly kind: 'synchronous'; readonly start: SynchronousStart }
  | { readonly kind: 'asynchronous'; readonly start: Start }
  /** Runs in another process, which reads the clock itself. */
  | { readonly kind: 'native'; readonly start: (input: NativeInput) => Timer }
);

/** The performers of one library, loaded when they are needed. */
export interface Entrant {
  readonly library: string;
  /** Exists only in Node-like hosts; elsewhere its absence is not reported. */
  readonly nodeOnly?: boolean;
  readonly load: () => Promise<readonly Performer[]>;
}

/** The inputs of one operation, and its expected output. */
export interface Work {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly data: Uint8Array;
  readonly expected: Uint8Array;
  /** Bytes of the output buffer that it is given; those of the expected output unless given. */
  readonly room?: number;
}

export interface Operation {
  /** Stable, because the ids of contests are made of it. */
  readonly id: string;
  /** For example `ChaCha20-Poly1305` and `seal`. */
  readonly primitive: string;
  readonly operation: string;
  /** Computes inputs and the expected output for a message, by the reference. */
  readonly work: (message: Uint8Array, key: Uint8Array, nonce: Uint8Array) => Promise<Work>;
  readonly entrants: readonly Entrant[];
  /** From a specification: every contestant has to get this right before it is measured. All keys and nonces are as long as its own. */
  readonly knownAnswer: Work;
  /** The contestants are given no output buffer. */
  readonly allocates?: boolean;
  /** Operations outside the library that people choose instead; the platforms axis measures them beside this one. */
  readonly beside?: readonly Operation[];
}

/** The usual work: the message is the input, and the reference computes the expected output. */
export const workBy =
  (reference: () => Promise<SynchronousStart>): Operation['work'] =>
  async (data, key, nonce) => {
    const start = await reference();
    return { key, nonce, data, expected: joined(start(key, nonce)(data, new Uint8Array(data.length))) };
  };

/**
 * The output buffer that contestants get. Without one they allocate, also those whose type demands a buffer: `allocated`
 * admits only libraries that can.
 */
export const outFor = (
  { allocates = false }: Pick<Operation, 'allocates'>,
  { expected, room = expected.length }: Work,
): Uint8Array => (allocates ? (undefined as unknown as Uint8Array) : new Uint8Array(room));

/** The same operation by these libraries without output buffers, because some applications have none to give. */
export const allocated = (operation: Operation, libraries: readonly string[]): Operation => {
  const { id, operation: name, entrants } = operation;
  return {
    ...operation,
    id: `${id}-allocated`,
    operation: `${name}, allocated`,
    // Copies, so that these performers have to give the known answer as well.
    entrants: entrants.filter(({ library }) => libraries.includes(library)).map((entrant) => ({ ...entrant })),
    allocates: true,
    beside: [],
  };
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
