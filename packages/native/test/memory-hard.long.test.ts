/** Runs in Node only: Argon2 and scrypt on native code, in each width. */
import { scryptSync as nodeScrypt } from 'node:crypto';
import * as nodeCrypto from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { argon2dSync, argon2id, argon2idSync, argon2iSync, lanesOn } from '../../lanewise/src/argon2.ts';
import { argon2Kernel, ownInstance as ownArgon2 } from '../../lanewise/src/argon2/binding.ts';
import { addLast, beginLane, finish, seedOf } from '../../lanewise/src/argon2/derive.ts';
import { fill, firstOf, SLICES } from '../../lanewise/src/argon2/fill.ts';
import { ARGON2ID, callOf } from '../../lanewise/src/argon2/parameters.ts';
import type { Functions } from '../../lanewise/src/argon2/module.ts';
import { giveBackShared, sharedKernel } from '../../lanewise/src/argon2/shared-binding.ts';
import { describe as chosen, offerNative, select, type NativeCode } from '../../lanewise/src/engine.ts';
import { Instance } from '../../lanewise/src/engine/instance.ts';
import { createPool } from '../../lanewise/src/pool.ts';
import { scrypt, scryptSync } from '../../lanewise/src/scrypt.ts';
import { ownInstance as ownScrypt, scryptKernel } from '../../lanewise/src/scrypt/binding.ts';
import { expectBytes, sample } from '../../lanewise/test/support/bytes.ts';
import { underAttack } from '../../lanewise/test/support/hostile.ts';
import { codeOf, lanesHere } from '../src/kernels.ts';
import { addon } from './support/compiled.ts';

type Code = Extract<NativeCode, { lanes: number }>;

const [password, salt] = [sample(20, 1), sample(16, 2)];
const widths = addon ? lanesHere(addon) : [];

/** A result without native code. */
function inWebAssembly<Result>(work: () => Result): Result {
  select('simd');
  try {
    return work();
  } finally {
    select('native');
  }
}

/** Node's own Argon2, which it has from 24.7 on. */
const { argon2Sync } = nodeCrypto as unknown as {
  argon2Sync: (kind: string, options: object) => Buffer;
};

describe.skipIf(!addon).each(widths)('%i lanes', (lanes) => {
  const code = addon && (codeOf(addon, lanes) as Code);
  beforeEach(() => offerNative(code!));
  afterAll(() => offerNative({ reason: 'the test has ended' }));

  test('Argon2 as Node computes it: passes, memory and lanes', () => {
    for (const [t, m, p] of [
      [1, 8, 1],
      [2, 9, 1],
      [1, 100, 1],
      [3, 1000, 1],
      [2, 16, 2],
      [1, 33, 3],
      [2, 200, 4],
      [1, 4096, 5],
    ] as const)
      // prettier-ignore
      for (const [kind, derive] of [['argon2d', argon2dSync], ['argon2i', argon2iSync], ['argon2id', argon2idSync]] as const) {
        const expected = argon2Sync(kind, { message: password, nonce: salt, parallelism: p, tagLength: 40, memory: m, passes: t });
        expectBytes(derive(password, salt, { t, m, p, dkLen: 40 }), expected, `${kind}, t=${t}, m=${m}, p=${p}`);
        expect(chosen().engine).toBe('native');
      }
  });

  test('version 0x10 of Argon2 as WebAssembly computes it', () => {
    for (const [t, m, p] of [
      [1, 64, 1],
      [3, 100, 2],
    ] as const) {
      const work = () => argon2idSync(password, salt, { t, m, p, version: 0x10 });
      expectBytes(work(), inWebAssembly(work), `t=${t}, m=${m}, p=${p}`);
    }
  });

  test('scrypt as Node computes it: costs, rows and blocks', () => {
    for (const N of [2, 16, 128])
      for (const r of [1, 2, 3, 8, 9])
        for (const p of [1, 2, 5]) {
          const expected = nodeScrypt(password, salt, 70, { N, r, p });
          expectBytes(scryptSync(password, salt, { N, r, p, dkLen: 70 }), expected, `N=${N}, r=${r}, p=${p}`);
          expect(chosen().engine).toBe('native');
        }
  });

  test('in slices, and with lanes on threads that have WebAssembly: the same keys', async () => {
    const options = { t: 2, m: 4096, p: 3 };
    expectBytes(await argon2id(password, salt, options), argon2idSync(password, salt, options), 'in slices');
    const costs = { N: 1024, r: 8, p: 1, dkLen: 32 };
    expectBytes(await scrypt(password, salt, costs), nodeScrypt(password, salt, 32, costs), 'scrypt in slices');
    const pool = createPool({ threads: 2 });
    try {
      const its = { ...options, lanes: lanesOn(pool) };
      expectBytes(await argon2id(password, salt, its), argon2idSync(password, salt, options), 'on threads');
    } finally {
      await pool.close();
    }
  });

  test('native code fills lanes in memory that threads share', () => {
    const options = { t: 2, m: 1024, p: 4 };
    const { parameters, inputs } = callOf(ARGON2ID, password, salt, options, true);
    const { kernel } = sharedKernel(parameters.memory)!;
    expect(kernel).toBeInstanceOf(Instance);
    expect(kernel.memory.buffer).toBeInstanceOf(SharedArrayBuffer);
    const [seed, sum, key] = [seedOf(parameters, inputs), new Uint8Array(1024), new Uint8Array(32)];
    const each = (work: (lane: number) => void): void => [0, 1, 2, 3].forEach(work);
    each((lane) => beginLane(kernel.memory, parameters, seed, lane));
    for (let pass = 0; pass < parameters.t; pass++)
      for (let slice = 0; slice < SLICES; slice++)
        each((lane) => {
          const segment = { pass, slice, lane };
          fill(kernel, parameters, segment, firstOf(segment), parameters.columns / SLICES, lane);
        });
    each((lane) => addLast(kernel.memory, parameters, sum, lane));
    finish(sum, key);
    expectBytes(key, argon2idSync(password, salt, options), 'a key');
  });

  test('another engine gets the memory that was shared, and a kernel of its own', () => {
    const shared = sharedKernel(200_000)!;
    giveBackShared(shared);
    select('simd');
    const next = sharedKernel(200_000)!;
    select('native');
    expect(next.memory).toBe(shared.memory);
    expect([shared.kernel, next.kernel].map((kernel) => kernel instanceof Instance)).toEqual([true, false]);
  });

  test('in a call nothing is reached that a program can have replaced, on native code and on the js engine', () => {
    const calls = [
      [() => argon2idSync(password, salt, { t: 1, m: 64 }), argon2idSync(password, salt, { t: 1, m: 64 })],
      [() => scryptSync(password, salt, { N: 16, r: 2 }), nodeScrypt(password, salt, 32, { N: 16, r: 2 })],
    ] as const;
    for (const engine of ['native', 'js'] as const)
      for (const [call, expected] of calls) {
        select(engine);
        const { reached, error, result } = underAttack(call);
        select('native');
        expect({ engine, reached, error }).toEqual({ engine, reached: [], error: undefined });
        expectBytes(result as Uint8Array, expected, `${engine}: ${String(call)}`);
      }
  });

  test.each([
    ['Argon2', argon2Kernel, (bytes: number) => ownArgon2(bytes)],
    ['scrypt', scryptKernel, (bytes: number) => ownScrypt(bytes)],
  ] as const)('%s: its known answer, in a memory of its own, where no byte stays', (_, source, own) => {
    const base = code!.instanceOf(source as typeof argon2Kernel, Instance)!;
    expect(source.selfTest(base as never)).toBe(true);
    const { memory } = own(300_000);
    expect(memory.length).toBe(5 * 65_536);
    expect(memory.buffer).not.toBe(base.memory.buffer);
    for (const its of [memory, base.memory])
      expect(its.subarray(source.secrets).every((byte) => byte === 0)).toBe(true);
  });

  test('derivations wipe their memory, also after an error', async () => {
    const memories: Uint8Array[] = [];
    const watched: Code = {
      ...code!,
      instanceOf(source, make, own) {
        const made = code!.instanceOf(source, make, own);
        if (made && own !== undefined) memories.push(made.memory);
        return made;
      },
    };
    offerNative(watched);
    argon2idSync(password, salt, { t: 1, m: 777 });
    scryptSync(password, salt, { N: 64, r: 3 });
    const thrown = new Error('enough');
    const onProgress = (): never => {
      throw thrown;
    };
    await expect(argon2id(password, salt, { t: 9, m: 30_000, onProgress })).rejects.toBe(thrown);
    await expect(scrypt(password, salt, { N: 2 ** 15, r: 8, onProgress })).rejects.toBe(thrown);
    expect(memories).toHaveLength(4);
    for (const memory of memories) expect(Buffer.alloc(memory.length - 4096).equals(memory.subarray(4096))).toBe(true);
  });

  test('a memory is collected when nothing refers to its instance, and functions keep theirs', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const made = [ownArgon2, ownScrypt].map((own) => new WeakRef(own(2 ** 20).memory.buffer));
    const run = ((): Functions => {
      const instance = ownArgon2(2 ** 20);
      made.push(new WeakRef(instance.memory.buffer));
      return instance.run;
    })();
    for (let turn = 0; turn < 50 && made.slice(0, 2).some((one) => one.deref()); turn++) {
      await pause(1);
      collect();
    }
    expect(made.map((one) => one.deref() !== undefined)).toEqual([false, false, true]);
    run.compress(65_536, 66_560, 67_584, 0, 2048);
  });
});

describe.skipIf(!addon)('called directly', () => {
  const functionsOf = (text: string) => addon!.create(addon!.find(text), widths.at(-1)!, new Uint8Array(1 << 17))!;
  const call = (text: string, name: string, operands: readonly number[]): unknown =>
    (functionsOf(text)[name] as unknown as (...operands: readonly number[]) => unknown)(...operands);

  test.each([
    ['compress', [130_049, 65_536, 66_560, 0, 2048]],
    ['compress', [65_536, -1024, 66_560, 0, 2048]],
    ['fill', [64, 1, 0, 0, 0, 1, 10, 0]],
    ['fill', [64, 1, 1, 0, 0, 2, 10, 0]],
    ['fill', [64, 1, 0, 0, 0, 2, 17, 0]],
    ['fill', [68, 1, 0, 0, 0, 2, 10, 0]],
    ['fill', [66, 1, 0, 0, 0, 2, 10, 0]],
    ['fill', [4, 1, 0, 1, 0, 0, 1, 0]],
    ['fill', [64, 2, 0, 0, 0, 2, 10, 0]],
    ['fill', [64, 0, 0, 0, 0, 2, 10, 0]],
    ['fill', [64, 1, 0, 0, 0, 2, 10, 130_049]],
  ] as const)('Argon2: %s refuses addresses out of bounds: %j', (name, operands) => {
    expect(() => call(argon2Kernel.texts.vectors!, name, operands)).toThrow(
      new RangeError('memory access out of bounds'),
    );
  });

  test.each([
    ['compress', [131_009, 1]],
    ['compress', [1024, 0]],
    ['compress', [1024, 2 ** 32 - 1]],
    ['fill', [4096, 8, 124]],
    ['fill', [4096, 0, 1]],
    ['fill', [4096, 1, 0]],
    ['fill', [4096, 2 ** 32 - 1, 2 ** 32 - 1]],
    ['mix', [4096, 130_049, 5120, 8]],
    ['mix', [4096, 5120, -1024, 8]],
    ['mix', [4096, 5120, 6144, 0]],
  ] as const)('scrypt: %s refuses addresses out of bounds: %j', (name, operands) => {
    expect(() => call(scryptKernel.texts.scalar, name, operands)).toThrow(
      new RangeError('memory access out of bounds'),
    );
  });
});
