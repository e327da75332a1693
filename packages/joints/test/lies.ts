/** Arrays that are untrue of themselves: of their length, their memory, their class. */
import { isError, outcomeOf, trueBytes, withSameRandomness } from './outcome.ts';
import { plain, type Row } from './row.ts';
import { rows } from './rows.ts';
import { asynchronous } from './rows/lanewise.ts';

type Properties = Readonly<Record<string | symbol, unknown>>;

/** A copy of these bytes, in which a class, or the array itself, answers for its properties. */
export interface Lie {
  readonly name: string;
  readonly lend: (value: Uint8Array) => Uint8Array;
}

const copyOf = (value: Uint8Array): Uint8Array => value.slice();

/** A getter for each property. */
const answers = (properties: Properties): PropertyDescriptorMap =>
  Object.fromEntries(
    Reflect.ownKeys(properties).map((name) => {
      const value = properties[name];
      return [name, { configurable: true, get: () => value }];
    }),
  );

const ownLie = (name: string, properties: (value: Uint8Array) => Properties): Lie => ({
  name: `own ${name}`,
  lend: (value) => Object.defineProperties(copyOf(value), answers(properties(value))),
});
const classLie = (name: string, properties: (value: Uint8Array) => Properties): Lie => ({
  name: `a class's ${name}`,
  lend(value) {
    const copy = copyOf(value);
    const prototype = Object.create(Object.getPrototypeOf(copy) as object, answers(properties(value))) as object;
    return Object.setPrototypeOf(copy, prototype) as Uint8Array;
  },
});
const both = (name: string, properties: (value: Uint8Array) => Properties): Lie[] => [
  ownLie(name, properties),
  classLie(name, properties),
];

/** True the first time, and false from then on: another length is checked than is used. */
const turning = (name: 'length' | 'byteLength', after: number): Lie => ({
  name: `${name} that turns after ${after}`,
  lend(value) {
    let asked = 0;
    return Object.defineProperty(copyOf(value), name, {
      configurable: true,
      get: () => (asked++ < after ? value[name] : 0),
    });
  },
});

const OTHER = (): Uint8Array => new Uint8Array(4096).fill(0x55);

export const turns: readonly Lie[] = [
  ...[0, 1, 2, 3, 4].map((after) => turning('length', after)),
  turning('byteLength', 1),
];

export const lies: readonly Lie[] = [
  ...turns,
  ...both('length of 0', () => ({ length: 0 })),
  ...both('length of 5', () => ({ length: 5 })),
  ...both('length of 32 more', ({ length }) => ({ length: length + 32 })),
  ...both('byteLength of 0', () => ({ byteLength: 0 })),
  ...both('byteLength of 5', () => ({ byteLength: 5 })),
  ...both('length and byteLength of 0', () => ({ length: 0, byteLength: 0 })),
  ...both('byteOffset of 4', () => ({ byteOffset: 4 })),
  ...both('other buffer', () => ({ buffer: OTHER().buffer })),
  ...both('subarray of others', () => ({ subarray: (from = 0, to = 4096) => OTHER().subarray(from, to) })),
  ...both('slice of others', () => ({ slice: (from = 0, to = 4096) => OTHER().slice(from, to) })),
  ...both('constructor', () => ({
    constructor: {
      [Symbol.species]: function Species() {
        return OTHER();
      },
    },
  })),
  ...both('iterator of others', () => ({ [Symbol.iterator]: () => OTHER().values() })),
  ...both('toStringTag', () => ({ [Symbol.toStringTag]: 'Uint32Array' })),
  { name: 'a Proxy', lend: (value) => new Proxy(copyOf(value), {}) },
  {
    name: 'a Proxy that says it is empty',
    lend: (value) =>
      new Proxy(copyOf(value), {
        get: (its, name) => (/ength$/.test(String(name)) ? 0 : (Reflect.get(its, name, its) as unknown)),
      }),
  },
  {
    name: 'an object of its prototype',
    lend: (value) => Object.assign(Object.create(Uint8Array.prototype) as Uint8Array, { length: value.length }),
  },
];

/** The outcome of a call; the argument at `place` is such an array. The bytes that the call has written to outputs belong to it. */
export async function lying(run: Row['run'], place: number, lie: Lie | undefined): Promise<string> {
  let at = 0;
  const written: Uint8Array[] = [];
  const one = <T extends Uint8Array>(value: T): T => (at++ === place && lie ? (lie.lend(value) as T) : value);
  const out = <T extends Uint8Array>(value: T): T => {
    const lent = one(value);
    written.push(lent);
    return lent;
  };
  const outcome = await withSameRandomness(() => outcomeOf(() => run({ ...plain, bytes: one, out })));
  if (isError(outcome)) return outcome;
  const arrays = written.filter((each) => ArrayBuffer.isView(each));
  return [outcome, ...arrays.map((each) => trueBytes(each).toString('hex'))].join(', wrote ');
}

/** How many arguments of a call are bytes, and which of them it may write. */
export async function placesOf(run: Row['run']): Promise<{ places: number; outputs: ReadonlySet<number> }> {
  let places = 0;
  const outputs = new Set<number>();
  const bytes = <T>(value: T): T => (places++, value);
  const out = <T>(value: T): T => (outputs.add(places), bytes(value));
  await outcomeOf(() => run({ ...plain, bytes, out }));
  return { places, outputs };
}

/** The results of a call of ours with such arrays that are neither those of their bytes nor errors. */
export async function believed(run: Row['run']): Promise<readonly string[]> {
  const wrong: string[] = [];
  const { places, outputs } = await placesOf(run);
  for (let place = 0; place < places; place++) {
    const truth = await lying(run, place, undefined);
    for (const lie of lies) {
      const found = await lying(run, place, lie);
      const which = outputs.has(place) ? 'output' : 'argument';
      if (found !== truth && !isError(found)) wrong.push(`${which} ${place}, ${lie.name}: ${found.slice(0, 100)}`);
    }
  }
  return wrong;
}

/**
 * Calls without an original. Those of Node's streams are left out, because Node makes Buffers of pieces before our code has them; and one
 * that tells whether a value is an array of bytes.
 */
export const ours = rows.filter(
  ({ original, title }) => original === undefined && !/^lanewise (stream-node|utils\.isBytes)/.test(title),
);
/** Whether a call ends soon: not those of several jobs, of passwords or of files. */
export const isQuick = (row: Row): boolean =>
  /^lanewise (?!argon2|scrypt|Pool|stream)/.test(row.title) && !asynchronous.includes(row);
