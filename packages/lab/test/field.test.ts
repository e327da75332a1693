/** The selection of contestants: those that are available and give the right known answer. */
import { beforeAll, describe, expect, test } from 'vitest';
import { describe as describeEngine } from 'lanewise/engine.js';
import { auto } from '../src/client/contestants/lanewise.ts';
import { nobleCiphers } from '../src/client/contestants/noble.ts';
import type { Contestant } from '../src/client/contestants/contestant.ts';
import { caseOf } from '../src/client/contest.ts';
import { casesOf, fieldOf } from '../src/client/field.ts';
import { kernelCases } from '../src/client/kernel-cases.ts';
import { aeadPerformer, chacha20poly1305 } from '../src/rooms/aead/operations.ts';
import { chacha20 } from '../src/rooms/chacha/operations.ts';
import {
  allocated,
  synchronous,
  type Entrant,
  type Operation,
  type Performer,
  type Work,
} from '../src/client/operation.ts';
import type { KernelForm } from '../src/kernels/form.ts';
import { kernelForms } from '../src/client/rooms.ts';

const contestant = (name: string, more: Partial<Contestant> = {}): Contestant => ({
  name,
  library: name,
  standing: 'rival',
  version: '1',
  ...more,
});

const work: Work = {
  key: new Uint8Array(),
  nonce: new Uint8Array(),
  data: Uint8Array.of(1, 2),
  expected: Uint8Array.of(254, 253),
};
const complement = (data: Uint8Array) => data.map((byte) => ~byte);
const can = (
  name: string,
  more: Partial<Performer & Contestant> = {},
  run: (data: Uint8Array) => Uint8Array = complement,
): Performer => ({
  ...synchronous(contestant(name, more), () => run),
  ...(more.takes && { takes: more.takes }),
});

/** An operation that complements each byte. Each library has one performer, or a reason for having none. */
const operation = (...performers: (Performer | Error)[]): Operation => ({
  id: 'complement',
  primitive: 'Complement',
  operation: 'complement',
  work: () => Promise.resolve(work),
  knownAnswer: work,
  entrants: performers.map((performer) =>
    performer instanceof Error
      ? { library: 'broken', load: () => Promise.reject(performer) }
      : { library: performer.contestant.library, load: () => Promise.resolve([performer]) },
  ),
});
const names = ({ performers }: { performers: readonly Performer[] }) =>
  performers.map(({ contestant: { name } }) => name);
const all = { ours: [] };

describe('the field', () => {
  test('leaves out who is not invited, is not there, or cannot', async () => {
    const of = operation(
      can('one'),
      can('other'),
      can('absent', { unavailable: 'not on this machine' }),
      can('throwing', {}, () => {
        throw new Error('Unknown cipher');
      }),
      can('short', { takes: (bytes) => bytes < 10 }),
      new Error('it does not load'),
    );
    const field = await fieldOf(of, all, 10);
    expect(names(field)).toEqual(['one', 'other']);
    expect(field.absent).toEqual([
      { case: 'absent', contestant: 'absent', reason: 'not on this machine' },
      { case: 'throwing', contestant: 'throwing', reason: 'Unknown cipher' },
      { case: 'broken', contestant: 'broken', reason: 'it does not load' },
    ]);
    expect(names(await fieldOf(of, all, 9))).toEqual(['one', 'other', 'short']);
    expect(names(await fieldOf(of, { ours: [], rivals: ['other', 'broken'] }, 10))).toEqual(['other']);
    expect(names(await fieldOf(of, { ours: [], without: ['other'] }, 10))).toEqual(['one']);
  });

  test('has one engine of ours for each that was asked for', async () => {
    expect(names(await fieldOf(chacha20, { ours: ['simd', 'js'], rivals: [] }, 64))).toEqual([
      'lanewise simd',
      'lanewise js',
    ]);
    expect(names(await fieldOf(chacha20, { ours: ['auto'], rivals: [] }, 64))).toEqual(['lanewise auto']);
  });

  test('has native code for the primitives that have it, or says why there is none', async () => {
    const only = { ours: ['native'], rivals: [] } as const;
    const { performers, absent } = await fieldOf(chacha20, only, 65536);
    expect([...names({ performers }), ...absent.map(({ case: id }) => id)]).toEqual(['lanewise native']);
    for (const { reason } of absent) expect(reason).toMatch(/^"engine" native is not available: \w+/);
    for (const { contestant: its } of performers) {
      its.prepare!();
      expect(describeEngine().engine).toBe('native');
      auto.prepare!();
      expect(describeEngine().engine).toBe('simd');
    }
    const other = { ...operation(can('one', { library: 'lanewise', engine: 'native' })), primitive: 'Complement' };
    expect(await fieldOf(other, only, 10)).toEqual({ performers: [], absent: [], wrong: [] });
  });

  test('a wrong known answer is a fault of the case, even if it is right here', async () => {
    const later = can('wrong at first', {}, complement);
    let calls = 0;
    const of = operation(can('right'), {
      ...later,
      start: () => (data: Uint8Array) => (calls++ === 0 ? data : complement(data)),
    } as Performer);
    const { cases } = await casesOf(of, all, work, 2);
    expect(await Promise.all(cases.map(async ({ id, fault }) => [id, await fault()]))).toEqual([
      ['right', undefined],
      ['wrong at first', 'gives wrong bytes for the known answer'],
    ]);
  });
});

describe('a case', () => {
  test('reports the fault of its result', async () => {
    const faults: (string | undefined)[] = [];
    for (const run of [
      complement,
      (data: Uint8Array) => data,
      (data: Uint8Array) => complement(data).subarray(1),
      () => {
        throw new Error('no mood');
      },
    ]) {
      const item = await caseOf(operation(), can('one', {}, run), work);
      faults.push(await item.fault());
    }
    expect(faults).toEqual([undefined, 'gives wrong bytes', 'gives wrong bytes', 'throws: no mood']);
  });

  test('has no output buffer if its contestants allocate, neither for the known answer nor here', async () => {
    const buffers: unknown[] = [];
    const library = (name: string): Entrant => ({
      library: name,
      load: () =>
        Promise.resolve([
          synchronous(contestant(name), () => (data, out) => {
            buffers.push(out);
            return complement(data);
          }),
        ]),
    });
    const both: Operation = { ...operation(), entrants: [library('one'), library('other')] };
    await casesOf(both, all, work, 2);
    expect(buffers).toEqual([new Uint8Array(2), new Uint8Array(2)]);
    buffers.length = 0;
    const without = allocated(both, ['one']);
    expect([without.id, without.operation]).toEqual(['complement-allocated', 'complement, allocated']);
    const { cases } = await casesOf(without, all, work, 2);
    expect(await Promise.all(cases.map(async ({ id, fault }) => [id, await fault()]))).toEqual([['one', undefined]]);
    expect(buffers).toEqual([undefined, undefined]);
  });

  test('is set up before it is asked', async () => {
    const order: string[] = [];
    const prepared = can('one', { prepare: () => void order.push('prepare') }, (data) => {
      order.push('run');
      return complement(data);
    });
    const item = await caseOf(operation(), prepared, work);
    order.length = 0;
    await item.fault();
    expect(order).toEqual(['prepare', 'run']);
    expect(item.before).toBe(prepared.contestant.prepare);
  });
});

test('who refuses every message has no part in refusing forgeries', async () => {
  const refusing = aeadPerformer('chacha20poly1305', 'reject', contestant('refusing'), () => ({
    seal: (plaintext) => plaintext,
    open: () => {
      throw new Error('Unknown cipher');
    },
  }));
  const honest = aeadPerformer('chacha20poly1305', 'reject', contestant('honest'), (key, nonce) =>
    nobleCiphers.aead('chacha20poly1305', key, nonce),
  );
  const credulous = aeadPerformer('chacha20poly1305', 'reject', contestant('credulous'), (key, nonce) => {
    const { seal } = nobleCiphers.aead('chacha20poly1305', key, nonce);
    // ChaCha20 without the MAC: sealing a sealed message gives the message, followed by garbage.
    return {
      seal,
      open: (sealed) => (seal(sealed.subarray(0, -16), new Uint8Array(sealed.length)) as Uint8Array).subarray(0, -16),
    };
  });
  const of: Operation = {
    ...chacha20poly1305.reject,
    entrants: [refusing, honest, credulous].map((performer) => ({
      library: performer.contestant.library,
      load: () => Promise.resolve([performer]),
    })),
  };
  const field = await fieldOf(of, all, 20);
  expect(names(field)).toEqual(['honest']);
  expect(field.absent).toEqual([{ case: 'refusing', contestant: 'refusing', reason: 'Unknown cipher' }]);
  expect(field.wrong).toMatchObject([{ performer: credulous, fault: 'gives wrong bytes for the known answer' }]);
});

describe('kernels', () => {
  let form: KernelForm;
  beforeAll(async () => {
    [form] = await kernelForms();
  });
  const blocks = (count: number): Promise<Work> =>
    chacha20.work(new Uint8Array(64 * count).fill(5), new Uint8Array(32).fill(6), new Uint8Array(12).fill(7));

  test('share an instance, and each has its own input when it is its turn', async () => {
    const [short, long] = await Promise.all([blocks(1), blocks(9)]);
    const cases = [short, long].flatMap((each) => kernelCases(chacha20, [form], each, {}).cases);
    for (let turn = 0; turn < 3; turn++) {
      for (const item of cases) {
        expect(await item.fault()).toBeUndefined();
        item.before?.();
        item.run();
      }
    }
  });

  test('are absent where they do not fit or do not compile', async () => {
    const odd = { ...(await blocks(1)), data: new Uint8Array(65) };
    expect(kernelCases(chacha20, [form], odd, {}).absent).toMatchObject([
      { reason: 'takes multiples of 64 up to 65536 bytes' },
    ]);
    const broken = { ...form, moduleName: 'broken', module: () => ({ bytes: () => Uint8Array.of(0, 1, 2) }) } as never;
    expect(kernelCases(chacha20, [broken], await blocks(1), {}).absent).toMatchObject([
      { case: form.name, reason: expect.stringMatching(/magic|WebAssembly/) as string },
    ]);
  });

  test('see a kernel that is wrong', async () => {
    const one = await blocks(4);
    const wrong = { ...one, expected: one.expected.map((byte, i) => (i === 200 ? byte ^ 1 : byte)) };
    const [item] = kernelCases(chacha20, [form], wrong, {}).cases;
    expect(await item.fault()).toBe('gives wrong bytes');
  });
});
