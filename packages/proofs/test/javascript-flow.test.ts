// The run that follows secrets through a text without terms, compared with the run on terms, which is more precise.
import { describe, expect, it } from 'vitest';
import * as blake3 from '../../lanewise/src/blake3/map.ts';
import * as chacha from '../../lanewise/src/keystream/map.ts';
import { range, secrets } from '../src/claims/compare.ts';
import { JavaScriptFlow } from '../src/javascript/flow.ts';
import { parse } from '../src/javascript/parse.ts';
import { JavaScriptMachine } from '../src/javascript/runner.ts';
import { textOf } from '../src/javascript/texts.ts';
import { PolynomialDoubles } from '../src/polynomials/doubles.ts';

const IMPORTS = "import { Bytes, Words, fillBytes, imul, moveBytes } from '../../engine/intrinsics.ts';";

const programOf = (body: string): ReturnType<typeof parse> =>
  parse(`${IMPORTS}
export function made(memory: ArrayBuffer): Made {
  const words = new Words(memory);
  const bytes = new Bytes(memory);
  function run(p0: number): void { ${body} }
  return { run };
}`);

function flowOf(body: string): JavaScriptFlow {
  const flow = new JavaScriptFlow(programOf(body), 64);
  flow.write(0, 4, true);
  flow.write(4, 4, false);
  return flow;
}

describe('the flow of secrets through a text', () => {
  it.each([
    ['words[2] = words[0];', [0, 1, 2, 3, 8, 9, 10, 11]],
    ['words[0] = words[1];', []],
    ['words[0] = 5;', []],
    ['let x = words[0] + words[1]; words[1] = x * 2;', [0, 1, 2, 3, 4, 5, 6, 7]],
    ['bytes[5] = bytes[0] >>> 8;', [0, 1, 2, 3, 5]],
    ['fillBytes(bytes, 0, 1, 3);', [0, 3]],
    ['fillBytes(bytes, words[0], 6, 9);', [0, 1, 2, 3, 6, 7, 8]],
    ['moveBytes(bytes, 10, 2, 6);', [0, 1, 2, 3, 10, 11]],
    ['words[0] = p0; for (let i = 0; i < p0; i++) bytes[i] = i;', []],
  ])('%s', (body, left) => {
    const flow = flowOf(body);
    flow.call('run', 4);
    expect(flow.secretBytes({ taken: false })).toEqual(left);
  });

  it('knows what was taken, and that a copy of it was not', () => {
    const flow = flowOf('moveBytes(bytes, 10, 0, 2);');
    flow.read(0, 4);
    flow.call('run', 4);
    expect(flow.secretBytes({ taken: true })).toEqual([10, 11]);
    flow.read(10, 2);
    expect(flow.secretBytes({ taken: true })).toEqual([]);
    flow.write(1, 1, true);
    expect(flow.secretBytes({ taken: true })).toEqual([1]);
  });

  it.each([
    ['if (words[0] > 1) p0 = 1;', /leak|depends on a secret/],
    ['if (words[1] > 1) p0 = 1;', /is not known/],
    ['words[words[0]] = 1;', /depends on a secret/],
    ['p0 = words[16];', /no element 16/],
    ['words[16] = 1;', /stray-write/],
    ['fillBytes(bytes, 0, 60, 65);', /stray-write/],
    ['moveBytes(bytes, 62, 0, 4);', /stray-write/],
  ])('refuses %s', (body, message) => {
    expect(() => flowOf(body).call('run', 4)).toThrow(message);
  });

  it('holds bounds', () => {
    const flow = new JavaScriptFlow(programOf('words[p0] = words[0];'), 64, {
      reads: [range(0, 4)],
      writes: [range(8, 4)],
    });
    flow.call('run', 2);
    expect(() => flow.call('run', 3)).toThrow(/stray-write: writes byte 12/);
    const other = new JavaScriptFlow(programOf('words[2] = words[p0];'), 64, { reads: [range(0, 4)] });
    expect(() => other.call('run', 1)).toThrow(/over-read: reads byte 4/);
  });

  it('finds at least what terms find: a message that is sealed', () => {
    const { text, memoryBytes } = textOf('chacha');
    const program = parse(text);
    const terms = new JavaScriptMachine(program, { memoryBytes, doubles: new PolynomialDoubles() });
    const flow = new JavaScriptFlow(program, memoryBytes);
    for (const [address, length] of [
      [chacha.STATE + 16, 48],
      [chacha.AAD, 20],
      [chacha.STAGE, 100],
    ]) {
      terms.write(address, secrets(`at ${address}`, length));
      flow.write(address, length, true);
    }
    for (const run of [terms, flow]) run.call('seal', chacha.PLAIN, 20, 100);
    // Ciphertext and tag, and nothing else.
    const expected = Array.from({ length: 116 }, (_, i) => chacha.STAGE + i);
    expect(terms.secretBytes()).toEqual(expected);
    expect(flow.secretBytes({ taken: false })).toEqual(expected);
  });

  it('finds at least what terms find: a tree', () => {
    const { text, memoryBytes } = textOf('blake3');
    const program = parse(text);
    const terms = new JavaScriptMachine(program, { memoryBytes });
    const flow = new JavaScriptFlow(program, memoryBytes);
    terms.write(blake3.STAGE, secrets('message', 3000));
    flow.write(blake3.STAGE, 3000, true);
    for (const run of [terms, flow]) run.call('hash', 3000, 0);
    expect(flow.secretBytes({ taken: false })).toEqual(terms.secretBytes());
    expect(terms.secretBytes()).toContain(blake3.CV);
  });
});
