/** Argon2 in hash-wasm's shape. A call that ours do not answer goes to the original, which refuses it with its own words. */
import * as theirs from 'hash-wasm';
import * as ours from 'lanewise/argon2.js';
import { bytesToHex, equalBytes } from 'lanewise/utils.js';
import { isMessage, partOf, sizeOf } from '../../drop-ins/src/message.ts';
import { decode, encode } from '../../lanewise/src/argon2/encoded.ts';
import { ARGON2D, ARGON2I, ARGON2ID, parametersOf, type Kind } from '../../lanewise/src/argon2/parameters.ts';

type Costs = Readonly<Record<'t' | 'm' | 'p' | 'dkLen', number>>;
type Options = Readonly<Record<string, unknown>>;

const FUNCTIONS = { [ARGON2D]: ours.argon2d, [ARGON2I]: ours.argon2i, [ARGON2ID]: ours.argon2id };
const MOST_PASSES = 2 ** 31 - 1;
const MOST_LANES = 2 ** 24 - 1;
/** In KiB. Calls with more go to the original, which refuses them if it finds no memory. */
const MOST_MEMORY = 2 ** 21;
const MOST_BYTES = 2 ** 20;
const LEAST_SALT = 8;

const isInteger = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;

const areOurs = ({ t, m, p, dkLen }: Readonly<Record<keyof Costs, unknown>>): boolean =>
  isInteger(t, 1, MOST_PASSES) &&
  isInteger(p, 1, MOST_LANES) &&
  isInteger(m, 8 * p, MOST_MEMORY) &&
  isInteger(dkLen, 4, MOST_BYTES);

/** Calls with bytes: those of a text are wiped. Undefined if an argument is neither; the original takes arrays of larger elements, too. */
function withBytes<Result>(values: readonly unknown[], work: (...bytes: Uint8Array[]) => Result): Result | undefined {
  const made: Uint8Array[] = [];
  try {
    const bytes = values.map((value) => {
      if (typeof value !== 'string') return isMessage(value) ? value : undefined;
      const encoded = new TextEncoder().encode(value);
      made.push(encoded);
      return encoded;
    });
    return bytes.includes(undefined) ? undefined : work(...(bytes as Uint8Array[]));
  } finally {
    for (const each of made) each.fill(0);
  }
}

/** Reads all bytes before it returns. */
const derive = (kind: Kind, [password, salt, secret]: readonly Uint8Array[], costs: Costs): Promise<Uint8Array> =>
  FUNCTIONS[kind](password, salt, { ...costs, secret, maxmem: 2 ** 32 });

function hashed(kind: Kind, options: Options): Promise<string | Uint8Array> | undefined {
  const { password, salt, secret, outputType = 'hex' } = options;
  const costs = { t: options.iterations, m: options.memorySize, p: options.parallelism, dkLen: options.hashLength };
  if (!areOurs(costs) || !['hex', 'binary', 'encoded'].includes(outputType as string)) return undefined;
  return withBytes([password, salt, secret ?? ''], (...bytes) => {
    if (sizeOf(bytes[0]) < 1 || sizeOf(bytes[1]) < LEAST_SALT) return undefined;
    const itsSalt = partOf(bytes[1], 0).slice();
    return derive(kind, bytes, costs as Costs).then((hash) => {
      if (outputType === 'binary') return hash;
      const parameters = parametersOf(kind, { ...(costs as Costs), maxmem: 2 ** 32 });
      const text = outputType === 'hex' ? bytesToHex(hash) : encode(parameters, itsSalt, hash);
      hash.fill(0);
      return text;
    });
  });
}

function verified({ password, secret, hash: text }: Options): Promise<boolean> | undefined {
  const its = typeof text === 'string' ? decode(text) : undefined;
  if (its?.version !== 0x13) return undefined;
  const costs = { t: its.t, m: its.m, p: its.p, dkLen: its.hash.length };
  if (!areOurs(costs)) return undefined;
  return withBytes([password, its.salt, secret ?? ''], (...bytes) =>
    sizeOf(bytes[0]) < 1
      ? undefined
      : derive(its.kind, bytes, costs).then((found) => {
          const isRight = equalBytes(found, its.hash);
          found.fill(0);
          return isRight;
        }),
  );
}

/** Options that aren't an object are the original's to refuse, and so are all that ours do not answer. */
const over = <Theirs extends (options: never) => Promise<unknown>>(
  its: Theirs,
  answer: (options: Options) => Promise<unknown> | undefined,
): Theirs =>
  // A function with one parameter, as the original's.
  (async (options: unknown) =>
    (typeof options === 'object' && options !== null ? await answer(options as Options) : undefined) ??
    (await its(options as never))) as unknown as Theirs;

export const argon2d: typeof theirs.argon2d = /* @__PURE__ */ over(theirs.argon2d, (its) => hashed(ARGON2D, its));
export const argon2i: typeof theirs.argon2i = /* @__PURE__ */ over(theirs.argon2i, (its) => hashed(ARGON2I, its));
export const argon2id: typeof theirs.argon2id = /* @__PURE__ */ over(theirs.argon2id, (its) => hashed(ARGON2ID, its));
export const argon2Verify: typeof theirs.argon2Verify = /* @__PURE__ */ over(theirs.argon2Verify, verified);
