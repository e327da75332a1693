/**
 * NH of messages of any length, by induction over their pieces: a piece at any address, with any number of bytes after it. The pieces
 * themselves are claimed in nh-claims.ts, for all 64 sizes and at any addresses. So here `nh` is not executed: its calls are compared.
 */
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectNoEvents } from '../../claims/compare.ts';
import { baseTerm } from '../../execute/bases.ts';
import { Machine, type Cut } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { add, less, negation, shr_u, sub, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported, type DecodedFunction, type DecodedModule } from '../../wasm/types.ts';
import { inductionClaim, NOTHING, outerLoop, unknown, word } from '../keystream/induction.ts';
import { HASH_BYTES, MOST_UNITS, NH_UNIT } from './parts.ts';

const PIECE = NH_UNIT * MOST_UNITS;

/** How many bytes there are: none, less than a piece, or a piece with nothing or something after it. */
type Case = 'none' | 'rest' | 'piece' | 'piece and rest';

/** The function that hashes pieces one after the other: the only one that calls `nh`. */
export function callerOf(module: DecodedModule): DecodedFunction {
  const { index } = exported(module, 'nh');
  const callers = module.functions.filter(({ code }) =>
    code.some((step) => step.op === 'call' && step.callee === index),
  );
  require(callers.length === 1, () => `${callers.length} functions call nh`);
  return callers[0];
}

function prove(kernel: Kernel, bytes: Case): void {
  const what = `NH of ${bytes}`;
  const module = decode(kernel.bytes);
  const caller = callerOf(module);
  const [address, to] = [baseTerm({ name: 'message' }), baseTerm({ name: 'hash' })];
  const length = bytes === 'none' ? word(0) : unknown('length');
  const isPiece = (n: Term): Term => negation(less(n, word(PIECE)));
  const after = sub(length, word(PIECE));
  const next = [add(address, word(PIECE)), after, add(to, word(HASH_BYTES))];
  const pieces = bytes.startsWith('piece');
  const rest = pieces ? after : length;
  const isRest = bytes.endsWith('rest');
  const cut: Cut<Term> = {
    at: outerLoop(module, caller.index),
    enter(locals, changed) {
      require(pieces, () => `${what}: there is a piece`);
      const same = [address, length, to].every((term, i) => locals[i] === term);
      require(same, () => `${what}: the loop starts with other parameters`);
      for (const local of changed) if (local > 2) locals[local] = NOTHING;
    },
    again(condition, locals) {
      const same = next.every((term, i) => locals[i] === term);
      require(same && condition === isPiece(after), () => `${what}: the next piece is another one`);
      return false;
    },
  };
  const calls: (readonly unknown[])[] = [];
  const machine = new Machine<Term>(module, {
    // It reads and writes nothing itself.
    ranges: { reads: [], writes: [] },
    calls: new Map([[exported(module, 'nh').index, (parameters) => void calls.push(parameters)]]),
    cut,
    assume: new Map<Term, number>([
      [isPiece(length), pieces ? 1 : 0],
      [rest, isRest ? 1 : 0],
    ]),
    mostSteps: kernel.mostSteps,
  });
  machine.callFunction(caller, address, length, to);
  const expected = [
    ...(pieces ? [[address, word(MOST_UNITS), to]] : []),
    ...(isRest ? [pieces ? [next[0], shr_u(after, 4), next[2]] : [address, shr_u(length, 4), to]] : []),
  ];
  counted('iterations', 1);
  counted('calls of nh', expected.length);
  expectNoEvents(machine, what);
  const same =
    expected.length === calls.length && expected.every((call, i) => call.every((term, k) => term === calls[i][k]));
  require(same, () => `${what}: nh is called in another way`);
}

export const nhInduction = (kernel: Kernel): Claim =>
  inductionClaim(kernel, 'NH of any number of bytes, each piece and the rest once, from and to its own place', () => {
    for (const bytes of ['none', 'rest', 'piece', 'piece and rest'] as const) prove(kernel, bytes);
  });
