/** The result of a call, as text that tests compare: all bytes of it, of streams too, and the results of objects in use. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { isPlain } from './row.ts';

const ofArrays = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array);
/** The bytes that an array has, not those that it says it has; none if its memory is gone. */
export function trueBytes(value: Uint8Array): Buffer {
  const [buffer, from, length] = ['buffer', 'byteOffset', 'byteLength'].map(
    (name) => ofArrays[name as 'buffer'].get!.call(value) as never,
  );
  return length === 0 ? Buffer.alloc(0) : Buffer.from(buffer, from, length);
}

function digitsOf(value: Uint8Array): string {
  const bytes = trueBytes(value);
  return bytes.length > 64
    ? `${bytes.length} bytes ${createHash('sha256').update(bytes).digest('hex')}`
    : `bytes ${bytes.toString('hex')}`;
}

export const errorText = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : `thrown ${String(error)}`;

const message = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => 7 * i + 1);
/** Calls that show the state of an object, each with its arguments. */
const probes = (): readonly (readonly [name: string, ...values: unknown[]])[] => [
  ['digest'],
  ['xof'],
  ['encrypt', message(48)],
  ['encryptPages', message(512), { pageSize: 512, tweak: 'index64' }],
  ['update', message(48)],
  ['push', message(48)],
  ['end'],
  ['bytes', 40],
  ['read', 0, 5],
];

async function described(value: unknown, depth: number): Promise<unknown> {
  value = await value;
  if (value instanceof Uint8Array) return digitsOf(value);
  if (ArrayBuffer.isView(value)) return `view ${Buffer.from(value.buffer).toString('hex')}`;
  // Nobody writes to it.
  if (typeof value === 'object' && value !== null && 'writable' in value) return 'pair of streams';
  if (value instanceof ReadableStream || value instanceof Readable) {
    const pieces: Uint8Array[] = [];
    for await (const piece of value as AsyncIterable<Uint8Array>) pieces.push(piece.slice());
    return `stream of ${digitsOf(Buffer.concat(pieces))}`;
  }
  if (typeof value === 'function') return `function of ${value.length}`;
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return Promise.all(value.map((each) => described(each, depth)));
  if (isPlain(value) || depth === 0) {
    const found: unknown[] = [];
    for (const [name, each] of Object.entries(value)) found.push([name, await described(each, 0)]);
    return found;
  }
  const found: unknown[] = [(value as object).constructor.name];
  for (const [name, ...values] of probes())
    if (typeof (value as Record<string, unknown>)[name] === 'function')
      found.push([
        name,
        await outcomeOf(() => (value as Record<string, (...all: unknown[]) => unknown>)[name](...values)),
      ]);
  return found;
}

/**
 * A call that has not settled after so many turns of the event loop never does. Turns are counted, and not time: a machine that is
 * busy with other work, or a call that holds the loop for long, makes each turn longer.
 */
const TURNS = 500;
const TURN_MS = 20;

/** The result of a call, or its error, as text. */
export async function outcomeOf(call: () => unknown): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    const turn = (left: number): void => {
      timer = setTimeout(() => (left === 0 ? resolve(NEVER) : turn(left - 1)), TURN_MS);
    };
    turn(TURNS);
  });
  const settled = async (): Promise<string> => {
    try {
      return JSON.stringify(await described(call(), 1));
    } catch (error) {
      return errorText(error);
    }
  };
  const outcome = await Promise.race([settled(), late]);
  clearTimeout(timer);
  return outcome;
}

/** Makes a call with the same random bytes each time, so that its results can be compared. */
export async function withSameRandomness<T>(call: () => Promise<T>): Promise<T> {
  let drawn = 0;
  const spy = vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
    new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).fill(++drawn);
    return bytes;
  });
  try {
    return await call();
  } finally {
    spy.mockRestore();
  }
}

/** The outcome of a call that has not settled. */
export const NEVER = 'never settles';

export const isError = (outcome: string): boolean => /^(\w*Error|thrown)\b/.test(outcome);
