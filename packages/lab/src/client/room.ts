/**
 * How a room of the lab describes its primitive. A room is a folder of `rooms/` with these files, which are all found by
 * their names, so that a new primitive adds a folder and edits no other file:
 *
 *     operations.ts   exports `operations`: the functions that are measured, with their contestants and known answers
 *     contests.ts     exports `contests`: a {@link RoomContests}, which says in which contests the operations take part
 *     forms.ts        exports `kernels`: {@link RoomKernels}, the primitive's kernels without the public API around them
 *
 * Only operations.ts or contests.ts is needed: a room without functions of messages has contests of its own.
 */
import type { Pool } from 'lanewise/pool.js';
import type { KernelForm } from '../kernels/form.ts';
import type { Output } from './bytes.ts';
import type { Contestant } from './contestants/contestant.ts';
import type { RoundsContest } from './contest.ts';
import type { Kind, Parameters } from './messages.ts';
import type { Operation } from './operation.ts';
import type { Random } from './random.ts';

/** A row of the table of speeds in docs/speed.md. */
interface Row {
  /** Rivals that the table names; the lab's report has all. */
  readonly rivals: readonly string[];
  /** Whether our functions are given a buffer for their results, or allocate them. */
  readonly result: 'out' | 'allocated';
}

/** A contest of the platforms axis: all contestants, at one length. */
export interface PlatformsEntry {
  readonly operation: Operation;
  readonly length: number;
  readonly kinds: readonly Kind[];
  /** Measured even where the clock is so coarse that it takes a hundred times as long. */
  readonly essential?: boolean;
  /** Libraries that are too slow at this length. */
  readonly without?: readonly string[];
  /** The row of this contest. Its title is that of the contest, and `result` follows from the operation, unless they are given. */
  readonly row?: Pick<Row, 'rivals'> &
    Partial<Row> & {
      readonly title?: string;
      /** Whether the README's picture has it; the README's sentence is about the first. */
      readonly shown?: boolean;
    };
}

/** A curve of the length axis. */
export interface LengthCurve {
  readonly operation: Operation;
  /** Libraries that are measured beside ours: one in plain JavaScript and one that is compiled are enough. */
  readonly rivals?: readonly string[];
  /** Whether the scalar engine is another curve, at a few lengths; true unless given. */
  readonly scalar?: boolean;
}

/** Kernels beside the public API, at some lengths. */
export interface BoundaryEntry {
  readonly operation: Operation;
  readonly lengths: readonly number[];
  /** The length that is measured even where the clock is coarse. */
  readonly essential?: number;
  readonly rank?: number;
}

/** Sealing, opening and refusing a forgery. */
export interface DirectionEntry {
  readonly name: string;
  readonly directions: Readonly<Record<'seal' | 'open' | 'reject', Operation>>;
  readonly length: number;
  readonly kinds: readonly Kind[];
}

/** Keys in turns. Ours are measured with many numbers of keys, and these rivals with two. */
export interface KeysEntry {
  readonly operation: Operation;
  readonly rivals?: readonly string[];
}

/** Kernels kept for study, beside those of the library. */
export interface StudyEntry {
  readonly name: string;
  readonly operation: Operation;
  readonly length: number;
  readonly title: string;
  /** Names of studies in forms.ts of the same room. */
  readonly studies: readonly string[];
  readonly kinds: readonly Kind[];
}

/** One way to handle many messages at once. */
export interface ManyCase {
  readonly id: string;
  readonly operation: Pick<Operation, 'primitive' | 'operation'>;
  readonly bytes: number;
  readonly parameters: Parameters;
  readonly run: () => unknown;
  /** The output that is compared with `expected`. */
  readonly check: () => Output;
  readonly expected: Uint8Array;
}

/** Ways to handle many messages at once, which are compared. */
export interface ManyEntry {
  readonly id: string;
  readonly operation: Operation;
  readonly title: string;
  readonly parameters: Parameters;
  readonly cases: (random: Random) => Promise<readonly ManyCase[]>;
  readonly rank?: number;
}

/** One way to encrypt, decrypt or read a stream. */
export interface Passage {
  readonly contestant: Contestant;
  /** Bytes of plaintext in one operation. */
  readonly bytes: number;
  readonly parameters?: Parameters;
  /** `run` returns a promise. */
  readonly asynchronous?: boolean;
  readonly run: () => unknown;
  /** The output that is compared with `expected`; where it differs every time, its decryption by another implementation. */
  readonly check: () => Output | Promise<Output>;
  readonly expected: Uint8Array;
  /** Releases what it holds. */
  readonly end?: () => void;
}

/** A contestant of a stream, loaded and prepared when it is needed. */
export interface Attempt {
  /** Begins with the library. */
  readonly id: string;
  /** Exists only in Node-like hosts; elsewhere its absence is not reported. */
  readonly nodeOnly?: boolean;
  /** Rejects with the reason if it is not available. */
  readonly begin: () => Promise<Passage>;
}

/** The library of an attempt or of a peer. */
export const libraryOf = (id: string): string => id.split(', ')[0];

/** Streams of some sizes, in one direction. */
export interface StreamsEntry {
  readonly id: string;
  readonly operation: Pick<Operation, 'primitive' | 'operation'>;
  readonly title: (size: string) => string;
  readonly sizes: readonly { readonly bytes: number; readonly kinds: readonly Kind[] }[];
  /** Rows of the shortest size, each with the id of our attempt. */
  readonly rows?: readonly (Row & { readonly title: string; readonly ours: string })[];
  /** The first attempt is the one that tables compare the others with. */
  readonly attempts: (bytes: number, random: Random) => Promise<readonly Attempt[]>;
}

/** One block of output at some position. */
export interface Seek {
  readonly position: number;
  readonly run: () => Uint8Array;
  readonly expected: Uint8Array;
}

/** The time to the first byte at several positions. */
export interface SeekEntry {
  readonly operation: Operation;
  readonly title: string;
  /** Bytes of a block. */
  readonly length: number;
  readonly seeks: (random: Random) => Promise<readonly Seek[]>;
}

/**
 * A part of a message for a worker. Its buffers go to the worker and come back, so that nothing is copied: as buffers, because Deno's
 * `node:worker_threads` takes seconds for a long array.
 */
export interface Part {
  readonly data: ArrayBuffer;
  /** Room for the output; none if that takes the place of the data, or is returned. */
  readonly out: ArrayBuffer;
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  /** Where the part begins in the message: the number of its first byte, chunk or page. */
  readonly first: number;
  /** Whether the part is all of the message. */
  readonly whole: boolean;
}

/**
 * Handles a part in a worker, where `out` is the data if there is no room for an output. Returns how many bytes of `out` it has
 * filled, or a result that messages can carry.
 */
export type PartFunction = (
  part: Omit<Part, 'data' | 'out'> & { readonly data: Uint8Array<ArrayBuffer>; readonly out: Uint8Array<ArrayBuffer> },
) => unknown;

/** The buffers of the part, what the function returned, and the milliseconds of the calls that were timed. */
export interface Answer extends Pick<Part, 'data' | 'out'> {
  readonly found: unknown;
  readonly milliseconds: number;
}

/** How workers share a message of an operation. */
export interface Sharing {
  readonly operation: Operation;
  /** Whether the boundary axis compares a worker with the main thread by it. */
  readonly timed?: boolean;
  /** Runs in the worker, and loads the modules needed there. */
  readonly worker: () => Promise<PartFunction>;
  /** The output, in one piece or several, from the answers in the order of the parts. */
  readonly result: (answers: readonly Answer[]) => Promise<readonly Uint8Array[]>;
}

/** A library that people run in workers of their own, because it has no pool: each worker gets a part of the message. */
export interface Peer {
  /** The id of the case, without the number of workers; it begins with the library. */
  readonly name: string;
  /** Exists only in Node-like hosts; elsewhere its absence is not reported. */
  readonly nodeOnly?: boolean;
  readonly contestant: () => Promise<Contestant>;
  /** Runs in the worker, and loads the library there. */
  readonly worker: () => Promise<PartFunction>;
  /** Another implementation's beginning of a part's output. */
  readonly expected: (part: Part) => Uint8Array | Promise<Uint8Array>;
}

/** A long message that is handled by one thread, by those of a pool, and by peers in workers. */
export interface LongWork {
  readonly bytes: number;
  /**
   * Handles the message on one thread, or on those of a pool.
   *
   * @param take - Gets the output in pieces, which are valid until it returns.
   */
  readonly run: (take: (piece: Uint8Array) => void, pool?: Pool) => unknown;
  /** The same with its input in shared memory, where that makes a difference. */
  readonly shared?: (take: (piece: Uint8Array) => void, pool: Pool) => unknown;
  /** Restores the message, where it is replaced by the output. Called before an output is checked. */
  readonly restore?: () => void;
  /** Another implementation's beginning of the output. */
  readonly beginning: Uint8Array;
  /** A part of the message for a peer; `count` of them are as long as `bytes` together. */
  readonly part: (index: number, count: number, bytes: number) => Omit<Part, 'nonce' | 'whole'>;
}

/** The work of threads on a long message. */
export interface ThreadsEntry {
  /** Stable, because the ids of contests are made of it. */
  readonly id: string;
  readonly operation: Pick<Operation, 'primitive' | 'operation'>;
  readonly begin: (bytes: number, random: Random) => Promise<LongWork>;
  readonly peers: readonly Peer[];
}

/** Calls of the public API whose first and second are timed in a fresh process. */
export interface FirstCalls {
  readonly operation: Operation;
  readonly lengths: readonly number[];
  readonly prepare: (random: Random) => Promise<(message: Uint8Array) => unknown>;
}

/** The first message of a process, by programs that import a library and make one call. */
export interface FirstMessage {
  readonly primitive: string;
  /** The fate of the message: sealed, hashed. */
  readonly done: string;
  /** The function, the modules that export it, and an expression that calls it for a `message`. */
  readonly name: string;
  readonly from: Readonly<Record<'lanewise' | 'noble', string>>;
  readonly call: string;
}

/**
 * A contest of a study, for which `npm run lab -- --only studies/…` or `npm run studies` asks by its id: no other run has
 * it. The id begins with `studies/` and the name of the study.
 */
export type StudyContest = Omit<RoundsContest, 'axis' | 'form' | 'kinds'>;

export interface RoomContests {
  /** Rooms run in rising order within each axis; rooms without a number come last, by name. */
  readonly order?: number;
  /** Imports the library's module, whose evaluation is timed at the start of a session. */
  readonly library?: () => Promise<unknown>;
  /** The operation whose length curve has every length; alignment and context are measured with it too. */
  readonly principal?: LengthCurve;
  /** Operations whose length curves need a few lengths only. */
  readonly sketched?: readonly LengthCurve[];
  readonly platforms?: readonly PlatformsEntry[];
  readonly boundary?: readonly BoundaryEntry[];
  /** The operation whose kernels are measured at every alignment in linear memory. */
  readonly aligned?: Operation;
  readonly direction?: readonly DirectionEntry[];
  readonly keys?: readonly KeysEntry[];
  readonly studies?: readonly StudyEntry[];
  readonly studyContests?: readonly StudyContest[];
  readonly many?: readonly ManyEntry[];
  readonly streams?: readonly StreamsEntry[];
  readonly seeks?: readonly SeekEntry[];
  readonly sharing?: Sharing;
  readonly threads?: readonly ThreadsEntry[];
  readonly firstCalls?: readonly FirstCalls[];
  readonly firstMessage?: FirstMessage;
  /** The operation whose kernels are timed from their first call on. */
  readonly warming?: Operation;
}

export interface RoomKernels {
  /** The kernels of the library. */
  readonly ours: readonly KernelForm[];
  /** Kernels kept for study, by name of the study. */
  readonly studies?: Readonly<Record<string, readonly KernelForm[]>>;
}

export interface Room {
  /** The name of the folder. */
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly contests: RoomContests;
  /** Loads forms.ts, and with it the assembler. */
  readonly kernels: () => Promise<RoomKernels>;
}
