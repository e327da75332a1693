/**
 * Mutants with the same meaning as the original, recognised by the instructions alone: the reason, and a check of it.
 */
import type { DecodedFunction, DecodedModule, Instruction } from '../wasm/types.ts';
import { haveNoCommonBit } from './common-bits.ts';
import { sameTerms } from './same-terms.ts';

export type Reason =
  | 'alignment hint'
  | 'shift count'
  | 'shuffle of equal operands'
  | 'local that is not used'
  | 'value that is never read'
  | 'same terms'
  | 'no common bit'
  | 'function that is never called';

/** An instruction without its place, as text. `i` is its index in the code. */
type Normal = (code: readonly Instruction[], i: number) => string;

const plain: Normal = (code, i) => {
  const { op, at: _, ...immediates } = code[i];
  return op + JSON.stringify(immediates, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
};

/** §4.6 (memory instructions): the alignment has no meaning. */
const withoutAlignment: Normal = (code, i) => {
  const instruction = code[i];
  return 'align' in instruction ? `${instruction.op}${instruction.offset}` : plain(code, i);
};

const WIDTHS = { i32: 32, i64: 64, i32x4: 32, i64x2: 64 } as const;

/** §4.3.2: counts are modulo the width of the shifted value. */
const withSmallCounts: Normal = (code, i) => {
  const shift = /^(\w+)\.(?:shl|shr_s|shr_u|rotl|rotr)$/.exec(code[i + 1]?.op ?? '');
  const count = code[i];
  if (!shift || (count.op !== 'i32.const' && count.op !== 'i64.const')) return plain(code, i);
  return `${count.op}${BigInt(count.value) & BigInt(WIDTHS[shift[1] as keyof typeof WIDTHS] - 1)}`;
};

/** Lane n of the second operand is that of the first. */
const withLowLanes: Normal = (code, i) => {
  const shuffle = code[i];
  if (shuffle.op !== 'i8x16.shuffle' || i < 2) return plain(code, i);
  const [a, b] = [code[i - 2], code[i - 1]];
  const same = a.op === 'local.get' && b.op === 'local.get' && a.local === b.local;
  return same ? `${shuffle.op}${shuffle.lanes.map((lane) => lane & 15).join()}` : plain(code, i);
};

const readLocals = new WeakMap<readonly Instruction[], ReadonlySet<number>>();
function readIn(code: readonly Instruction[]): ReadonlySet<number> {
  const read = readLocals.get(code) ?? new Set(code.flatMap((step) => (step.op === 'local.get' ? [step.local] : [])));
  readLocals.set(code, read);
  return read;
}

/** A value for a local that the function never reads is dropped. */
const withoutUnread: Normal = (code, i) => {
  const step = code[i];
  const unread = (step.op === 'local.set' || step.op === 'local.tee') && !readIn(code).has(step.local);
  return unread ? step.op : plain(code, i);
};

const usedLocals = ({ code, locals }: DecodedFunction, normal: Normal): string =>
  code
    .map((step, i) => ('local' in step && normal(code, i) !== step.op ? `${step.local}${locals[step.local]}` : ''))
    .join();

/**
 * Whether two functions are the same except for details that a normal form of the instructions omits, and for unused
 * locals.
 */
function sameFunction(a: DecodedFunction, b: DecodedFunction, normal: Normal): boolean {
  if (a.code.length !== b.code.length) return false;
  // Normal forms look at the two instructions before one, and at the one after it.
  const isOther = (i: number): boolean => a.code[i] !== b.code[i];
  const same = a.code.every(
    (_, i) =>
      !(isOther(i) || isOther(i + 1) || isOther(i - 1) || isOther(i - 2)) || normal(a.code, i) === normal(b.code, i),
  );
  return same && usedLocals(a, normal) === usedLocals(b, normal);
}

const REASONS: readonly (readonly [Reason, Normal])[] = [
  ['local that is not used', plain],
  ['value that is never read', withoutUnread],
  ['alignment hint', withoutAlignment],
  ['shift count', withSmallCounts],
  ['shuffle of equal operands', withLowLanes],
];

/** The index of the one instruction in which the functions differ; undefined if they differ otherwise. */
function differenceOf(f: DecodedFunction, g: DecodedFunction): number | undefined {
  if (f.code.length !== g.code.length || f.locals.join() !== g.locals.join()) return undefined;
  const differs = f.code.flatMap((step, i) => (step === g.code[i] || plain(f.code, i) === plain(g.code, i) ? [] : i));
  return differs.length === 1 ? differs[0] : undefined;
}

const isEither = ({ op }: Instruction): boolean => op === 'i32.or' || op === 'i32.xor';

/** Why two functions that differ in one instruction compute the same. */
function reasonAt(module: DecodedModule, f: DecodedFunction, g: DecodedFunction): Reason | undefined {
  const index = differenceOf(f, g);
  if (index === undefined) return undefined;
  if (sameTerms(module, f, g, index)) return 'same terms';
  const isSwapped = isEither(f.code[index]) && isEither(g.code[index]);
  return isSwapped && haveNoCommonBit(module, f, index) ? 'no common bit' : undefined;
}

/** The functions that are executed if the library calls the functions with these names. */
function running({ functions }: DecodedModule, names: readonly string[]): Set<number> {
  const found = new Set<number>();
  const visit = ({ index, code }: DecodedFunction): void => {
    if (found.has(index)) return;
    found.add(index);
    for (const step of code) if (step.op === 'call') visit(functions[step.callee]);
  };
  functions.filter(({ name }) => name !== undefined && names.includes(name)).forEach(visit);
  return found;
}

/**
 * The reason why a mutant has the same meaning; undefined if no rule shows it. A mutant of one bit differs in one
 * function. `names` are the exported functions that the library calls.
 */
export function reasonFor(
  original: DecodedModule,
  mutant: DecodedModule,
  names: readonly string[],
): Reason | undefined {
  const pairs = original.functions.map((f, i) => [f, mutant.functions[i]] as const);
  const changed = pairs.filter(
    ([f, g]) =>
      f !== g &&
      (!g || !f.code.every((step, i) => step === g.code[i] || (g.code[i] && plain(f.code, i) === plain(g.code, i)))),
  );
  if (changed.length === 0)
    return pairs.every(([f, g]) => sameFunction(f, g, plain)) ? 'local that is not used' : undefined;
  const [pair, ...others] = changed;
  if (others.length > 0 || !pair[1]) return undefined;
  const { index } = pair[0];
  if (![original, mutant].some((module) => running(module, names).has(index))) return 'function that is never called';
  const reason = REASONS.find(([, normal]) => sameFunction(...pair, normal))?.[0];
  return reason ?? reasonAt(original, ...pair);
}

/** The effect of a flipped bit: the instruction that contains its byte, before and after. */
export function describeChange(original: DecodedModule, mutant: DecodedModule, at: number): string {
  const textOf = (module: DecodedModule): string => {
    const f = module.functions.findLast((g) => g.at <= at);
    const i = f?.code.findLastIndex((step) => step.at <= at) ?? -1;
    return !f || i < 0 ? 'locals' : `${plain(f.code, i)} in function ${f.index}`;
  };
  return `${textOf(original)} became ${textOf(mutant)}, at ${at}`;
}
