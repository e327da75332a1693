/**
 * A chunk of each of its 1,025 lengths, at any address, with any number and the flags of any mode. Names stand for the results of the
 * compression function; every call of it is to be one that the claim about it has.
 */
import { BLOCK, CV, CV_BYTES, KEY, STAGE } from '../../../../lanewise/src/blake3/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { Bases, baseTerm, isInside, type Base } from '../../execute/bases.ts';
import { Machine } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { forgetTerms, numberOf, or, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported, type DecodedModule } from '../../wasm/types.ts';
import { calleesOf } from '../keystream/every-length.ts';
import { unknown, withoutValues, word } from '../keystream/induction.ts';
import { compressIn } from './compression.ts';
import { NamedRounds } from './lanes-group.ts';
import * as blake3 from './specification.ts';
import { CHUNK_END, CHUNK_START, ROOT } from './specification.ts';

export const CHUNK_BYTES = 1024;
const BLOCK_BYTES = 64;
/** Where runs have a chunk whose address is unknown. */
const HOME = 65_536;

/** The internal function that computes a chunk: (address, length, low, high, flags, last). */
export function chunkIn(module: DecodedModule): number {
  const callees = calleesOf(exported(module, 'chunk'));
  require(callees.length === 1, () => 'a chunk calls several functions');
  return callees[0];
}

/** In place of the specification's number 0 and its mode without flags: any number, and the flags of any mode but the root's. */
interface Any {
  readonly low: Term;
  readonly high: Term;
  readonly flags: Term;
}

/** The specification's algebra, with names for compressions, and with these numbers. */
const algebraOf = (named: NamedRounds, { low, high, flags }: Any): blake3.Compressing<Term> => ({
  ...symbols,
  compression(_, h, block, [t0, t1, length, own]) {
    require(t0 === word(0) && t1 === word(0), () => 'a chunk with another number');
    return named.compress(h, block, [low, high, length, or(flags, own)]);
  },
});

/** The stand-in for the compression function, in a run that has one base or none. */
function compressing(machine: () => Machine, named: NamedRounds, { low, high, flags }: Any, base?: Base) {
  const bases = new Bases(base ? [base] : []);
  const kinds = [0, CHUNK_START].flatMap((first) =>
    [0, CHUNK_END, CHUNK_END | ROOT].map((end) => ({ term: or(flags, word(first | end)), isRoot: end > CHUNK_END })),
  );
  return (parameters: readonly unknown[]): void => {
    const [address, length, t0, t1, own, out] = parameters as Term[];
    const run = machine();
    const kind = kinds.find(({ term }) => term === own);
    require(kind !== undefined, () => 'a compression with flags that no chunk has');
    require(t0 === low && t1 === high, () => 'a compression with another number');
    require(out === word(CV), () => 'a compression whose result goes elsewhere');
    const place = bases.placeOf(address);
    const at = place?.address ?? numberOf(address);
    require(at !== undefined && (base === undefined || (place !== undefined && isInside(place, BLOCK_BYTES))), () =>
      'a compression of a block elsewhere');
    require(at % BLOCK_BYTES === (base ? HOME : STAGE) % BLOCK_BYTES, () =>
      'a block that does not begin where blocks do');
    const result = named.compress(run.readWords(CV, 8), run.readWords(at, 16), [t0, t1, length, own]);
    run.write(CV, kind.isRoot ? result : result.slice(0, 8));
  };
}

interface Setting {
  readonly kernel: Kernel;
  readonly module: DecodedModule;
  readonly named: NamedRounds;
  readonly any: Any;
}

const lastBlock = (length: number): number => Math.max(0, (length - 1) & -BLOCK_BYTES);

/** A chunk as a node, or as the root, which has number 0. */
function proveChunk({ kernel, module, named, any }: Setting, length: number, last: number): void {
  const what = `a chunk of ${length} bytes${last ? ', the root' : ''}`;
  const base: Base = { name: 'chunk', home: HOME, length: lastBlock(length) + BLOCK_BYTES };
  const own = last ? { ...any, low: word(0), high: word(0) } : any;
  const [key, message] = [secrets('key', CV_BYTES), secrets('message', length)];
  const machine: Machine = new Machine<Term>(module, {
    ranges: { reads: [range(KEY, CV_BYTES)], writes: [range(CV, last ? 64 : CV_BYTES), range(HOME, base.length)] },
    bases: [base],
    calls: new Map([[compressIn(module), compressing(() => machine, named, own, base)]]),
    mostSteps: kernel.mostSteps,
  });
  machine.write(KEY, key);
  machine.write(HOME, message);
  machine.callFunction(module.functions[chunkIn(module)], baseTerm(base), length, own.low, own.high, own.flags, last);
  expectNoEvents(machine, what);
  const w = algebraOf(named, own);
  const node = blake3.chunk(w, wordsOf(symbols, key), 0, message, 0n);
  expectBytes(machine, CV, last ? blake3.output(w, node, 0n) : bytesOf(symbols, blake3.chainingValue(w, node)), what);
  expectBytes(machine, HOME, message, `${what}: the message`);
}

/** A chunk up to its last block, which is in STAGE. */
function provePrepare({ kernel, module, named, any }: Setting, length: number): void {
  const what = `a chunk of ${length} bytes but its last block`;
  const [key, message] = [secrets('key', CV_BYTES), secrets('message', length)];
  const staged = range(STAGE, lastBlock(length) + BLOCK_BYTES);
  const machine: Machine = new Machine<Term>(module, {
    ranges: { reads: [range(KEY, CV_BYTES)], writes: [range(CV, CV_BYTES), range(BLOCK, BLOCK_BYTES), staged] },
    calls: new Map([[compressIn(module), compressing(() => machine, named, any)]]),
    mostSteps: kernel.mostSteps,
  });
  machine.write(KEY, key);
  machine.write(STAGE, message);
  const start = machine.call('prepare', length, any.low, any.high, any.flags);
  expectNoEvents(machine, what);
  const node = blake3.chunk(algebraOf(named, any), wordsOf(symbols, key), 0, message, 0n);
  expectBytes(machine, CV, bytesOf(symbols, node.chainingValue), `${what}: chaining value`);
  expectBytes(machine, BLOCK, bytesOf(symbols, node.block), `${what}: block`);
  require(start === word(node.flags & CHUNK_START), () => `${what}: another flag of its first block`);
}

/** Each length by itself. */
export function chunkLengths(kernel: Kernel): Claim {
  return {
    kernel: kernel.name,
    topic: 'every length',
    claim:
      'every length: chunk and prepare, each number of bytes from 0 to 1024 at any address, every key, number and mode',
    prove() {
      const module = decode(kernel.bytes);
      counted('lengths', CHUNK_BYTES + 1);
      withoutValues(() => {
        for (let length = 0; length <= CHUNK_BYTES; length++) {
          // All terms together would fill memory.
          if (length % 64 === 0) forgetTerms();
          const [low, high, flags] = ['low', 'high', 'flags'].map(unknown);
          const setting = { kernel, module, named: new NamedRounds(), any: { low, high, flags } };
          for (const last of [0, ROOT]) proveChunk(setting, length, last);
          provePrepare(setting, length);
        }
      });
    },
  };
}
