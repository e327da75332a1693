/** `heads`, by induction: any number of heads of any size, with any step. Each is the one before it, with the step added to its number. */
import { HEADS } from '../../../../lanewise/src/disk/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { Case, forEveryLength, type Num } from '../../every-length/cases.ts';
import { BEFORE } from '../../every-length/content.ts';
import { Data, Outline } from '../../every-length/outline.ts';
import { Parameter, Place, termOf, type Base, type Value } from '../../every-length/values.ts';
import type { Kernel } from '../../kernels.ts';
import { symbols as w } from '../../specifications/terms.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';
import { any, counterOf, expectEnded, localOf, loopsOf, runPart, type Locals } from './code-parts.ts';
import { expectKept, MOST_HEAD, span } from './hash-lengths.ts';
import { requireCarry, sumOf } from './sums.ts';

/** Adiantum's tweak begins after 16 bytes, HPolyC's after 4. */
const PLACES = [16, 4];
const NUMBER_BYTES = 8;
/** The parameter that is the number of heads. */
const COUNT = 3;
const MOST_COUNT = 65_536;
const HEAD: Base = { name: 'head', home: 2 ** 20 };
const [STEPS, LATER, LESS] = [new Parameter('step'), new Parameter('left'), new Parameter('left', -1)];

function prove(kernel: Kernel): void {
  const module = decode(kernel.bytes);
  const f = exported(module, 'heads');
  const [loop, ...others] = loopsOf(f);
  const before = loop.from - 2;
  const ends = f.code.slice(loop.after).map(({ op }) => op);
  const alone = f.code[before].op === 'if' && ends.join() === 'end,end' && others.length === 0;
  require(alone && counterOf(f, loop) === COUNT, () => 'heads has another form');
  const outlineOf = (c: Case): Outline => new Outline(module, c, kernel.memoryBytes, new Map(), {}, undefined, [HEAD]);

  let head = -1;
  const proveStart = (count: Num, c: Case): void => {
    const outline = outlineOf(c);
    const known: Locals = new Map([...[any('at'), any('slot'), STEPS, count].entries()]);
    const ended = runPart(outline, f, 0, before, known, 0);
    head = localOf(c, ended, COUNT + 1, HEADS);
    const left = c.sub(count, 1);
    expectEnded(c, ended, known, [[COUNT, left]], [left], 'the first head');
    expectKept(outline.memory, [], 'the first head');
  };
  const proveNext = (at: number, slot: Num, c: Case): void => {
    const outline = outlineOf(c);
    const known: Locals = new Map([...[at, slot, STEPS, LATER].entries(), [head, new Place(HEAD)]] as [
      number,
      Value,
    ][]);
    const ended = runPart(outline, f, loop.from, loop.again, known);
    expectEnded(
      c,
      ended,
      known,
      [
        [COUNT, LESS],
        [head, new Place(HEAD, slot)],
      ],
      [LESS],
      'the next head',
    );
    const { memory } = outline;
    const from = HEAD.home!;
    const next = c.add(from, slot);
    const number = c.add(next, at);
    const copied = { ...BEFORE, delta: c.sub(from, next) };
    memory.expect(next, number, copied, 'what is in front of the number');
    memory.expect(c.add(number, NUMBER_BYTES), c.add(next, slot), copied, 'what is behind the number');
    const words = [0, 4].map((i) => termOf(new Data('number', { ...BEFORE, delta: from + at + i }))!);
    sumOf(words, [termOf(STEPS)!, w.word(0)]).forEach((term, i) => {
      require(termOf(outline.loaded(c.add(number, 4 * i))) === term, () => 'the next number is another one');
    });
    expectKept(memory, [span(c, next, slot)], 'the next head');
  };
  counted('cases', forEveryLength(1, MOST_COUNT, proveStart));
  for (const at of PLACES) {
    const least = at + NUMBER_BYTES;
    counted('lengths', MOST_HEAD - least + 1);
    counted(
      'cases',
      forEveryLength(least, MOST_HEAD, (slot, c) => proveNext(at, slot, c)),
    );
  }
}

export const headsLengths = (kernel: Kernel): Claim => ({
  kernel: kernel.name,
  topic: 'every length',
  claim: `every length: heads of up to ${MOST_HEAD} bytes, any number of them, with numbers that rise by any step`,
  async prove() {
    await requireCarry();
    prove(kernel);
  },
});
