/** A public call, as the tables of this folder have it. */
import { giving } from '../../lanewise/test/support/call.ts';

/** Hands a row its arguments: a table replaces them, or watches them. */
export interface Given {
  /** Bytes that a call reads, and never writes. */
  bytes<T extends Uint8Array>(value: T): T;
  /** Bytes that a call may write. */
  out<T extends Uint8Array>(value: T): T;
  /** Options. */
  options<T extends object>(value: T): T;
  /** Called by the row's own functions when the call calls them: a source that is asked for more, a callback. */
  moment(): void;
}

export interface Row {
  readonly title: string;
  /** The calls of the inventory that get their arguments from `given`. */
  readonly covers: readonly string[];
  /** Makes its objects and the call. Gives a result, or a promise of it, which is the same each time. */
  readonly run: (given: Given) => unknown;
  /** The same of the original, where the package has to do the same, whatever that is. */
  readonly original?: (given: Given) => unknown;
}

/** Hands out the arguments as they are. */
export const plain: Given = {
  bytes: (value) => value,
  out: (value) => value,
  options: (value) => value,
  moment: () => undefined,
};

/** Whether a value is an object of options. */
export const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** The places of arguments that a call of the library may write, by its name. */
const OUTPUTS: readonly (readonly [RegExp, number])[] = [
  [/\.(update|push|encrypt|decrypt|encryptDetached|seal|open)$/, 1],
  [/(PageCipher|AuthenticatedPages)\.(encrypt|decrypt)$/, 2],
  // Pages are encrypted where they are.
  [/PageCipher\.(en|de)cryptPages$/, 0],
  [/Pool\.(en|de)cryptPages$/, 1],
  [/AuthenticatedPages\.(en|de)cryptPages$/, 0],
  [/\.decryptDetached$/, 2],
  [/(\.end|\.digestInto|\.xofInto|ChaCha8Rand\.(bytes|shuffle)|encryptedFile\(\)\.read|utils\.clean)$/, 0],
  [/^(chacha|salsa)\.x?(chacha|salsa)(8|12|20)(orig)?$/, 3],
  [/\.h(chacha|salsa)$/, 3],
];
/** Calls of public modules, of pools and of pages that have the names of these and take no output there. */
const NO_OUTPUT = /^(stream|pool|nacl)\.|^Pool\.(en|de)crypt$|(PageCipher|AuthenticatedPages)\.(en|de)crypt$/;
const outputOf = (name: string): number | undefined =>
  OUTPUTS.find(([pattern, place]) => pattern.test(name) && !(place === 1 && NO_OUTPUT.test(name)))?.[1];

/** A row of the library's own table of calls (`lanewise/test/support/calls.ts`). */
export function rowOf(name: string, call: () => unknown): Row {
  const output = outputOf(name);
  return {
    title: `lanewise ${name}`,
    covers: [`lanewise ${name}`],
    run: (given) =>
      giving((value, place) => {
        if (value instanceof Uint8Array) return place === output ? given.out(value) : given.bytes(value);
        if (Array.isArray(value))
          return value.map((each: unknown) => (each instanceof Uint8Array ? given.bytes(each) : each));
        return isPlain(value) ? given.options(value) : value;
      }, call),
  };
}
