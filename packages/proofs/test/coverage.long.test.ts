// Coverage is a claim: code that no claim about results executes is found, in modules and in texts, and accepted only
// where the list of exceptions has it.
import { afterEach, describe, expect, it } from 'vitest';
import { breakIf, block, loop, sequence, set, when } from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import { Module } from '../../lanewise/src/wasm/module.ts';
import type { Local, Statement } from '../../lanewise/src/wasm/types.ts';
import { Sums } from '../src/bits/domain.ts';
import { BitMachine } from '../src/bits/machine.ts';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { moduleCoverage, moduleGaps, textCoverage, textGaps } from '../src/claims/coverage.ts';
import { rooms } from '../src/rooms.ts';
import { kernelClaims, textClaims } from '../src/claims/index.ts';
import { Coverage } from '../src/execute/coverage.ts';
import { Machine } from '../src/execute/machine.ts';
import { parse } from '../src/javascript/parse.ts';
import { JavaScriptMachine } from '../src/javascript/runner.ts';
import { textOf, texts } from '../src/javascript/texts.ts';
import { keepingSolver } from '../src/rooms/poly1305/reduction.ts';
import { kernelOf, kernels, type Kernel } from '../src/kernels.ts';
import { patched } from '../src/mutations/patch.ts';
import { forgetTerms } from '../src/terms/term.ts';
import { decode } from '../src/wasm/decode.ts';
import { exported } from '../src/wasm/types.ts';

afterEach(forgetTerms);

type Body = (x: Local<'i32'>, y: Local<'i32'>) => readonly Statement[];

function moduleOf(body: Body): Uint8Array<ArrayBuffer> {
  const module = new Module(1);
  module.define('f', ['i32'], undefined, (frame, x) => body(x, frame.local('i32')));
  module.define('other', [], undefined, () => [i32.store(0, 0, 1)]);
  return module.bytes();
}

/** The gaps in coverage after calls of a function, one call with each parameter. */
function gapsBehind(body: Body, parameters: readonly number[], bits = false): string[] {
  const bytes = moduleOf(body);
  const coverage = new Coverage(bytes.length);
  const machine = bits
    ? new BitMachine(decode(bytes), new Sums(), { coverage })
    : new Machine(decode(bytes), { coverage });
  for (const x of parameters) machine.call('f', x);
  return moduleGaps({ bytes } as Kernel, coverage).map(({ name }) => name);
}

describe('a module', () => {
  const store = i32.store(0, 0, 1);
  const OTHER = 'other: not run';

  it.each([
    ['an if without else', (x) => [when(x, store)], [1], ['f 1: if always holds', OTHER]],
    ['an if without else', (x) => [when(x, store)], [0], ['f 1: if never holds', OTHER]],
    ['an if without else', (x) => [when(x, store)], [0, 1], [OTHER]],
    ['an if with else', (x) => [when(x, store, store)], [1, 2], ['f 1: if always holds', OTHER]],
    ['an if with else', (x) => [when(x, store, store)], [0, 3], [OTHER]],
    ['a loop', (x) => [loop(store, x)], [0], ['f 5: br_if never holds', OTHER]],
    ['a loop', (x, y) => [set(y, i32.value(3)), loop(set(y, i32.sub(y, 1)), y)], [0], [OTHER]],
    ['no call', (x) => [when(x, store)], [], ['f: not run', OTHER]],
  ] satisfies (readonly [string, Body, number[], string[]])[])('%s, %#', (_, body, parameters, gaps) => {
    expect(gapsBehind(body, parameters)).toEqual(gaps);
    expect(gapsBehind(body, parameters, true)).toEqual(gaps);
  });

  it('says from where to where nothing is run', () => {
    const body: Body = (x) => [block(sequence(breakIf(x), store, store)), store];
    expect(gapsBehind(body, [1])).toEqual(['f 2: br_if always holds', 'f 3 to 8: not run', OTHER]);
  });
});

describe('a text', () => {
  const text = `import { Words } from '../../engine/intrinsics.ts';
export function made(memory: ArrayBuffer): Made {
  const words = new Words(memory);
  const unused = (x: number): number => x | 0;
  function run(p0: number): void {
    if (p0 > 1 && p0 < 9) words[0] = p0 === 5 ? 1 : 2;
    do {
      p0 = p0 - 1;
    } while (p0 > 7);
  }
  return { run };
}`;
  const gapsOf = (...parameters: number[]): string[] => {
    const coverage = new Coverage(text.length);
    const machine = new JavaScriptMachine(parse(text), { memoryBytes: 65536, coverage });
    for (const x of parameters) machine.call('run', x);
    return textGaps({ ...textOf('chacha'), text }, coverage).map(({ name }) => name);
  };

  it('counts functions and conditions', () => {
    const always = 'condition always holds';
    const never = 'condition never holds';
    expect(gapsOf()).toEqual(['unused: not run', 'run: not run']);
    expect(gapsOf(1)).toEqual(['unused: not run', `run 1: ${never}`, 'run 2 to 3: not run', `run 4: ${never}`]);
    expect(gapsOf(4)).toEqual([
      'unused: not run',
      `run 1: ${always}`,
      `run 2: ${always}`,
      `run 3: ${never}`,
      `run 4: ${never}`,
    ]);
    expect(gapsOf(1, 5, 6, 10)).toEqual(['unused: not run']);
  });
});

/** The kernel with an assignment that is executed only at one length. */
function withTrigger(kernel: Kernel, name: string, parameter: number, value: number): Kernel {
  const at = exported(decode(kernel.bytes), name).code[0].at;
  const local = ('\x20' + String.fromCharCode(parameter)) as Local<'i32'>;
  const code = when(i32.eq(local, value), set(local, local));
  return { ...kernel, bytes: patched(kernel.bytes, at, 0, code) };
}

async function failureOf(claims: readonly Claim[]): Promise<string | undefined> {
  const coverage = claims.find(({ after }) => after)!;
  await keepingSolver(async () => {
    for (const claim of coverage.after!) await claim.prove();
  });
  try {
    await coverage.prove();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

describe('the claim', () => {
  const kernel = kernelOf('chacha short scalar');

  it('holds of a kernel and of a text', async () => {
    expect(await failureOf(kernelClaims(kernel))).toBeUndefined();
    expect(await failureOf(textClaims(textOf('serpent-ctr')))).toBeUndefined();
  });

  it('finds what is run at a length that no claim has', async () => {
    expect(await failureOf(kernelClaims(withTrigger(kernel, 'seal', 2, 62)))).toMatch(/: seal 3: if never holds$/);
    expect(await failureOf(kernelClaims(withTrigger(kernel, 'seal', 2, 63)))).toBeUndefined();
    const text = textOf('serpent-ctr');
    const trigger = text.text.replace(/(function ctr\(.*\n)/, '$1    if (p2 === 77) words[0] = 0;\n');
    expect(trigger).not.toBe(text.text);
    expect(await failureOf(textClaims({ ...text, text: trigger }))).toMatch(/: ctr 1: condition never holds$/);
  });

  it('does not take claims that are left out for proved', async () => {
    const [first] = kernelClaims(kernel).filter(({ after }) => after);
    const coverage = new Coverage(kernel.bytes.length);
    const none = moduleCoverage(kernel, [], coverage);
    expect(none.claim).toBe(first.claim);
    expect(await failureOf([none])).toMatch(/extend: not run; .* and \d+ more$/);
    expect(await failureOf([textCoverage(textOf('poly1305'), [], new Coverage(1e6))])).toMatch(/not run/);
  });

  it('refuses an exception that is none', async () => {
    // The places are those of the kernel whose name it has.
    const short = kernelClaims({ ...kernel, name: 'chacha short relaxed' });
    expect(await failureOf(short)).toBe(
      'exceptions that are none: open 17: if always holds; function 2 12: if always holds',
    );
  });
});

it('every exception is one of a kernel that ships', () => {
  const names = [...kernels, ...texts].map(({ name }) => name);
  const exceptions = rooms.flatMap((room) => room.exceptions);
  expect(exceptions.flatMap((exception) => exception.kernels).filter((name) => !names.includes(name))).toEqual([]);
});
