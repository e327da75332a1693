/** A call of the library with its right arguments, as the tables of calls have it: `calls.ts`. */
import { xchacha20poly1305, type StreamCipher } from '../../src/chacha.ts';
import { managedNonce, randomBytes } from '../../src/utils.ts';
import { sample } from './bytes.ts';

export interface Call {
  /** Calls with right arguments, all of them, and others after them. */
  call(...extra: readonly unknown[]): unknown;
  /** The greatest number of arguments. */
  readonly most: number;
  /** Whether one of the arguments is options. */
  readonly takesOptions: boolean;
  /** The reason why surplus arguments are not refused. */
  readonly passed?: string;
}

type Method = (...values: readonly unknown[]) => unknown;

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
/** A right argument that is made when the call is: by random bytes, which not every host gives while modules are loaded. */
export class Later {
  readonly make: () => unknown;
  constructor(make: () => unknown) {
    this.make = make;
  }
}
/** Replaces an argument, whose place in the list of arguments it is told. */
export type Given = (value: unknown, place: number) => unknown;
let handed: Given = (value) => value;
/** Does some work, in which the arguments of all calls of the table pass through `given`. */
export function giving<T>(given: Given, work: () => T): T {
  const before = handed;
  handed = given;
  try {
    return work();
  } finally {
    handed = before;
  }
}
/** Calls may write to their arguments. */
const fresh = (values: readonly unknown[]): unknown[] =>
  values.map((value, place) => {
    const its = value instanceof Uint8Array ? value.slice() : value instanceof Later ? value.make() : value;
    return handed(its, place);
  });
export const fn = (it: unknown, ...values: readonly unknown[]): Call => ({
  call: (...extra) => (it as Method)(...fresh(values), ...extra),
  most: values.length,
  takesOptions: values.some(isPlain),
});
/** A method, each time of a new object. */
export const of = (make: () => object, name: string, ...values: readonly unknown[]): Call => ({
  call: (...extra) => (make() as Record<string, Method>)[name](...fresh(values), ...extra),
  most: values.length,
  takesOptions: values.some(isPlain),
});
export const methods = (type: string, make: () => object, all: Readonly<Record<string, readonly unknown[]>>) =>
  Object.fromEntries(Object.entries(all).map(([name, values]) => [`${type}.${name}`, of(make, name, ...values)]));

export const key = sample(32, 1);
export const message = sample(2048, 2);
export const text = message.subarray(0, 48);
export const nonces = { 8: sample(8, 3), 12: sample(12, 4), 16: sample(16, 5), 24: sample(24, 6) } as const;
export const bytes = (length: number): Uint8Array => new Uint8Array(length);
export const words = (length: number): Uint32Array => new Uint32Array(length);

export const withoutNonce = managedNonce(xchacha20poly1305);
/** `managedNonce` and `randomBytes`, which several modules export. */
export const toolsOf = (door: string): Readonly<Record<string, Call>> => ({
  [`${door}.managedNonce`]: fn(managedNonce, xchacha20poly1305, randomBytes),
  // The cipher itself refuses surplus arguments, and it has a nonce besides.
  [`${door}.managedNonce()`]: { ...fn(withoutNonce, key, text), most: 3 },
  [`${door}.randomBytes`]: fn(randomBytes, 3),
});
/** The raw ciphers of a module. */
export const streamsOf = (door: string, module: object): Readonly<Record<string, Call>> =>
  Object.fromEntries(
    Object.entries(module)
      .filter(([, value]) => typeof value === 'function' && 'stream' in value)
      .flatMap(([name, value]) => {
        const cipher = value as StreamCipher;
        const nonce = nonces[cipher.nonceLength as 8 | 12 | 24];
        return [
          [`${door}.${name}`, fn(cipher, key, nonce, text, bytes(48), 0)],
          [`${door}.${name}.stream`, of(() => cipher, 'stream', key, nonce, 0)],
        ];
      }),
  );
