/** Keyrings under a passphrase: the format as other libraries write it, costs, limits against hostile files, and wiping. */
// Runs in Node only: watches the derivation by a mock of its module; box/box.test.ts and the tables of calls run elsewhere, too.
import { argon2id as nobleArgon2id } from '@noble/hashes/argon2.js';
import { chacha20poly1305 as nobleChaCha } from '@noble/ciphers/chacha.js';
import { hmac as nobleHmac } from '@noble/hashes/hmac.js';
import { sha512 as nobleSha512 } from '@noble/hashes/sha2.js';
import { afterEach, expect, it, vi } from 'vitest';
import * as argon2 from '../../src/argon2.ts';
import { lanes as jobs } from '../../src/argon2/jobs.ts';
import { createKeyring, type Keyring, openKeyring, sealKeyring } from '../../src/box.ts';
import { createPool } from '../../src/pool.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { FakeWorker } from '../support/fake-worker.ts';

/** The passphrase and the key of each derivation, which are to be wiped. */
const derived = vi.hoisted((): { readonly all: Uint8Array[] } => ({ all: [] }));
vi.mock('../../src/argon2.ts', async (original) => {
  const real = await original<typeof argon2>();
  const argon2id: typeof real.argon2id = (...values) => {
    derived.all.push(values[0]);
    return real.argon2id(...values).then((key) => {
      derived.all.push(key);
      return key;
    });
  };
  return { ...real, argon2id };
});
afterEach(() => {
  derived.all.length = 0;
  vi.restoreAllMocks();
});

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const passphrase = 'correct horse battery staple';
const CHEAP = { t: 1, m: 8, p: 1 };
const WRONG = 'wrong passphrase, or a keyring that was changed';

/** A file by docs/inside/box.md and other libraries, for one chunk of keys. */
function fileByOthers(saved: Uint8Array, words: string, t: number, m: number, p: number): string {
  const [salt, messageSalt] = [sample(16, 71), sample(24, 72)];
  const kdf = `{"algorithm":"argon2id","salt":"${base64url(salt)}","t":${t},"m":${m},"p":${p}}`;
  const key = nobleArgon2id(utf8(words), salt, { t, m, p, dkLen: 32, version: 0x13 });
  const label = utf8('c2sp.org/chunked-encryption@v1+AEAD_CHACHA20_POLY1305\0');
  const info = concat(label, messageSalt, utf8(`lanewise/keyring/1/${kdf}`));
  const first = nobleHmac(nobleSha512, key, concat(info, new Uint8Array([1])));
  const output = concat(first, nobleHmac(nobleSha512, key, concat(first, info, new Uint8Array([2]))));
  const chunk = nobleChaCha(output.subarray(0, 32), output.subarray(32, 44)).encrypt(saved);
  return `{"version":1,"kdf":${kdf},"keys":"${base64url(concat(messageSalt, output.subarray(44, 76), chunk))}"}`;
}

/** The error of a call that is to throw at once, as a text; of a promise none. */
function errorOf(call: () => Promise<unknown>): string {
  try {
    void call().catch(() => undefined);
  } catch (error) {
    return String(error);
  }
  return 'nothing';
}

onEachEngine(() => {
  it.each([
    [1, 8, 1],
    [2, 67, 4],
    [3, 40, 3],
  ])('opens a file that other libraries make by the specification: t = %i, m = %i, p = %i', async (t, m, p) => {
    const ring = createKeyring();
    ring.rotate();
    const file = fileByOthers(ring.save(), 'caf\u00e9', t, m, p);
    // NFKC: the same letters from another keyboard.
    const opened = await openKeyring(file, 'cafe\u0301');
    expect([opened.primary, opened.ids]).toEqual([ring.primary, ring.ids]);
    expectBytes(opened.save(), ring.save(), 'the keys');
  });

  it('a sealed keyring opens with its passphrase only', async () => {
    const ring = createKeyring();
    ring.rotate();
    const file = await sealKeyring(ring, passphrase, { t: 2, m: 16, p: 2 });
    expect(file).toMatch(/"kdf":\{"algorithm":"argon2id","salt":"[\w-]{22}","t":2,"m":16,"p":2\}/);
    expectBytes((await openKeyring(file, passphrase)).save(), ring.save(), 'the keys');
    await expect(openKeyring(file, 'another')).rejects.toThrow(new Error(WRONG));
    for (const [its, other] of [
      ['"t":2', '"t":1'],
      ['"m":16', '"m":17'],
      ['"p":2', '"p":1'],
    ])
      await expect(openKeyring(file.replace(its, other), passphrase)).rejects.toThrow(new Error(WRONG));
  });
});

it('costs 64 MiB, three passes and four lanes unless told another, and no two files have one salt', async () => {
  const real = await vi.importActual<typeof argon2>('../../src/argon2.ts');
  const asked: unknown[] = [];
  vi.spyOn(argon2, 'argon2id').mockImplementation((password, salt, options) => {
    asked.push(options);
    return real.argon2id(password, salt, CHEAP);
  });
  const ring = createKeyring();
  const files = [await sealKeyring(ring, passphrase), await sealKeyring(ring, passphrase)];
  expect(asked[0]).toMatchObject({ t: 3, m: 65_536, p: 4 });
  const salts = files.map((file) => (JSON.parse(file) as { kdf: { salt: string } }).kdf.salt);
  expect(salts[0]).not.toBe(salts[1]);
});

it('refuses other costs, at once', () => {
  const ring = createKeyring();
  for (const [name, value, error] of [
    ['t', 0, 'RangeError: "t" expected integer from 1 up, got 0'],
    ['t', 1025, 'RangeError: "t" expected integer from 1 to 1024, got 1025'],
    ['m', 31, 'RangeError: "m" expected integer from 32 up, got 31'],
    ['m', 2 ** 21 + 1, 'RangeError: "m" expected integer from 32 to 2097152, got 2097153'],
    ['m', 64.5, 'RangeError: "m" expected integer from 32 up, got 64.5'],
    ['p', 17, 'RangeError: "p" expected integer from 1 to 16, got 17'],
    ['p', NaN, 'RangeError: "p" expected integer from 1 up, got NaN'],
    ['p', '1', 'TypeError: "p" expected integer, got type=string'],
    ['m', null, 'TypeError: "m" expected integer, got type=null'],
  ] as const)
    expect(errorOf(() => sealKeyring(ring, passphrase, { [name]: value as never }))).toBe(error);
  expect(errorOf(() => openKeyring('{}', passphrase, { t: 1 } as never))).toContain('got { t }: it is in the file');
  expect(derived.all).toEqual([]);
});

it('a file above the limits is refused before any work, and opens with higher ones', async () => {
  const file = fileByOthers(createKeyring().save(), passphrase, 2, 64, 1);
  const open = (limits: object) => () => openKeyring(file, passphrase, limits);
  expect(errorOf(open({ maxmem: 65_535 }))).toBe(
    'RangeError: "maxmem" expected at least 1024*m=65536 of the file, got 65535',
  );
  expect(errorOf(open({ maxwork: 127 }))).toBe('RangeError: "maxwork" expected at least t*m=128 of the file, got 127');
  const costly = (inner: object): string => {
    const { kdf, ...rest } = JSON.parse(file) as { kdf: object };
    return JSON.stringify({ version: 1, kdf: { ...kdf, ...inner }, ...rest });
  };
  for (const inner of [{ m: 2 ** 18 + 1 }, { t: 65, m: 2 ** 16 }, { t: 1024, m: 4097 }])
    expect(errorOf(() => openKeyring(costly(inner), passphrase))).toMatch(/^RangeError: "max(mem|work)" expected/);
  for (const name of ['maxmem', 'maxwork'])
    for (const value of ['1', null, {}, 5n, -1, 1.5, NaN, Infinity])
      expect(errorOf(open({ [name]: value }))).toMatch(new RegExp(`^(Type|Range)Error: "${name}" expected integer`));
  expect(derived.all).toEqual([]);
  expect((await open({ maxmem: 65_536, maxwork: 128 })()).ids).toHaveLength(1);
});

it('workers of a pool fill the lanes, of a new file and of one that is there', async () => {
  const workers: FakeWorker[] = [];
  const spawn = (): FakeWorker => {
    const worker = new FakeWorker().obedient({ kinds: [jobs] });
    workers.push(worker);
    return worker;
  };
  const runs = (): number => workers.flatMap((worker) => worker.ordersOf('run')).length;
  const pool = createPool({ threads: 2, spawn });
  const lanes = argon2.lanesOn(pool);
  const ring = createKeyring();
  const file = await sealKeyring(ring, passphrase, { t: 1, m: 64, p: 3, lanes });
  // A job for each segment, and one for the wiping of each lane.
  expect(runs()).toBe(15);
  expectBytes((await openKeyring(file, passphrase)).save(), ring.save(), 'on one thread');
  expectBytes((await openKeyring(file, passphrase, { lanes })).save(), ring.save(), 'on workers');
  expect(runs()).toBe(30);
  await pool.close();
  await expect(openKeyring(file, passphrase, { lanes })).rejects.toThrow('cannot use a pool after close');
});

it('refuses what is not lanes, at once, and wipes what it copied', () => {
  const saved: Uint8Array[] = [];
  const ring = createKeyring();
  const save = ring.save.bind(ring);
  vi.spyOn(ring, 'save').mockImplementation(() => {
    saved.push(save());
    return saved.at(-1) as ReturnType<typeof save>;
  });
  const file = fileByOthers(save(), passphrase, 1, 8, 1);
  for (const call of [
    (options: object) => sealKeyring(ring, passphrase, { ...CHEAP, ...options }),
    (options: object) => openKeyring(file, passphrase, options),
  ]) {
    for (const lanes of [null, 2, {}, true])
      expect(errorOf(() => call({ lanes }))).toMatch(/^TypeError: "lanes" expected the result of lanesOn\(pool\), got/);
  }
  expect([saved.length, derived.all.length]).toEqual([4, 8]);
  for (const bytes of [...saved, ...derived.all]) expect(bytes.every((byte) => byte === 0)).toBe(true);
});

it('hundreds of hostile rings: an error, at once, without secrets', async () => {
  const file = await sealKeyring(createKeyring(), passphrase, CHEAP);
  const { kdf, keys } = JSON.parse(file) as { kdf: Record<string, unknown>; keys: string };
  const hostile: unknown[] = [undefined, null, 1, '', '[]', 'null', '{}', '"x"', 'x'.repeat(65_537), `${file}x`];
  const values: unknown[] = [
    ...[undefined, null, -1, 0, 0.5, 1.5, 2 ** 21 + 1, 2 ** 31, 2 ** 53, 1e308, -1e308, true, false],
    ...['1', '', 'AA', 'A'.repeat(23), 'argon2d', 'argon2i', 'scrypt', [], {}, [1], { valueOf: 1 }, file],
  ];
  const forged = (change: object, inner: object = {}): string =>
    JSON.stringify({ version: 1, kdf: { ...kdf, ...inner }, keys, ...change });
  for (const value of values) {
    for (const name of ['version', 'kdf']) hostile.push(forged({ [name]: value }));
    hostile.push(forged({ more: value ?? 0 }));
    for (const name of ['algorithm', 'salt', 't', 'm', 'p', 'more', 'logN', 'v'])
      hostile.push(forged({}, { [name]: value ?? null }), forged({}, { [name]: value, extra: 0 }));
  }
  for (const costs of [{ t: 1025 }, { m: 7 }, { p: 2 }, { m: 2 ** 21, p: 17 }]) hostile.push(forged({}, costs));
  hostile.push(file.replace('{"version"', '{"__proto__":{"version":1},"version"'));
  for (const value of hostile) {
    expect(errorOf(() => openKeyring(value as string, passphrase))).toMatch(
      /^(TypeError|RangeError): "(file|salt|keys|t|m|p)" expected/,
    );
  }
});

it('wipes passphrase, key and saved keys when it is done, fails or is aborted', async () => {
  const ring = createKeyring();
  const saved: Uint8Array[] = [];
  const save = ring.save.bind(ring);
  vi.spyOn(ring, 'save').mockImplementation(() => {
    const bytes = save();
    saved.push(bytes);
    return bytes;
  });
  const expectWiped = (arrays: number): void => {
    expect(derived.all).toHaveLength(arrays);
    expect(derived.all.every((bytes) => bytes.length > 0 && bytes.every((byte) => byte === 0))).toBe(true);
    expect(saved.every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
    derived.all.length = 0;
  };
  const file = await sealKeyring(ring, passphrase, CHEAP);
  expect(saved).toHaveLength(1);
  expectWiped(2);
  await openKeyring(file, passphrase);
  expectWiped(2);
  await expect(openKeyring(file, 'another')).rejects.toThrow(WRONG);
  expectWiped(2);
  const reason = new Error('stop');
  const ended: readonly ((signal: AbortSignal) => Promise<string | Keyring>)[] = [
    (signal) => sealKeyring(ring, passphrase, { ...CHEAP, signal }),
    (signal) => openKeyring(file, passphrase, { signal }),
  ];
  for (const call of ended) {
    await expect(call(AbortSignal.abort(reason))).rejects.toBe(reason);
    expectWiped(1);
  }
  const fail = (): never => {
    throw reason;
  };
  await expect(sealKeyring(ring, passphrase, { ...CHEAP, onProgress: fail })).rejects.toBe(reason);
  expectWiped(1);
  ring.destroy();
  expect(errorOf(() => sealKeyring(ring, passphrase, CHEAP))).toBe('Error: cannot use Keyring after destroy()');
  expectWiped(0);
});
