/** Memory of a caller that changes its length while a call is under way. */
import { inTheMidst } from './memories.ts';
import { outcomeOf } from './outcome.ts';
import { plain, type Given, type Row } from './row.ts';

/** A way in which a caller takes memory away, or adds to it, after it was given to a call. */
export interface Change {
  readonly name: string;
  /** A copy of these bytes that can change in this way. */
  readonly lend: (value: Uint8Array) => Uint8Array;
  readonly change: (lent: Uint8Array) => void;
}

const BEHIND = 0xa7;
const GROWTH = 70_000;

/** An array whose length follows that of its buffer. */
const following = (value: Uint8Array, buffer: ArrayBuffer | SharedArrayBuffer): Uint8Array => {
  const view =
    value instanceof Uint8Array ? new Uint8Array(buffer) : (new Uint32Array(buffer) as unknown as Uint8Array);
  view.set(value);
  return view;
};
const resizable = (value: Uint8Array): Uint8Array =>
  following(value, new ArrayBuffer(value.byteLength, { maxByteLength: value.byteLength + GROWTH }));
const bufferOf = (lent: Uint8Array): ArrayBuffer => lent.buffer as ArrayBuffer;

export const changes: readonly Change[] = [
  {
    name: 'transferred',
    lend: (value) => inTheMidst.lend(value).view,
    change: (lent) => void structuredClone(bufferOf(lent), { transfer: [bufferOf(lent)] }),
  },
  { name: 'shrunk to nothing', lend: resizable, change: (lent) => bufferOf(lent).resize(0) },
  { name: 'shrunk by half', lend: resizable, change: (lent) => bufferOf(lent).resize((lent.byteLength >> 3) * 4) },
  {
    name: 'grown',
    lend: resizable,
    change(lent) {
      const before = lent.byteLength;
      bufferOf(lent).resize(before + (GROWTH & -4));
      new Uint8Array(bufferOf(lent), before).fill(BEHIND);
    },
  },
  {
    name: 'shared and grown',
    lend: (value) =>
      following(value, new SharedArrayBuffer(value.byteLength, { maxByteLength: value.byteLength + GROWTH })),
    change(lent) {
      const shared = lent.buffer as unknown as SharedArrayBuffer;
      const before = shared.byteLength;
      shared.grow(before + (GROWTH & -4));
      new Uint8Array(shared, before).fill(BEHIND);
    },
  },
];

/** When a change comes: before the call, as soon as the call has returned, so many turns of the event loop later, or when the call asks the row for something. */
export type Moment =
  { readonly turns: number } | { readonly asked: number } | { readonly option: string } | { readonly before: true };
export function momentName(moment: Moment): string {
  if ('turns' in moment) return `${moment.turns} turns after the call`;
  if ('asked' in moment) return `when it asks, ${moment.asked}`;
  return 'option' in moment ? `when it reads ${moment.option}` : 'before the call';
}

/** Makes a call; the argument at `place` is lent, and changes at a moment. Gives the outcome. */
export async function changing(row: Row, place: number, { lend, change }: Change, moment: Moment): Promise<string> {
  let lent: Uint8Array | undefined;
  let came = false;
  const act = (): void => {
    if (came || !lent) return;
    came = true;
    change(lent);
  };
  let at = 0;
  let asked = 0;
  const one = <T extends Uint8Array>(value: T): T => {
    if (at++ !== place) return value;
    lent = lend(value);
    if ('before' in moment) act();
    return lent as T;
  };
  const given: Given = {
    bytes: one,
    out: one,
    options(value) {
      if (!('option' in moment)) return value;
      const its: Record<string, unknown> = {};
      for (const [name, each] of Object.entries(value))
        Object.defineProperty(its, name, {
          enumerable: true,
          get() {
            if (name === moment.option) act();
            return each as unknown;
          },
        });
      return its as typeof value;
    },
    moment() {
      if ('asked' in moment && asked++ === moment.asked) act();
    },
  };
  let settled = false;
  const result = outcomeOf(() => row.run(given)).finally(() => (settled = true));
  if ('turns' in moment) {
    for (let turn = 0; turn < moment.turns && !settled; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (!settled) act();
  }
  return await result;
}

/** How many bytes a row gives to its calls, how often they ask it for something, and the names of its options. */
export async function shapeOf(row: Row): Promise<{
  places: number;
  /** Which of them are outputs. */
  outputs: ReadonlySet<number>;
  asked: number;
  options: readonly string[];
  outcome: string;
}> {
  let places = 0;
  const outputs = new Set<number>();
  let asked = 0;
  const options = new Set<string>();
  const count = <T>(value: T): T => {
    places++;
    return value;
  };
  const outcome = await outcomeOf(() =>
    row.run({
      ...plain,
      bytes: count,
      out(value) {
        outputs.add(places);
        return count(value);
      },
      options(value) {
        for (const name of Object.keys(value)) options.add(name);
        return value;
      },
      moment() {
        asked++;
      },
    }),
  );
  return { places, outputs, asked, options: [...options], outcome };
}
