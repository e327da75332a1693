// The white-list: the syntax that the generated text may contain; all other syntax is refused.
import { describe, expect, it } from 'vitest';
import { modules } from '../../lanewise/scripts/rooms.ts';
import { parse } from '../src/javascript/parse.ts';
import { texts } from '../src/javascript/texts.ts';
import { familyOf } from '../src/kernels.ts';
import { hasClaims } from '../src/unproven.ts';

const IMPORTS = "import { Bytes, Words, fillBytes, imul, moveBytes } from '../../engine/intrinsics.ts';";

const fileOf = (functions: string, imports = IMPORTS): string => `
${imports}
export function made(memory: ArrayBuffer): Made {
  const words = new Words(memory);
  const bytes = new Bytes(memory);
  ${functions}
  return { run };
}`;
const bodyOf = (body: string): string => fileOf(`function run(p0: number): void { ${body} }`);

describe('the parser of the generated text', () => {
  it('takes the files that ship, with all their functions', () => {
    const exported = texts.map(({ name, text }) => [name, parse(text).exported.toSorted()] as const);
    const described = modules.flatMap(({ name, functions, text }) =>
      text && hasClaims(name) ? [[`${familyOf(name)} js`, functions.toSorted()] as const] : [],
    );
    expect(Object.fromEntries(exported)).toEqual(Object.fromEntries(described));
  });

  it('gives compound assignments and increments their meaning', () => {
    const program = parse(bodyOf('let x = 1; x <<= p0; x++; words[0] += x;'));
    const [, shift, increment, store] = program.functions.get('run')!.body;
    const line = 6;
    const x = { kind: 'variable', slot: 1, line };
    expect([shift, increment, store]).toEqual([
      {
        kind: 'evaluate',
        expression: {
          kind: 'assign',
          slot: 1,
          value: { kind: 'binary', operator: '<<', left: x, right: { kind: 'variable', slot: 0, line }, line },
          line,
        },
        line,
      },
      {
        kind: 'evaluate',
        expression: {
          kind: 'assign',
          slot: 1,
          value: { kind: 'binary', operator: '+', left: x, right: { kind: 'number', value: 1, line }, line },
          line,
        },
        line,
      },
      {
        kind: 'store',
        view: { name: 'words', type: 'Int32Array', elementBytes: 4 },
        index: { kind: 'number', value: 0, line },
        operator: '+',
        value: x,
        line,
      },
    ]);
  });

  it.each([
    // Operators that are not there.
    'p0 = p0 / 2;',
    'p0 = p0 % 2;',
    'p0 = p0 ** 2;',
    'p0 /= 2;',
    'p0 ||= 1;',
    'p0 = p0 && 1;',
    'p0 = p0 ?? 1;',
    'p0 = (1, 2);',
    'p0 = +p0;',
    'p0 = typeof p0;',
    'p0 = void 0;',
    'p0 = p0++;',
    'p0 = ++p0;',
    // A condition is a comparison, and a comparison a condition.
    'if (p0) p0 = 1;',
    'if (p0 == 1) p0 = 1;',
    'p0 = p0 < 1;',
    'p0 = !p0;',
    'while (p0 - 1) p0 = 1;',
    // Numbers alone.
    "p0 = 'a';",
    'p0 = 1n;',
    'p0 = true;',
    'p0 = undefined;',
    'p0 = NaN;',
    'p0 = 0b10;',
    'p0 = 1_000;',
    'p0 = .5;',
    'p0 = [1][0];',
    'p0 = { a: 1 }.a;',
    'p0 = `1`;',
    // Statements.
    'var x = 1;',
    'const x = 1;',
    'let x;',
    'let [x] = words;',
    'for (;;) p0 = 1;',
    'for (const x of words) p0 = x;',
    'switch (p0) {}',
    'try { p0 = 1; } finally {}',
    'throw p0;',
    'while (p0 > 0) { break; }',
    'do { continue; } while (p0 > 0);',
    'if (p0 > 0) { return; }',
    'label: p0 = 1;',
    'function f() {}',
    'debugger;',
    '"use asm";',
    // Names: each means one thing, from where it is declared.
    'x = 1; let x = 2;',
    'let p0 = 1;',
    'let x = 1; { let x = 2; }',
    'let words = 1;',
    'let imul = 1;',
    'words = 1;',
    'run = 1;',
    'memory = 1;',
    'globalThis = 1;',
    '{ let x = 1; } x = 2;',
    // Views and calls.
    'words.length = 1;',
    'p0 = words.length;',
    'p0 = words[0][1];',
    'p0 = p0[0];',
    'words?.[0];',
    'words[0]++;',
    'delete words[0];',
    'bytes.fill(0, 1, 2);',
    'fillBytes(words, 0, 1, 2);',
    'fillBytes(bytes, 0, 1);',
    'moveBytes(bytes, 0, 1);',
    'p0 = fillBytes(bytes, 0, 1, 2);',
    'imul(1, 2, 3);',
    'p0 = Math.imul(1, 2);',
    'run();',
    'run(1, 2);',
    'run?.(1);',
    'run(...words);',
    'new run(1);',
    'p0 = (() => 1)();',
    'eval(p0);',
    'p0 = arguments[0];',
    'p0 = this;',
    // Types that say that they know better.
    'p0 = p0 as number;',
    'p0 = p0!;',
  ])('refuses %s', (body) => {
    expect(() => parse(bodyOf(body))).toThrow(/outside the language of the generated text/);
  });

  it.each([
    fileOf('function run(p0 = 1): void {}'),
    fileOf('function run(...p0): void {}'),
    fileOf('function run({ p0 }): void {}'),
    fileOf('function* run(): void {}'),
    fileOf('async function run() {}'),
    fileOf('const run = async () => 1;'),
    fileOf('let run = () => 1;'),
    fileOf('using run = () => 1;'),
    fileOf('const run = 1;'),
    fileOf('const run = new Words(memory, 4);'),
    fileOf('const run = new Words(16);'),
    fileOf('const run = new Map(memory);'),
    fileOf('const run = new Float64Array(memory);'),
    fileOf('function run() {} function run() {}'),
    fileOf('function run() {} const words = () => 1;'),
    fileOf('function run() {} function imul() {}'),
    fileOf('function run() {} run();'),
    fileOf('function other() {}'),
    fileOf('function run() {} return { run }; function late() {}'),
    fileOf('function run() {}', "import { Words } from '../../engine/intrinsics.ts';"),
    fileOf('function run() {}', "import { Words, Bytes } from './others.ts';"),
    fileOf('function run() {}', "import { Bytes as Words, Words as Bytes } from '../../engine/intrinsics.ts';"),
    fileOf('function run() {}', `${IMPORTS} import { floor } from '../../engine/intrinsics.ts';`),
    fileOf('function run() {}', `${IMPORTS} import * as all from '../../engine/intrinsics.ts';`),
    fileOf('function run() {}', `${IMPORTS} import '../../engine/intrinsics.ts';`),
    `${fileOf('function run() {}')} made(new ArrayBuffer(8));`,
    `${IMPORTS} export async function made(memory) { return {}; }`,
    `${IMPORTS} export function made(memory, more) { return {}; }`,
    `${IMPORTS} export function made(memory) { return { run: 1 }; }`,
    `${IMPORTS} export function made(Words) { return {}; }`,
    `${IMPORTS} export function made(memory) {}`,
    `${IMPORTS} export const made = (memory) => ({});`,
    '',
  ])('refuses the file %#', (text) => {
    expect(() => parse(text)).toThrow(/outside the language of the generated text/);
  });

  it('refuses what is no TypeScript, and says where something is', () => {
    expect(() => parse(bodyOf('p0 = (1;'))).toThrow("')' expected.");
    expect(() => parse(bodyOf('p0 = 010;'))).toThrow();
    expect(() => parse(bodyOf('p0 =\n p0 / 2;'))).toThrow(
      'line 7: an expression is outside the language of the generated text: p0 / 2',
    );
  });
});
