/** Kernels of the AEADs in which one thing is wrong are not proved. `npm run prove` proves those that ship, at all lengths. */
import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AAD, STAGE, PLAIN, STATE } from '../../lanewise/src/keystream/map.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import type { Expression } from '../../lanewise/src/wasm/types.ts';
import { aeadClaims, aeadTextClaims } from '../src/rooms/chacha/aead-claims.ts';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { onDoubles, onIntegers, type PolynomialKernel } from '../src/rooms/poly1305/run.ts';
import { shippedReducer } from '../src/rooms/poly1305/claims.ts';
import { textOf } from '../src/javascript/texts.ts';
import { kernelOf, type Kernel } from '../src/kernels.ts';
import { edited } from '../src/mutations/patch.ts';
import { constant, evaluateAll, variable, type Term } from '../src/terms/term.ts';
import { decode } from '../src/wasm/decode.ts';
import type { DecodedFunction, Instruction } from '../src/wasm/types.ts';

const SHORT = ['seal 0 bytes with 0', 'open 0 bytes with 0', 'seal 17 bytes with 16', 'open 52 bytes with 12', '2^32'];
const WOVEN = ['seal 961 bytes', 'seal 1025 bytes with 0', 'open 512 bytes', 'open 1025 bytes', 'in 2 parts'];

const those = (claims: readonly Claim[], names: readonly string[]): Claim[] => {
  for (const name of names) expect(claims.some(({ claim }) => claim.includes(name))).toBe(true);
  return claims.filter(({ claim }) => names.some((name) => claim.includes(name)));
};

it('`npm run prove` is asked for more lengths than these', () => {
  const counts = ['short', 'long'].map((length) =>
    ['relaxed', 'swizzle', 'scalar'].map((form) => aeadClaims(kernelOf(`chacha ${length} ${form}`)).length),
  );
  expect(counts).toEqual([
    [51, 51, 51],
    [55, 55, 35],
  ]);
  expect(aeadTextClaims(textOf('chacha')).length).toBe(81);
});

describe('what a run ends with', () => {
  const aadLength = 17;
  const bytes = (name: string, count: number): Term[] =>
    Array.from({ length: count }, (_, i) => variable(8, `${name} ${i}`, true));
  const engines: { kernel: PolynomialKernel; length: number }[] = [
    { kernel: onIntegers(kernelOf('chacha long relaxed')), length: 1000 },
    { kernel: onDoubles(textOf('chacha'), shippedReducer()), length: 150 },
  ];

  it.each(engines)('has the values that OpenSSL computes: $kernel.name', ({ kernel, length }) => {
    const { run, ring } = kernel.start();
    run.write(STATE + 16, [...bytes('key', 32), ...Array<Term>(4).fill(constant(8, 0)), ...bytes('nonce', 12)]);
    run.write(AAD, bytes('aad', aadLength));
    run.write(STAGE, bytes('message', length));
    run.call('seal', PLAIN, aadLength, length);
    const sealed = run.read(STAGE, length + 16);
    for (let n = 0; n < 2; n++) {
      const values = {
        key: randomBytes(32),
        nonce: randomBytes(12),
        aad: randomBytes(17),
        message: randomBytes(length),
      };
      const { assignment } = ring.evaluator((name) => {
        const [what, i] = name.split(' ');
        return values[what as keyof typeof values][Number(i)];
      });
      const cipher = createCipheriv('chacha20-poly1305', values.key, values.nonce, { authTagLength: 16 });
      cipher.setAAD(values.aad, { plaintextLength: length });
      const expected = Buffer.concat([cipher.update(values.message), cipher.final(), cipher.getAuthTag()]);
      expect(Buffer.from(evaluateAll(sealed, assignment).map(Number)).equals(expected)).toBe(true);
    }
  });
});

/** The message of the first claim that fails. */
async function failure(claims: readonly Claim[]): Promise<string> {
  for (const claim of claims) {
    try {
      await claim.prove();
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    }
  }
  return 'all proved';
}

interface Fault {
  /** The exported function that it is in; in any unless given. */
  readonly in?: string;
  readonly is: (step: Instruction) => boolean;
  /** The index of the instruction among several; -1 for the last. */
  readonly nth?: number;
  /** The code that replaces the instruction, or the given number of instructions from there on. */
  readonly code: string;
  readonly removed?: number;
}

function broken(kernel: Kernel, fault: Fault): Kernel {
  const { functions } = decode(kernel.bytes);
  const found = functions
    .filter(({ name }) => fault.in === undefined || name === fault.in)
    .flatMap(({ code }: DecodedFunction) =>
      code.flatMap((step, i) =>
        fault.is(step) ? [{ at: step.at, removed: code[i + (fault.removed ?? 1)].at - step.at, code: fault.code }] : [],
      ),
    );
  const edit = found.at(fault.nth ?? 0);
  if (!edit) throw new Error('the kernel has no such instruction');
  const bytes = edited(kernel.bytes, functions, [edit]);
  expect(WebAssembly.validate(bytes)).toBe(true);
  return { ...kernel, bytes };
}

const op =
  (name: string) =>
  (step: Instruction): boolean =>
    step.op === name;
const value =
  (number: number) =>
  (step: Instruction): boolean =>
    step.op === 'i32.const' && step.value === number;
const local =
  (index: number) =>
  (step: Instruction): boolean =>
    step.op === 'local.get' && step.local === index;
const get = (index: number): string => '\x20' + String.fromCharCode(index);
const drop = '\x1a';
const word = '' as Expression<'i32'>;

describe('broken', () => {
  const TAG = 'not congruent mod 2^130 - 5';
  const short = kernelOf('chacha short scalar');
  const long = kernelOf('chacha long relaxed');
  it.each<[what: string, expected: string, kernel: Kernel, fault: Fault]>([
    ['a word of the tag is not compared', 'verdict', short, { in: 'verify', is: op('i32.or'), code: drop }],
    ['a difference hides another', 'verdict', short, { in: 'verify', is: op('i32.or'), nth: 1, code: '\x71' }],
    ['the verdict is turned', 'verdict', short, { in: 'verify', is: op('i32.eqz'), code: i32.ne(word, 5) }],
    ['one length twice', TAG, short, { in: 'finish', is: local(2), code: get(0) }],
    ['the high half of a length left out', TAG, short, { in: 'finish', is: local(3), code: i32.value(0) }],
    ['additional data left out', TAG, short, { in: 'encrypt', is: local(1), code: i32.value(0) }],
    [
      'a byte of the message left out',
      TAG,
      short,
      { in: 'encrypt', is: local(2), nth: -1, code: i32.sub('\x20\x02' as Expression<'i32'>, 1) },
    ],
    ['18 rounds', 'more than an accumulator and s', short, { in: 'encrypt', is: value(10), code: i32.value(9) }],
    ['a tag of 15 bytes', 'over-read', short, { in: 'open', is: value(16), code: i32.value(15) }],
    ['a wipe that ends early', 'depend on secrets', short, { in: 'seal', is: value(256), code: i32.value(16) }],
    ['a MAC that steps too short', TAG, long, { is: value(48), code: i32.value(32) }],
    ['a MAC that starts late', TAG, long, { in: 'encrypt', is: value(2880), nth: 3, code: i32.value(2896) }],
    [
      'what the first part overran not put back',
      'ciphertext',
      long,
      { is: op('memory.copy'), nth: 1, code: drop + drop + drop },
    ],
  ])('%s', async (_, expected, kernel, fault) => {
    const names = kernel.short ? SHORT : WOVEN;
    expect(await failure(those(aeadClaims(broken(kernel, fault)), names))).toContain(expected);
  });
});
