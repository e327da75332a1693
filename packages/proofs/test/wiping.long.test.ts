// The claims that nothing is left in memory: calls are recorded as they are made, secrets that are left are found, and
// the run without terms, on which these claims rest, misses nothing that the run on terms finds. All of them are proved
// by `npm run prove`; here those of the smaller kernels.
import { describe, expect, it } from 'vitest';
import * as chacha from '../../lanewise/src/keystream/map.ts';
import { Module } from '../../lanewise/src/wasm/module.ts';
import { copy, fill, loop, sequence, set, tee, when } from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import type { Statement } from '../../lanewise/src/wasm/types.ts';
import { Failure } from '../src/claims/claim.ts';
import { secrets } from '../src/claims/compare.ts';
import { FlowMachine, flowOf } from '../src/claims/flow.ts';
import { onMachine } from '../src/claims/machine.ts';
import type { FlowRunnable } from '../src/claims/runnable.ts';
import { Recorder, type Operation, type Slot } from '../src/claims/wiping-record.ts';
import { replay, slotsOf, usesOn, wipingClaims, wipingTextClaims, type Use } from '../src/claims/wiping.ts';
import { textOf } from '../src/javascript/texts.ts';
import { kernelOf, kernels } from '../src/kernels.ts';
import { plantedIn } from '../src/mutations/faults.ts';
import { rooms } from '../src/rooms.ts';
import { decode } from '../src/wasm/decode.ts';

// First of all: the recorder has to be there before the library is.
const simd = await usesOn('simd');

/** The kernel without relaxed instructions that an instance runs; with vectors if there are any. */
const kernelOfSlot = (slot: Slot): string =>
  kernels.find((kernel) => kernel.form !== 'relaxed' && slotsOf(kernel).includes(slot))!.name;
const { slots } = await Recorder.load();
const runs = (name: string): ReturnType<typeof flowOf> => flowOf(kernelOf(name));

describe('what is taken down', () => {
  it('of every group: calls that write, run and read, and wipe unless the kernel does', () => {
    const groups = new Set(simd.map(({ group }) => group));
    const named = rooms.flatMap(({ recorded }) => Object.values(recorded.groups).flat());
    expect([...groups].sort()).toEqual([...new Set(named)].sort());
    expect(groups.size).toBeGreaterThan(20);
    for (const group of groups) {
      const operations = simd.filter((use) => use.group === group).flatMap((use) => use.operations);
      const ops = new Set(operations.map(({ op }) => op));
      expect([...ops].sort(), group).toEqual(['call', 'read', 'wipe', 'write']);
    }
  });

  it('one call as it is written', async () => {
    const recorder = await Recorder.load();
    recorder.select('simd');
    const key = new Uint8Array(32).fill(1);
    const nonce = new Uint8Array(12).fill(2);
    const { recording, thrown } = recorder.record((library) =>
      library.chacha.chacha20(key, nonce, new Uint8Array(100), undefined, 0x0304),
    );
    expect(thrown).toBeUndefined();
    const word = (w: number): number => chacha.STATE + 4 * w;
    expect(recording).toEqual(
      new Map<Slot, Operation[]>([
        [
          'chacha long',
          [
            { op: 'write', address: word(4), length: 32 },
            { op: 'write', address: word(13), length: 12 },
            { op: 'write', address: chacha.STAGE, length: 100 },
            // The counter is written byte by byte, which shows when the kernel is called.
            { op: 'write', address: word(12), length: 1 },
            { op: 'write', address: word(12) + 1, length: 1 },
            { op: 'call', name: 'xor', parameters: [chacha.PLAIN, 10, chacha.STAGE, 2] },
            { op: 'read', address: chacha.STAGE, length: 100 },
            { op: 'wipe', from: chacha.STATE, to: chacha.STAGE + 100 + 256 },
          ],
        ],
      ]),
    );
  });

  const bySlot = (uses: readonly Use[], slots: readonly Slot[]): string[] =>
    uses.filter(({ slot }) => slots.includes(slot)).map((use) => JSON.stringify([use.name, use.operations]));

  it('is the same on the scalar engine', async () => {
    expect(bySlot(await usesOn('scalar'), slots)).toEqual(bySlot(simd, slots));
  });

  it('is the same on the js engine, where one instance serves all lengths', async () => {
    const js = await usesOn('js');
    // A call that takes both instances elsewhere is one use there.
    const uses = new Map<string, number>();
    for (const { name } of simd) uses.set(name, (uses.get(name) ?? 0) + 1);
    const single = (list: readonly Use[]): string[] =>
      bySlot(
        list.filter(({ name }) => uses.get(name) === 1),
        slots,
      );
    expect(single(js)).toEqual(single(simd));
    expect(new Set(js.map(({ name }) => name))).toEqual(new Set(uses.keys()));
  });
});

describe('nothing is left', () => {
  const small = ['chacha short relaxed', 'chacha short scalar', 'poly1305 scalar'];
  it.each(small.flatMap((name) => wipingClaims(kernelOf(name))))('$kernel: $claim', async (claim) => {
    await claim.prove();
  });
  it.each(wipingTextClaims(textOf('poly1305')))('$kernel: $claim', async (claim) => {
    await claim.prove();
  });
});

describe('what is left is found', () => {
  const short = simd.filter(({ operations }) => operations.every((x) => x.op !== 'write' || x.length < 6000));
  const leavesSecrets = (use: Use): boolean => replay(use, runs(kernelOfSlot(use.slot))).length > 0;

  it.each([...new Set(short.map(({ group }) => group))])('%s, without the wipe', (group) => {
    // BLAKE3 of nothing has no secret.
    const has = (use: Use, wanted: Operation['op']): boolean => use.operations.some(({ op }) => op === wanted);
    const uses = short.filter((use) => use.group === group && has(use, 'wipe') && has(use, 'write'));
    expect(uses.length).toBeGreaterThan(5);
    for (const use of uses.filter((_, i) => i % 20 === 0)) {
      expect(leavesSecrets(use), use.name).toBe(false);
      const unwiped = { ...use, operations: use.operations.filter(({ op }) => op !== 'wipe') };
      // Ciphertext may stay, and the kernel wipes more than that itself when it has encrypted.
      const mayStay = use.remains === 'given out' && !use.name.includes('before call');
      if (!mayStay) expect(leavesSecrets(unwiped), use.name).toBe(true);
    }
  });

  it('a wipe that ends a byte too early', () => {
    const use = short.find(({ name }) => name === 'chacha20, key of 32 bytes, 64 bytes')!;
    const operations = use.operations.map((x): Operation => (x.op === 'wipe' ? { ...x, to: chacha.STAGE + 63 } : x));
    expect(replay({ ...use, operations }, runs(kernelOfSlot(use.slot)))).toEqual([chacha.STAGE + 63]);
  });

  it('a wipe that begins a byte too late', () => {
    const use = short.find(({ name }) => name === 'chacha20, key of 32 bytes, 64 bytes')!;
    const late = (x: Operation): Operation => (x.op === 'wipe' ? { ...x, from: chacha.STATE + 17 } : x);
    expect(replay({ ...use, operations: use.operations.map(late) }, runs(kernelOfSlot(use.slot)))).toEqual([
      chacha.STATE + 16,
    ]);
  });

  it('ciphertext that was not given out', () => {
    const use = short.find(({ name }) => name === 'chacha20poly1305, 0 bytes of AAD, 500 bytes, attached')!;
    expect(use.remains).toBe('given out');
    const operations = use.operations.map((x): Operation => (x.op === 'read' ? { ...x, length: 515 } : x));
    expect(replay({ ...use, operations }, runs(kernelOfSlot(use.slot)))).toEqual([chacha.STAGE + 515]);
  });

  const unwiped = ['chacha short scalar', 'chacha short relaxed'].flatMap((name) =>
    plantedIn(kernelOf(name)).filter(({ found }) => found.as === 'unwiped'),
  );
  it.each(unwiped)('$kernel.name: $planted', async ({ kernel }) => {
    const failures: unknown[] = [];
    for (const claim of wipingClaims(kernel))
      await Promise.resolve(claim.prove()).catch((e: unknown) => failures.push(e));
    expect(failures.filter((error) => error instanceof Failure).length).toBeGreaterThan(0);
  });
});

describe('a run without terms', () => {
  const machineOf = (body: Statement, ranges = {}): FlowMachine => {
    const module = new Module(1);
    module.define('run', ['i32'], undefined, () => [body]);
    const machine = new FlowMachine(decode(module.bytes()), 65536, ranges);
    machine.write(0, 4, true);
    machine.write(4, 4, false);
    return machine;
  };
  const left = (body: Statement): number[] => {
    const machine = machineOf(body);
    machine.call('run', 3);
    return machine.secretBytes({ taken: false });
  };

  it.each<[string, Statement, number[]]>([
    ['a copy by word', i32.store(0, 8, i32.load(0, 0)), [0, 1, 2, 3, 8, 9, 10, 11]],
    ['an overwritten secret', i32.store(0, 0, i32.load(0, 4)), []],
    ['arithmetic', i32.store(0, 4, i32.mul(i32.load(0, 0), i32.load(0, 4))), [0, 1, 2, 3, 4, 5, 6, 7]],
    ['a byte', i32.store8(20, 0, i32.load8_u(3, 0)), [0, 1, 2, 3, 20]],
    ['a vector', v128.store(0, 16, v128.load(0, 0)), [0, 1, 2, 3, ...Array.from({ length: 16 }, (_, i) => 16 + i)]],
    ['memory.fill', fill(0, 0, 3), [3]],
    ['memory.fill with a secret', fill(8, i32.load(0, 0), 2), [0, 1, 2, 3, 8, 9]],
    ['memory.copy, overlapping', copy(2, 0, 4), [0, 1, 2, 3, 4, 5]],
    ['a branch taken', when(i32.eq(i32.value(1), 1), fill(0, 0, 4)), []],
    ['a branch not taken', when(i32.eq(i32.value(1), 2), fill(0, 0, 4), fill(0, 0, 1)), [1, 2, 3]],
  ])('follows %s', (_, body, expected) => {
    expect(left(body)).toEqual(expected);
  });

  it('follows loops', () => {
    const module = new Module(1);
    module.define('run', ['i32'], undefined, (frame, count) => {
      const at = frame.local('i32');
      return [loop(sequence(i32.store8(at, 0, 0), set(at, i32.add(at, 1))), tee(count, i32.sub(count, 1)))];
    });
    const machine = new FlowMachine(decode(module.bytes()), 65536);
    machine.write(0, 4, true);
    machine.call('run', 3);
    expect(machine.secretBytes({ taken: false })).toEqual([3]);
  });

  it('drops what is on the stack of a block that it leaves', () => {
    // 0 is the address for the last store; the 8 in the block would be one for the store behind the branch.
    const code =
      'i32.const 0, block, i32.const 8, i32.const 1, br_if 0, i32.const 0, i32.store, end, i32.const 0, i32.store';
    const bytes: Readonly<Record<string, string>> = {
      block: '\x02\x40',
      'br_if 0': '\x0d\x00',
      end: '\x0b',
      'i32.store': '\x36\x02\x00',
    };
    const encoded = code.split(', ').map((op) => bytes[op] ?? '\x41' + String.fromCharCode(Number(op.split(' ')[1])));
    expect(left(encoded.join('') as Statement)).toEqual([]);
  });

  it('knows what the caller has taken, until it is written again', () => {
    const machine = machineOf(i32.store(0, 0, i32.load(0, 0)));
    machine.read(0, 4);
    expect(machine.secretBytes({ taken: true })).toEqual([]);
    expect(machine.secretBytes({ taken: false })).toEqual([0, 1, 2, 3]);
    machine.call('run', 0);
    expect(machine.secretBytes({ taken: true })).toEqual([0, 1, 2, 3]);
  });

  it.each<[string, Statement, object, RegExp]>([
    ['a secret branch', when(i32.load(0, 0), fill(0, 0, 0)), {}, /leak: if .* a secret/],
    ['a secret address', i32.store(i32.load(0, 0), 0, 0), {}, /leak: i32.store .* a secret/],
    ['a secret length', fill(8, 0, i32.load(0, 0)), {}, /leak: memory.fill .* a secret/],
    ['a branch on memory', when(i32.load(0, 4), fill(0, 0, 0)), {}, /leak: if .* memory/],
    ['a read of what was there before', i32.store(0, 0, i32.load(0, 8)), { reads: [] }, /over-read: .* address 8/],
    ['a stray write', i32.store(0, 6, 0), { writes: [{ from: 0, to: 8 }] }, /stray-write: .* address 8/],
    ['what does not end', loop(fill(0, 0, 0), 1), {}, /more than 20000000 steps/],
    ['the end of memory', i32.store(0, 65533, 0), {}, /stray-write: .* address 65536/],
  ])('refuses %s', (_, body, ranges, message) => {
    const machine = machineOf(body, ranges);
    expect(() => machine.call('run', 3)).toThrow(message);
  });

  it.each([
    ['chacha short relaxed', 'seal', [chacha.EXTENDED, 5, 40]],
    ['chacha long scalar', 'open', [chacha.PLAIN, 21, 200]],
    ['chacha long swizzle', 'encrypt', [1, 0, 1100]],
    ['chacha long relaxed', 'xor', [chacha.PLAIN, 4, chacha.STAGE, 7]],
  ] as const)('misses nothing that terms know: %s, %s', (name, call, parameters) => {
    const kernel = kernelOf(name);
    const onTerms = onMachine(kernel).start();
    const flow: FlowRunnable = flowOf(kernel).start();
    for (const { from, to } of [
      { from: chacha.STATE, to: chacha.STATE + 80 },
      { from: chacha.AAD, to: chacha.AAD + 21 },
      { from: chacha.STAGE, to: chacha.STAGE + 1200 },
    ]) {
      onTerms.write(from, secrets(`given ${from}`, to - from));
      flow.write(from, to - from, true);
    }
    onTerms.call(call, ...parameters);
    flow.call(call, ...parameters);
    const found = new Set(flow.secretBytes({ taken: false }));
    const missed = onTerms.secretBytes().filter((at) => !found.has(at));
    expect(missed).toEqual([]);
    expect(found.size).toBeGreaterThan(100);
  });
});
