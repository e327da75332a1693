/** A stateful object, as the table of them has it (`machines.ts`), and the parts that its rows share. */

export type Any = (...values: unknown[]) => unknown;
export type Methods = Readonly<Record<string, Any>>;

export interface Machine {
  readonly title: string;
  readonly covers: readonly string[];
  readonly make: () => unknown;
  /** The call in which something is thrown. */
  readonly work: (machine: never, options: <T extends object>(value: T) => T) => unknown;
  /** Calls that show the state. Some calls can be made once only: then the machine has no result without them. */
  readonly rest: (machine: never) => unknown;
  /** A call that gives a result, and ends the machine. */
  readonly ends?: true;
}

export const bytes = (length: number, first = 1): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (first + 7 * i) % 256);
export const key = bytes(32);
export const nonce = bytes(24, 3);
export const first = bytes(50, 5);
/** More than a chunk of age, and not whole blocks. */
export const second = bytes(70_001, 9);
export const joined = (...parts: unknown[]): Uint8Array => new Uint8Array(Buffer.concat(parts as Uint8Array[]));
