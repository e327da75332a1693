/**
 * A hostile page: while a piece of work runs, all that the language offers is replaced: its globals, its constructors'
 * functions, and the methods and getters of its prototypes. The replacements note that they were reached.
 */

/** The behaviour of a replaced function once it has noted its name. */
export type Manner = 'throws' | 'goes on';

const names = [
  'Object',
  'Function',
  'Array',
  'Number',
  'BigInt',
  'String',
  'Boolean',
  'Symbol',
  'Math',
  'Reflect',
  'JSON',
  'RegExp',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'FinalizationRegistry',
  'Promise',
  'Proxy',
  'Date',
  'Iterator',
  'ArrayBuffer',
  'SharedArrayBuffer',
  'DataView',
  'Atomics',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'BigUint64Array',
  'BigInt64Array',
  'Float32Array',
  'Float64Array',
  'WebAssembly',
  'parseInt',
  'parseFloat',
  'isNaN',
  'isFinite',
  'escape',
  'unescape',
  'TextEncoder',
].filter((name) => Object.hasOwn(globalThis, name)); // In workerd the global object inherits TextEncoder.

const globals = globalThis as unknown as Record<string, object>;
const webAssembly = globals['WebAssembly'] as unknown as Record<string, { prototype: object }>;

/** Objects that have no name of their own. */
const nameless: Readonly<Record<string, object>> = {
  '%TypedArray%': Object.getPrototypeOf(Uint8Array) as object,
  '%ArrayIterator%.prototype': Object.getPrototypeOf([][Symbol.iterator]()) as object,
  '%MapIterator%.prototype': Object.getPrototypeOf(new Map().entries()) as object,
  '%SetIterator%.prototype': Object.getPrototypeOf(new Set().values()) as object,
  '%StringIterator%.prototype': Object.getPrototypeOf(''[Symbol.iterator]()) as object,
  '%Generator%.prototype': Object.getPrototypeOf((function* () {})()) as object,
  '%Iterator%.prototype': Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object,
  'WebAssembly.Module': webAssembly['Module'],
  'WebAssembly.Instance': webAssembly['Instance'],
  'WebAssembly.Memory': webAssembly['Memory'],
};

interface Replacement {
  readonly object: object;
  readonly key: PropertyKey;
  readonly original: PropertyDescriptor;
  readonly hostile: PropertyDescriptor;
}

// Functions that this file itself uses while everything is replaced.
const { defineProperty } = Object;
const { apply, construct, get } = Reflect;
const isView = ArrayBuffer.isView.bind(ArrayBuffer);
const text = String;

/** The list is filled by index, which needs no method of Array.prototype. */
const reached: string[] = [];
let manner: Manner = 'throws';
let seen = 0;

function note(name: string): void {
  reached[reached.length] = name;
  if (manner === 'throws') throw new Error(`${name} was reached`);
}

/** Counts arguments that could hold a secret: bytes, in whatever form. */
function look(self: unknown, values: readonly unknown[]): void {
  if (isBytes(self)) seen++;
  for (let i = 0; i < values.length; i++) if (isBytes(values[i])) seen++;
}
const isBytes = (value: unknown): boolean =>
  isView(value) || value instanceof originals.ArrayBuffer || value instanceof originals.SharedArrayBuffer;
const originals = { ArrayBuffer, SharedArrayBuffer };

const replaced = (name: string, original: unknown): unknown =>
  function (this: unknown, ...values: unknown[]): unknown {
    look(this, values);
    note(name);
    return new.target
      ? (construct(original as () => object, values, new.target as never) as unknown)
      : (apply(original as () => unknown, this, values) as unknown);
  };

function* membersOf(name: string, object: object): Generator<Replacement> {
  for (const key of Reflect.ownKeys(object)) {
    const original = Object.getOwnPropertyDescriptor(object, key)!;
    const path = `${name}[${String(key)}]`;
    if (!original.configurable) continue;
    const { get: getter } = original as { get?: unknown };
    if (getter)
      yield {
        object,
        key,
        original,
        hostile: { ...original, get: replaced(`get ${path}`, getter) as () => unknown },
      };
    else if (key === 'constructor') {
      // Code that looks up the species of an array reads this, without calling it.
      const { value } = original as { value: unknown };
      const get = function (this: unknown): unknown {
        note(path);
        return value;
      };
      yield { object, key, original, hostile: { configurable: true, get } };
    } else if (typeof original.value === 'function')
      yield { object, key, original, hostile: { ...original, value: replaced(path, original.value) } };
  }
}

function globalOf(name: string): Replacement {
  const original = Object.getOwnPropertyDescriptor(globalThis, name)!;
  const value = new Proxy(globals[name], {
    get(target, key, receiver) {
      note(`${name}.${text(key)}`);
      return get(target, key, receiver) as unknown;
    },
    apply(target, self, values: unknown[]) {
      look(self, values);
      note(`${name}()`);
      return apply(target as () => unknown, self, values) as unknown;
    },
    construct(target, values: unknown[], newTarget) {
      look(undefined, values);
      note(`new ${name}`);
      return construct(target as never, values, newTarget) as object;
    },
  });
  return { object: globalThis, key: name, original, hostile: { configurable: true, writable: true, value } };
}

const prototypes = names
  .map((name) => ({ name: `${name}.prototype`, object: (globals[name] as { prototype?: object }).prototype }))
  .filter((entry): entry is { name: string; object: object } => typeof entry.object === 'object');
const functionPrototype = { name: 'Function.prototype', object: Function.prototype };

const replacements: readonly Replacement[] = [
  ...[...prototypes, functionPrototype].flatMap(({ name, object }) => [...membersOf(name, object)]),
  ...names.flatMap((name) => [...membersOf(name, globals[name])]),
  ...Object.entries(nameless).flatMap(([name, object]) => [
    ...membersOf(name, object),
    ...('prototype' in object ? membersOf(`${name}.prototype`, object.prototype as object) : []),
  ]),
  ...names.map(globalOf),
];

/** The number of replaced functions and globals. */
export const replacedCount = replacements.length;

export interface Attacked<T> {
  readonly result: T | undefined;
  readonly error: unknown;
  /** The replaced functions that were reached, in order. */
  readonly reached: readonly string[];
  /** The number of arrays and buffers of bytes that replaced functions received. */
  readonly seen: number;
}

/** Does some work, synchronously, while everything is replaced. */
export function underAttack<T>(work: () => T, how: Manner = 'throws'): Attacked<T> {
  manner = how;
  reached.length = 0;
  seen = 0;
  let result: T | undefined;
  let error: unknown;
  for (let i = 0; i < replacements.length; i++) {
    const { object, key, hostile } = replacements[i];
    defineProperty(object, key, hostile);
  }
  try {
    result = work();
  } catch (thrown) {
    error = thrown;
  }
  for (let i = replacements.length - 1; i >= 0; i--) {
    const { object, key, original } = replacements[i];
    defineProperty(object, key, original);
  }
  return { result, error, reached: [...reached], seen };
}
