// The public calls of a room whose use of memory is recorded: their types, the bytes that may stay in memory after them, and
// messages and keys for them. Each room lists every path through its public modules, the lengths at which they take another
// one, and every failure that comes after something was written to memory.
import type { Instance, KernelSource } from '../../../lanewise/src/engine/instance.ts';
import { drawn } from './drawn.ts';

/**
 * The library's public modules, by their names, as far as recorded calls need them. Each room adds its own:
 * `declare module '../../claims/recorded.ts' { interface Library { … } }`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Library {}

/** The bytes that may stay in memory. */
export type Remains =
  /** No byte that depends on a byte from the caller. */
  | 'nothing'
  /** The call is an encryption: bytes that it has returned, which are ciphertext and tag. */
  | 'given out'
  /**
   * The call is a decryption: bytes of the ciphertext and of the tag, as received. All bytes written from STAGE on are
   * of this kind.
   */
  | 'ciphertext';

export interface Scenario {
  readonly group: string;
  readonly name: string;
  readonly remains: Remains;
  /** A call that is made first and not recorded: another party's encryption. */
  readonly before?: (library: Library) => Uint8Array;
  readonly call: (library: Library, before: Uint8Array) => unknown;
  /** The message of the error that the call throws, if it throws one. */
  readonly throws?: RegExp;
}

/** How the library makes a kernel and holds its instance. */
export interface Binding {
  readonly kernel: KernelSource<object>;
  readonly instance: () => Instance<object>;
}
/** The recorded calls of a room. */
export interface Recorded {
  /**
   * The groups of recorded calls, by the module that they use: the room's own, or that of another room. Each is a claim about
   * each of the module's kernels.
   */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** The public modules of the library that the calls need, by their names. */
  readonly doors: readonly (keyof Library)[];
  /**
   * Loads the library and returns every instance of the room's modules by name; the first word of the name is the
   * module's.
   */
  bindings?(): Promise<Readonly<Record<string, Binding>>>;
  scenarios(): Scenario[];
}

/** A binding of an instance, whose functions are recorded whatever their types are. */
export const bound = <F extends object>(kernel: KernelSource<F>, instance: () => Instance<F>): Binding => ({
  kernel,
  instance,
});

/** A length for which the library takes the instance for long messages. */
export const LONG_MESSAGE = 1e6;

const MOST = 300_000;
const pattern = new Uint8Array(MOST);
for (let i = 0; i < MOST; i++) pattern[i] = (Math.imul(i, 0x9e3779b1) >>> 24) | 1;
/** Bytes that are never zero. Fresh memory is zero, so a byte written without `set` or `fill` shows as a difference. */
export const bytes = (length: number, seed: number): Uint8Array<ArrayBuffer> => pattern.slice(seed, seed + length);

export const key = bytes(32, 1000);
export const message = (length: number): Uint8Array<ArrayBuffer> => bytes(length, 5000);
/** Drawn lengths, because a fault may be at any length. */
export const ANY = drawn(4, 1, 6000);
