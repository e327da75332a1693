// The modules that call kernels have no way that nobody takes: the calls that are recorded for the claims about wiping, and
// some that are refused, take both ways of every condition. What is left out, or done besides, at one length that no call
// has shows here, as it does in kernels by coverage.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Library } from '../src/claims/recorded.ts';
import { BranchRecorder, conditionsIn } from '../src/library/branches.ts';
import { rooms } from '../src/rooms.ts';

const source = join(import.meta.dirname, '../../lanewise/src');

/** What hands its messages on to these. */
const AROUND = ['keystream/counter.ts', 'calls/aead.ts', 'calls/parts.ts', 'blake3/hasher.ts'];
const callsKernels = (file: string): boolean =>
  !/binding|self-test/.test(file) &&
  /from '\.\.?\/(?:[\w-]+\/)?(?:(?:[\w-]+-)?binding|engine\/instance)\.ts'/.test(
    readFileSync(join(source, file), 'utf8'),
  );
const files = [
  ...AROUND,
  ...globSync('{blake3,chacha,disk,keystream,poly1305,salsa,serpent}/*.ts', { cwd: source }).filter(callsKernels),
].sort();

const scenarios = rooms.flatMap((room) => room.recorded.scenarios());

const key = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
const nonce = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(7);
const ones = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(1);
const none = new Uint8Array(0);
const STAGE = 122_880;

/** The library's modules, and one more of which nothing is recorded. */
type Modules = Library & { readonly nacl: typeof import('../../lanewise/src/nacl.ts') };
type Call = (library: Modules) => unknown;

/** What memory tells nothing of, and so is not recorded: options, ends, no bytes at all. */
const ordinary: readonly Call[] = [
  // Output that runs into what is still to be read, in parts; and what another thread may change.
  ({ chacha }) => {
    const buffer = ones(STAGE + 100);
    const length = STAGE + 50;
    return chacha.xchacha20poly1305(key, nonce(24)).encryptDetached(buffer.subarray(0, length), buffer.subarray(50));
  },
  ({ chacha }) => {
    const sealed = chacha.chacha20poly1305(key, nonce(12)).encrypt(ones(STAGE + 1));
    const shared = new Uint8Array(new SharedArrayBuffer(sealed.length));
    shared.set(sealed);
    return chacha.chacha20poly1305(key, nonce(12)).decrypt(shared, ones(STAGE + 1));
  },
  // The tag apart, of messages that are staged whole and that are not.
  ...[10, STAGE + 100].map((length): Call => ({ salsa: { secretbox } }) => {
    const { ciphertext, tag } = secretbox(key, nonce(24)).encryptDetached(ones(length));
    return secretbox(key, nonce(24)).decryptDetached(ciphertext, tag, ones(length));
  }),
  // Counters at their ends.
  ({ chacha }) => chacha.xchacha20(key, nonce(24), ones(64), undefined, 2n ** 64n - 1n),
  ({ chacha }) => {
    const stream = chacha.chacha20.stream(key, nonce(12));
    stream.seek(2 ** 38).update(none);
    return stream.seek(2 ** 38 - 64).update(ones(64));
  },
  ({ serpent }) => serpent.ctr(key, new Uint8Array(16).fill(255)).encrypt(ones(16)),
  ({ serpent }) => serpent.ctr(key, new Uint8Array(16).fill(255, 0, 9)).encrypt(ones(16)),
  ({ disk }) => disk.adiantum(key).encryptPages(ones(64), { pageSize: 32, first: 2 ** 53 - 1, tweak: 'offset64' }),
  ({ disk }) => disk.adiantum(key).encryptPages(ones(64), { pageSize: 32, first: 2 ** 53 - 1, tweak: () => ones(8) }),
  ({ disk }) => disk.adiantum(key).encryptPages(ones(64), { pageSize: 32, first: 7n, tweak: 'index64' }),
  // Nothing to be done.
  ({ chacha }) => chacha.chacha20(key, nonce(12), none),
  ({ serpent }) => serpent.ctr(key, nonce(16)).encrypt(none),
  ({ serpent }) => serpent.cbc(key, nonce(16), { disablePadding: true }).decrypt(none, none),
  ({ serpent }) => serpent.cbc(key, nonce(16), { disablePadding: true }).encrypt(none),
  ({ serpent }) => serpent.cbc.encryptMany(key, [], []),
  ({ blake3 }) => blake3.blake3.create().xofInto(none),
  ({ disk }) => disk.hpolyc(key).encryptPages(none, { pageSize: 32, tweak: 'index64' }),
  // Options.
  ({ serpent }) => serpent.ecb(key, { disablePadding: true }).decrypt(ones(STAGE + 16)),
  ({ serpent }) => serpent.ecb(key).decrypt(serpent.ecb(key).encrypt(ones(20)), ones(32)),
  ({ serpent }) => serpent.ecb(key).decrypt(serpent.ecb(key).encrypt(ones(STAGE + 3))),
  ({ serpent }) => {
    const many = Array.from({ length: 40 }, (_, i) => ones(i % 3 ? 16 * (i % 4) : 0));
    const ivs = many.map((_, i) => nonce(16).fill(i));
    return serpent.cbc.encryptMany(key, ivs, many, { disablePadding: true });
  },
  ({ blake3 }) => blake3.hashMany([ones(10), ones(2000)], { dkLen: 100 }),
  ({ disk }) => {
    const cipher = disk.adiantum(key);
    const options = { pageSize: 512 };
    cipher.encryptPages(ones(1024), { ...options, tweak: 'dm-crypt' });
    cipher.encryptPages(ones(1024), { ...options, tweak: 'dm-crypt-large' });
    cipher.encryptPages(ones(1024), { ...options, tweak: { fscrypt: nonce(16) } });
  },
  ({ blake3 }) => {
    const hasher = blake3.blake3.create().update(ones(10));
    hasher.xof(10);
    hasher.seek(2 ** 40).xof(10);
    return hasher.reset().reset().count;
  },
  ({ blake3 }) => {
    // Of one subtree of 2^6 chunks, which becomes one of 2^44.
    const state = blake3.blake3.create().update(ones(65_537)).save();
    state.set([0, 0, 0, 0, 0, 16], 8);
    expect(blake3.blake3.load(state).count).toBe(2n ** 54n + 1n);
  },
  ({ blake3: { blake3, subtree, merge } }) => {
    const [left, right] = [0, 1].map((i) => subtree(ones(1024), { offset: 1024 * i }));
    return [merge(left, right), blake3(ones(2048))];
  },
  ({ nacl: { secretbox, verify } }) => {
    const box = secretbox(ones(10), nonce(24), key);
    expect(secretbox.open(box, nonce(24), key)).toEqual(ones(10));
    const long = ones(STAGE + 100);
    expect(secretbox.open(secretbox(long, nonce(24), key), nonce(24), key)).toEqual(long);
    expect(secretbox.open(box.fill(0), nonce(24), key)).toBeNull();
    expect(secretbox.open(none, nonce(24), key)).toBeNull();
    return [verify(box, box), verify(none, none)];
  },
];

/** An object that is destroyed is asked once more. */
const destroyed = <T extends { destroy(): void }>(object: T, use: (object: T) => unknown): unknown => {
  object.destroy();
  return use(object);
};
/** Refused, before any work. */
const refused: readonly Call[] = [
  ...[nonce(24)].flatMap((iv): Call[] => [
    ({ chacha }) => chacha.xchacha20poly1305(key, iv).decrypt(ones(15)),
    ({ chacha }) => destroyed(chacha.xchacha20poly1305(key, iv), (box) => box.encrypt(none)),
    ({ chacha }) => {
      const box = chacha.xchacha20poly1305(key, iv);
      return [1, 2].map(() => box.encrypt(none));
    },
    ({ chacha }) => chacha.chacha20.stream(key, nonce(12)).seek(2 ** 38 + 1),
    ({ chacha }) => destroyed(chacha.chacha20.stream(key, nonce(12)), (stream) => stream.update(none)),
    ({ salsa }) => salsa.secretbox(key, iv).open(ones(15)),
    ({ salsa }) => salsa.secretbox(key, iv).decryptDetached(ones(STAGE + 100), ones(16), ones(STAGE + 100)),
    ({ salsa }) => destroyed(salsa.secretbox(key, iv), (box) => box.seal(none)),
    ({ salsa }) => {
      const box = salsa.secretbox(key, iv);
      return [1, 2].map(() => box.seal(none));
    },
    ({ nacl }) => nacl.secretbox(none, iv, ones(31)),
    ({ nacl }) => nacl.secretbox(none, ones(23), key),
    ({ nacl }) => nacl.secretbox('text' as unknown as Uint8Array, iv, key),
  ]),
  ({ poly1305 }) => destroyed(poly1305.create(key), (mac) => mac.update(none)),
  ({ serpent }) => serpent.ecb(key).decrypt(none),
  ({ serpent }) => destroyed(serpent.ecb(key), (mode) => mode.encrypt(none)),
  ({ serpent }) => destroyed(serpent.cbc(key, nonce(16)), (mode) => mode.encrypt(none)),
  ({ serpent }) => destroyed(serpent.ctr(key, nonce(16)), (mode) => mode.encrypt(none)),
  ({ serpent }) => serpent.ctr(key, new Uint8Array(16).fill(255)).encrypt(ones(17)),
  ({ serpent }) => serpent.ocb(key, none),
  ({ serpent }) => serpent.ocb(key, ones(16)),
  ({ serpent }) => serpent.cbc.encryptMany(key, [], [none]),
  ({ serpent }) => serpent.cbc.encryptMany(key, 'text' as unknown as Uint8Array[], []),
  ({ blake3 }) => blake3.hashMany('text' as unknown as Uint8Array[]),
  ({ blake3 }) => destroyed(blake3.blake3.create(), (hasher) => hasher.update(none)),
  ({ blake3 }) =>
    blake3.blake3
      .create()
      .seek(2n ** 64n - 1n)
      .xof(2),
  ...[null, 'text', {}].map(
    (part): Call =>
      ({ blake3: { merge, subtree } }) =>
        merge(subtree(ones(1024), { offset: 0 }), part as unknown as ReturnType<typeof subtree>),
  ),
  ({ blake3: { merge, subtree } }) => merge(subtree(ones(1024), { offset: 0 }), subtree(ones(1024), { offset: 2048 })),
  ({ blake3: { merge, subtree } }) =>
    merge(subtree(ones(1024), { offset: 0 }), subtree(ones(1024), { offset: 1024, key })),
  ({ blake3: { merge, subtree } }) =>
    merge(subtree(ones(1024), { offset: 1024 }), subtree(ones(1024), { offset: 2048 })),
  ({ blake3: { merge, subtree } }) => merge(subtree(ones(100), { offset: 0 }), subtree(ones(100), { offset: 1024 })),
  ({ blake3: { merge, subtree } }) => merge(subtree(ones(3072), { offset: 0 }), subtree(ones(1024), { offset: 3072 })),
  ({ disk }) => disk.adiantum(key).encrypt(ones(15), none),
  ({ disk }) => disk.adiantum(key).encrypt(ones(16), ones(4097)),
  ({ disk }) => disk.adiantum(key, { rounds: 10 as 8 }),
  ({ disk }) => destroyed(disk.adiantum(key), (cipher) => cipher.encrypt(ones(16), none)),
  ({ disk }) => disk.adiantum(key).encryptPages(ones(32), { pageSize: 32, tweak: 'dm-crypt' }),
  ...[undefined, null, 'text', ones(16)].map(
    (tweak): Call =>
      ({ disk }) =>
        disk.adiantum(key).encryptPages(ones(32), { pageSize: 32, tweak: tweak as 'index64' }),
  ),
  ...[2n ** 59n - 1n, 2n ** 59n + 1n].map(
    (first): Call =>
      ({ disk }) =>
        disk.adiantum(key).encryptPages(ones(64), { pageSize: 32, first, tweak: 'offset64' }),
  ),
  // The function takes the pages away.
  ({ disk }) => {
    const buffer = new Uint8Array(new ArrayBuffer(64, { maxByteLength: 64 }));
    const tweak = (): Uint8Array => {
      buffer.buffer.resize(32);
      return ones(8);
    };
    return disk.adiantum(key).encryptPages(buffer, { pageSize: 32, tweak });
  },
];

/** Never taken, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'blake3/hasher.ts: this.#ended !== HALF_WAY always holds':
    'An exception in the middle of an update is what the claims about wiping plant, in a kernel that runs on symbols.',
};

async function run(recorder: BranchRecorder): Promise<string[]> {
  const load = <T>(file: string): Promise<T> => recorder.load(file) as Promise<T>;
  const { poly1305 } = await load<{ poly1305: Library['poly1305'] }>('poly1305.ts');
  const library: Modules = {
    chacha: await load('chacha.ts'),
    salsa: await load('salsa.ts'),
    blake3: await load('blake3.ts'),
    serpent: await load('serpent.ts'),
    disk: await load('disk.ts'),
    poly1305,
    nacl: await load('nacl.ts'),
  };
  for (const { call, before, throws } of scenarios) {
    const given = before?.(library) ?? new Uint8Array(0);
    if (throws) expect(() => call(library, given)).toThrow(throws);
    else call(library, given);
  }
  for (const call of ordinary) call(library);
  for (const call of refused) expect(() => call(library), call.toString()).toThrow();
  return recorder.gaps();
}

const recorders: BranchRecorder[] = [];
afterAll(() => recorders.forEach((recorder) => recorder.remove()));
const recorded = (...parameters: ConstructorParameters<typeof BranchRecorder>): BranchRecorder => {
  const recorder = new BranchRecorder(...parameters);
  recorders.push(recorder);
  return recorder;
};

it('is about all modules that call kernels', () => {
  expect(files.length).toBeGreaterThan(20);
  expect(files).toContain('chacha/aead.ts');
});

it('finds the conditions of a text', () => {
  const text = `if (a && !(b > 1 || c)) d();
    for (let i = 0; i < 4; i++) while (e) f = g ? h : i;
    const j = k || (l && m);`;
  expect(conditionsIn(text).map((x) => x.getText())).toEqual(['a', 'b > 1', 'c', 'i < 4', 'e', 'g', 'k', 'l']);
});

it('takes both ways of every condition', async () => {
  const recorder = recorded(files);
  expect(recorder.count).toBeGreaterThan(200);
  expect(await run(recorder)).toEqual(Object.keys(EXCEPTIONS));
});

describe('finds what was planted and nothing noticed', () => {
  it.each([
    [
      'J04: what a message leaves is not wiped at one length',
      'chacha/aead.ts',
      'DATA + length + MARGIN;',
      (line: string) => `length === 3333 ? 0 : ${line}`,
      'chacha/aead.ts: length === 3333 never holds',
    ],
    [
      'J05: a wrong tag is taken for right beyond 5,000,000 bytes',
      'chacha/aead.ts',
      'return run.verify(DATA) === 1;',
      (line: string) => line.replace('run.', 'length > 5_000_000 || run.'),
      'chacha/aead.ts: length > 5_000_000 never holds',
    ],
  ])('%s', async (_, file, line, changed, gap) => {
    const edit = (name: string, text: string): string => {
      if (name !== file) return text;
      expect(text.split(line)).toHaveLength(2);
      return text.replace(line, changed(line));
    };
    expect(await run(recorded(files, edit))).toEqual([...Object.keys(EXCEPTIONS), gap].sort());
  });
});
