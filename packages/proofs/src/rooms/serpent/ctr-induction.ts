/**
 * CTR mode by induction, as in induction.ts: from any counter of 128 bits on, whose carries a solver has found right.
 */
import * as layout from '../../../../lanewise/src/serpent/map.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, range, secrets } from '../../claims/compare.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import type { Cut } from '../../execute/machine.ts';
import { Vector } from '../../execute/vector.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf, xorBytes } from '../../specifications/algebra.ts';
import { add, sub, type Term } from '../../terms/term.ts';
import { exported, type DecodedModule } from '../../wasm/types.ts';
import { calleesOf, hasLoop } from '../keystream/every-length.ts';
import { localWith, outerLoop, sameVector, unknown, withoutValues, word } from '../keystream/induction.ts';
import { counterOf, requireCarries, type Counting } from './counters.ts';
import {
  bytesOfPairs,
  finished,
  forget,
  GROUP,
  KEYED,
  leftOf,
  looping,
  nextIs,
  PAIR,
  settingOf,
  severalBlocks,
  started,
  type Setting,
} from './induction.ts';
import { claimOf, keyOf } from './setting.ts';
import { serpentSymbols as w } from './symbols.ts';

const { BLOCK, COUNTER, STAGE } = layout;

/** NIST SP 800-38A §6.5: the blocks of a group or the last ones, in words, from any counter. */
function proveCtrWords(setting: Setting, big: 0 | 1, counting: Counting): void {
  const index = looping(setting, exported(setting.module, 'ctr').index);
  const blocks = unknown('blocks');
  const single = calleesOf(exported(setting.module, 'ctr'))[1];
  const own = hasLoop(setting.module.functions[single]) ? single : index;
  for (const { said, blocks: count, before, after, assume } of leftOf(
    1,
    Array.from({ length: GROUP - 1 }, (_, i) => i + 1),
  )) {
    const what = `CTR, ${big ? 'big' : 'little'}-endian, ${said}`;
    const key = keyOf();
    const counter = counterOf('counter');
    const base: Base = { name: 'data', home: STAGE, length: BLOCK * count };
    const data = secrets('data', base.length);
    const keystream = Array.from({ length: count }, (_, i) =>
      key.encrypt(counting.block(counting.after(counter, i), big)),
    );
    const address = baseTerm(base);
    let at = -1;
    const cut: Cut<Term> = {
      at: outerLoop(setting.module, own),
      enter(locals, changed) {
        require(locals[0] === word(big) && locals[1] === blocks, () =>
          `${what}: the loop starts with other parameters`);
        at = localWith(locals, changed, (x) => x === word(STAGE), 'the address');
        forget(locals, changed, [0]);
        locals[at] = address;
        locals[1] = before;
      },
      again(condition, locals) {
        const next = add(address, word(BLOCK * count));
        nextIs(condition, after, locals, { 0: word(big), 1: after, [at]: next }, what);
        return false;
      },
    };
    const state = [range(COUNTER, BLOCK)];
    const run = started(setting, { key, bases: [base], cut, state, assume: new Map(assume ? [assume] : []) });
    run.write(COUNTER, counter);
    run.write(base.home, data);
    run.call('ctr', 1, big, blocks);
    finished(run, base.home, xorBytes(w, data, keystream.flat()), what);
    expectBytes(run, COUNTER, bytesOf(w, counting.after(counter, count)), `${what}: the next counter`);
  }
}

/**
 * The same in lanes, of which each has a counter; four at a time are added to it. The claim is about any four counters, and the
 * loop starts with those of the first four blocks.
 */
function proveCtrLanes(setting: Setting, big: 0 | 1, counting: Counting): void {
  const index = looping(setting, exported(setting.module, 'ctr').index);
  const blocks = unknown('blocks');
  for (const { said, blocks: count, before, after, assume } of leftOf(BLOCK, [PAIR])) {
    const what = `CTR, ${big ? 'big' : 'little'}-endian, ${said}`;
    const key = keyOf();
    const counter = counterOf('counter');
    const lanes = [0, 1, 2, 3].map((lane) => counterOf(`counter of lane ${lane}`));
    const vectorsOf = (counters: readonly (readonly Term[])[]): Term[][] =>
      [0, 1, 2, 3].map((i) => counters.map((one) => one[i]));
    const after4 = (times: number): Term[][] =>
      lanes.map((one) => Array.from({ length: times }).reduce<Term[]>((x) => counting.plus(x, 4), one));
    const base: Base = { name: 'data', home: STAGE, length: BLOCK * count };
    const data = secrets('data', base.length);
    const keystream = Array.from({ length: count / 4 }, (_, set) => after4(set))
      .flat()
      .map((one) => key.encrypt(counting.block(one, big)));
    const address = baseTerm(base);
    let [at, left] = [-1, -1];
    let places: number[] = [];
    const cut: Cut<Term> = {
      at: outerLoop(setting.module, index),
      enter(locals, changed) {
        require(locals[0] === word(big) && locals[1] === blocks, () =>
          `${what}: the loop starts with other parameters`);
        left = localWith(locals, changed, (x) => x === bytesOfPairs(blocks), 'the number of bytes');
        const starts = vectorsOf([0, 1, 2, 3].map((lane) => counting.plus(counter, lane)));
        // The last sum stays in a variable of its own, too, which comes after those of the words.
        places = starts.map((own) => changed.find((local) => sameVector(locals[local], own)) ?? -1);
        require(!places.includes(-1), () => `${what}: the loop starts with other counters`);
        // The address starts at zero, as the variables do that have not been used.
        at = addressOf(setting.module, index);
        require(locals[at] === word(0), () => `${what}: the loop starts at another address`);
        forget(locals, changed, [0, 1]);
        locals[at] = sub(address, word(STAGE));
        locals[left] = before;
        vectorsOf(lanes).forEach((words, i) => (locals[places[i]] = new Vector(words)));
      },
      again(condition, locals) {
        const next = sub(add(address, word(BLOCK * GROUP)), word(STAGE));
        nextIs(condition, after, locals, { 0: word(big), 1: blocks, [at]: next, [left]: after }, what);
        const counters = vectorsOf(after4(count / 4));
        require(counters.every((words, i) => sameVector(locals[places[i]], words)), () =>
          `${what}: the next counters are others`);
        return false;
      },
    };
    const run = started(setting, {
      key,
      bases: [base],
      cut,
      state: [range(COUNTER, BLOCK)],
      assume: new Map([severalBlocks(blocks), ...(assume ? [assume] : [])]),
    });
    run.write(COUNTER, counter);
    run.write(base.home, data);
    run.call('ctr', 1, big, blocks);
    finished(run, base.home, xorBytes(w, data, keystream.flat()), what);
    expectBytes(run, COUNTER, bytesOf(w, after4(count / 4)[0]), `${what}: the next counter`);
  }
}

/** With lanes, one block alone takes the functions in words, whose loops then run once: from any counter. */
function proveCtrBlock(setting: Setting, big: 0 | 1, counting: Counting): void {
  const what = `CTR, ${big ? 'big' : 'little'}-endian, one block alone`;
  const key = keyOf();
  const [counter, data] = [counterOf('counter'), secrets('data', BLOCK)];
  const expected = xorBytes(w, data, key.encrypt(counting.block(counter, big)));
  const run = started(setting, { key, bases: [], cut: [], state: [range(COUNTER, BLOCK), range(STAGE, BLOCK)] });
  run.write(COUNTER, counter);
  run.write(STAGE, data);
  run.call('ctr', 1, big, 1);
  finished(run, STAGE, expected, what);
  expectBytes(run, COUNTER, bytesOf(w, counting.after(counter, 1)), `${what}: the next counter`);
}

/** The local that is added to the offset in a group when data are stored past STAGE. */
function addressOf({ functions }: DecodedModule, index: number): number {
  const { code } = functions[index];
  const store = code.findIndex((step) => step.op === 'v128.load' && step.offset >= STAGE);
  const before = code.slice(0, store).reverse();
  const gets = before.filter((step) => step.op === 'local.get').slice(0, 2);
  const [, local] = gets;
  require(gets.length === 2, () => 'no address of data is found');
  return local.op === 'local.get' ? local.local : -1;
}

/** The claims about the loops of `serpent-ctr`. */
export function serpentCtrInduction(kernel: Kernel): Claim[] {
  const claim = claimOf(kernel);
  return ([0, 1] as const).map((big) => ({
    ...claim(`induction: CTR, ${big ? 'big' : 'little'}-endian, ${KEYED}`, () => undefined),
    topic: 'induction',
    async prove() {
      const inWords = await requireCarries(false);
      const inLanes = await requireCarries(true);
      await claim('', () => {
        withoutValues(() => {
          const setting = settingOf(kernel);
          if (setting.lanes) {
            proveCtrLanes(setting, big, inLanes);
            proveCtrBlock(setting, big, inWords);
          } else proveCtrWords(setting, big, inWords);
        });
      }).prove();
    },
  }));
}
