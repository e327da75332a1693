/**
 * OCB at every length, RFC 7253 §4. Its loop over groups of blocks is claimed by induction: from any offset, checksum and number of a
 * block on, with any keys' values L. What a group starts with, the number of trailing zeros of its last block's number, comes from a
 * loop that halves the number while it is even, which is one more induction. The end of a message, which may be any number of bytes,
 * follows any number of blocks. The functions that put a message together run at every length.
 */
import * as layout from '../../../../lanewise/src/serpent/map.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import type { Runnable } from '../../claims/runnable.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import type { Cut, Machine } from '../../execute/machine.ts';
import { onMachine } from '../../claims/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import { standIn } from '../../terms/node.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { exported } from '../../wasm/types.ts';
import { calleesOf } from '../keystream/every-length.ts';
import { localWith, outerLoop, unknown, word } from '../keystream/induction.ts';
import { finished, forget, GROUP, inductionOf, leftOf, nextIs, settingOf, started, type Setting } from './induction.ts';
import { verdictOf } from './ocb-claims.ts';
import { proveMessages } from './ocb-message.ts';
import * as ocb from './ocb-specification.ts';
import { claimOf, keyOf, started as startedRun } from './setting.ts';
import { serpentSymbols as w } from './symbols.ts';

const { AAD, BLOCK, CHECKSUM, DOLLAR, L, OFFSET, OFFSETS, STAGE, STAGE_BYTES } = layout;
const { STAR, STRETCH, SUM, TAG } = layout;

type Name = 'hash' | 'encrypt' | 'decrypt';
const NAMES: readonly Name[] = ['hash', 'encrypt', 'decrypt'];

const wordsNamed = (name: string): Term[] => wordsOf(w, secrets(name, BLOCK));
const xored = (x: readonly Term[], y: readonly Term[]): Term[] => x.map((one, i) => terms.xor(one, y[i]));

/** The function with the loop over groups, and the one that makes offsets. */
function partOf({ module }: Setting, name: Name): { part: number; offsets: number } {
  const [inner] = calleesOf(exported(module, name));
  const part = name === 'hash' ? inner : calleesOf(module.functions[inner])[0];
  return { part, offsets: calleesOf(module.functions[part])[0] };
}

/** Values L that are no key's, and the state before a part. */
function anyState() {
  const table = [0, 1, 2, 3, 4].map((i) => wordsNamed(`L ${i}`));
  const state = { sum: wordsNamed('sum'), checksum: wordsNamed('checksum'), offset: wordsNamed('offset') };
  const star = wordsNamed('star');
  // The specification starts with zeros, in whose place is any checksum.
  return { ...state, table, star, key: { zeros: state.checksum, star, dollar: star, l: (i: number) => table[i] } };
}
type State = ReturnType<typeof anyState>;

const WRITTEN = [range(OFFSETS, GROUP * BLOCK), range(OFFSET, BLOCK), range(CHECKSUM, BLOCK), range(SUM, BLOCK)];
const READ = [range(STAR, L + 4 * BLOCK - STAR), range(STRETCH, BLOCK)];

function writeState(run: Machine, { table, sum, checksum, offset, star }: State): void {
  run.write(STAR, star);
  run.write(L, table.slice(0, 4).flat());
  run.write(OFFSET, offset);
  run.write(CHECKSUM, checksum);
  run.write(SUM, sum);
}

/** The result of a part for a text from a state on, and the state after it. */
function made(name: Name, state: State, key: ReturnType<typeof keyOf>, text: readonly Term[]) {
  const { sum, checksum, offset } = state;
  if (name === 'hash')
    return { text, sum: ocb.hash(w, state.key, key.encipher, text, { sum, offset }), checksum, offset: undefined };
  const decipher = name === 'decrypt' ? key.decipher : undefined;
  return { ...ocb.blocks(w, state.key, key.encipher, decipher, offset, text), sum };
}

function expectState(run: Runnable, after: Pick<ReturnType<typeof made>, 'sum' | 'checksum'>, what: string): void {
  expectBytes(run, SUM, bytesOf(w, after.sum), `${what}: sum`);
  expectBytes(run, CHECKSUM, bytesOf(w, after.checksum), `${what}: checksum`);
}

/**
 * RFC 7253 §2, ntz: the loop that halves a number while it is even, and goes on by a block for each zero, starts at L_4 - 16. So it
 * ends at L_z for the z zeros of the last block's number, which `last` is the address of, less than L by 16.
 */
function zerosCut({ module }: Setting, offsets: number, number: Term, last: Term, what: string): Cut<Term> {
  const any = unknown('halves of the number');
  let at = -1;
  return {
    at: outerLoop(module, offsets),
    enter(locals, changed) {
      const starts = locals[0] === terms.add(terms.shr_u(number, 4), word(1));
      require(starts, () => `${what}: zeros of another number`);
      at = localWith(locals, changed, (x) => x === word(3 * BLOCK), 'the place of L_3');
      forget(locals, changed, []);
      locals[0] = any;
      locals[at] = last;
    },
    again(condition, locals) {
      const isEven = terms.isZero(terms.and(any, word(1)));
      nextIs(condition, isEven, locals, { 0: terms.shr_u(any, 1), [at]: terms.add(last, word(BLOCK)) }, what);
      return false;
    },
  };
}

/** A group of blocks, or the last ones, of a part. */
function provePart(setting: Setting, name: Name): void {
  const { module } = setting;
  const { part, offsets } = partOf(setting, name);
  const lasts = Array.from({ length: GROUP - 1 }, (_, i) => i + 1);
  for (const { said, blocks: count, before, after, assume } of leftOf(1, lasts)) {
    const what = `OCB ${name}, ${said}`;
    const key = keyOf();
    const state = anyState();
    const text = secrets('text', BLOCK * count);
    const result = made(name, state, key, text);
    const data: Base = { name: 'data', home: STAGE, length: text.length };
    // L_z is a block after this, and L from there on.
    const zeros: Base = { name: 'zeros', home: 16384, length: L + 2 * BLOCK };
    const [address, last] = [baseTerm(data), baseTerm(zeros)];
    const [number, blocks] = [terms.shl(unknown('number'), 4), unknown('blocks')];
    const cut: Cut<Term> = {
      at: outerLoop(module, part),
      enter(locals, changed) {
        const starts = locals[0] === address && locals[1] === number && locals[2] === blocks;
        require(starts, () => `${what}: the loop starts with other parameters`);
        forget(locals, changed, [0, 1]);
        locals[2] = before;
      },
      again(condition, locals) {
        const [next, behind] = [terms.add(address, word(text.length)), terms.add(number, word(GROUP))];
        nextIs(condition, after, locals, { 0: next, 1: behind, 2: after }, what);
        return false;
      },
    };
    const run = started(setting, {
      key,
      bases: [data, zeros],
      cut: [cut, zerosCut(setting, offsets, number, last, what)],
      state: WRITTEN,
      reads: READ,
      assume: new Map(assume ? [assume] : []),
    });
    run.callFunction(module.functions[calleesOf(exported(module, 'ecbEncrypt'))[0]]);
    writeState(run, state);
    run.write(zeros.home + BLOCK + L, state.table[4]);
    run.write(data.home, text);
    run.callFunction(module.functions[part], address, number, blocks);
    finished(run, data.home, result.text, what);
    expectState(run, result, what);
    let offset = state.offset;
    for (let i = 1; i <= count; i++) offset = xored(offset, state.table[ocb.ntz(i)]);
    expectBytes(run, OFFSET, bytesOf(w, offset), `${what}: offset`);
  }
}

/**
 * The bytes after any number of blocks, or by themselves; `isFirst` where no part was before. The loop over blocks is not the matter: it
 * has to be reached with the right parameters, and leaves any state.
 */
function proveEnd(setting: Setting, name: Name, address: number, left: number, isFirst: boolean, alone: boolean): void {
  const { module } = setting;
  const what = `OCB ${name} at ${address}, ${left} bytes after the blocks`;
  const { part } = partOf(setting, name);
  const key = keyOf();
  const [state, given] = [anyState(), { ...anyState(), offset: wordsNamed('given offset') }];
  const stretch = wordsNamed('stretch');
  const text = secrets('text', left);
  const startsAt = isFirst && name !== 'hash' ? stretch : given.offset;
  const from = alone ? { ...state, offset: startsAt } : state;
  const result = made(name, from, key, text);
  const blocks = unknown('blocks');
  const length = alone ? word(left) : unknown(`length of ${left}`);
  // The case: so many bytes are after the last block.
  if (!alone) {
    standIn(terms.shr_u(length, 4), blocks);
    standIn(terms.and(length, word(BLOCK - 1)), word(left));
  }
  const number = isFirst ? word(0) : terms.shl(unknown('number'), 4);
  const end: Base = { name: 'end', home: 16384, length: address + BLOCK, term: terms.shl(blocks, 4) };
  const one: Base = { name: 'one block', home: 8192, length: BLOCK };
  let reached = 0;
  const holder: { run?: Machine } = {};
  const cut: Cut<Term> = {
    at: outerLoop(module, part),
    enter(locals, changed) {
      const starts = locals[0] === word(address) && locals[1] === number && locals[2] === blocks;
      require(starts, () => `${what}: the loop starts with other parameters`);
      expectBytes(holder.run!, OFFSET, bytesOf(w, startsAt), `${what}: first offset`);
      forget(locals, changed, []);
      [locals[0], locals[1], locals[2]] = [baseTerm(one), word(0), word(1)];
      reached++;
    },
    again() {
      writeState(holder.run!, state);
      return false;
    },
  };
  const run = started(setting, {
    key,
    bases: alone ? [one] : [end, one],
    cut,
    state: alone ? [...WRITTEN, range(address, BLOCK)] : WRITTEN,
    // The iteration that stands for all takes L_4.
    reads: [...READ, range(L + 4 * BLOCK, BLOCK)],
    assume: new Map([
      [blocks, 1],
      [terms.isZero(number), 0],
    ]),
  });
  holder.run = run;
  run.callFunction(module.functions[calleesOf(exported(module, 'ecbEncrypt'))[0]]);
  writeState(run, given);
  run.write(STRETCH, stretch);
  run.write(one.home, secrets('block', BLOCK));
  const at = alone ? address : end.home + address;
  run.write(at, text);
  run.call(name, ...(name === 'hash' ? [address] : []), number, length);
  require(reached === (alone ? 0 : 1), () => `${what}: the loop is reached ${reached} times`);
  finished(run, at, name === 'hash' ? [] : result.text, what);
  expectState(run, result, what);
  if (left > 0) expectBytes(run, OFFSET, bytesOf(w, xored(from.offset, state.star)), `${what}: offset`);
}

/** RFC 7253 §4.1 and §4.2: all that a key and a nonce give, for each number in the nonce's last six bits. */
function proveBegin(kernel: Kernel): void {
  const key = keyOf();
  const nonce = secrets('nonce', BLOCK);
  const values = ocb.ocbKey(w, key.encipher);
  const first = Array.from({ length: 64 }, (_, bottom) => ocb.firstOffset(w, key.encipher, wordsOf(w, nonce), bottom));
  first.forEach((offset, bottom) => {
    const run = startedRun(onMachine(kernel), key, 0);
    run.write(STRETCH, nonce);
    run.call('begin', bottom);
    const what = `OCB begin, bottom ${bottom}`;
    expectNoEvents(run, what);
    expectBytes(run, STRETCH, bytesOf(w, offset), what);
    const table = Array.from({ length: 32 }, (_, i) => values.l(i)).flat();
    expectBytes(run, STAR, bytesOf(w, [...values.star, ...values.dollar, ...table]), `${what}: L`);
    for (const at of [OFFSET, CHECKSUM, SUM]) expectBytes(run, at, bytesOf(w, values.zeros), `${what}: at ${at}`);
  });
}

/** RFC 7253 §4.2: the tag, from any checksum, offset and sum; and its comparison with another one. */
function proveFinish(kernel: Kernel): void {
  const key = keyOf();
  const state = anyState();
  const dollar = wordsNamed('dollar');
  const tag = ocb.tagOf(w, { ...state.key, dollar }, key.encipher, state, state.sum);
  const run = startedRun(onMachine(kernel), key, 0);
  run.call('ecbEncrypt', 1, 1);
  run.write(DOLLAR, dollar);
  run.write(CHECKSUM, state.checksum);
  run.write(OFFSET, state.offset);
  run.write(SUM, state.sum);
  run.call('finish');
  expectNoEvents(run, 'OCB finish');
  expectBytes(run, CHECKSUM, tag, 'OCB finish');
  const [one, other] = [secrets('one', BLOCK), secrets('other', BLOCK)];
  run.write(CHECKSUM, one);
  run.write(TAG, other);
  require(run.call('verify') === verdictOf(one, other), () => 'OCB verify: another verdict');
}

/** The claims about OCB's loops, and about all that is around them. */
export function ocbInduction(kernel: Kernel): Claim[] {
  const claim = inductionOf(kernel);
  const about = (text: string, prove: () => void): Claim => ({
    ...claimOf(kernel)(`every length: ${text}`, prove),
    topic: 'every length',
  });
  return [
    ...NAMES.map((name) =>
      claim(`OCB ${name}, any number of blocks after any number of them`, (setting) => {
        provePart(setting, name);
      }),
    ),
    ...NAMES.map((name) =>
      claim(`OCB ${name}, 0 to 15 bytes after any number of blocks, or alone`, (setting) => {
        for (const address of name === 'hash' ? [AAD, STAGE] : [STAGE])
          for (let left = 0; left < BLOCK; left++)
            for (const isFirst of [true, false])
              for (const alone of [true, false]) proveEnd(setting, name, address, left, isFirst, alone);
      }),
    ),
    about('OCB begin, with each first offset', () => {
      proveBegin(kernel);
    }),
    about('OCB finish and verify, from every state', () => {
      proveFinish(kernel);
    }),
    ...(['seal', 'open'] as const).map((name) =>
      about(`OCB ${name}, 0 to ${STAGE_BYTES} bytes, with any number of bytes of additional data, and without`, () => {
        proveMessages(settingOf(kernel), name);
      }),
    ),
  ];
}
