/** The contests of disk encryption: 64 KiB of pages and of sectors by who has something like it, and our calls beside each other. */
import { createCipheriv } from 'node:crypto';
import { ctr } from '@noble/ciphers/aes.js';
import { xchacha12 } from 'lanewise/chacha.js';
import { adiantum, hpolyc, type PageCipher } from 'lanewise/disk.js';
import { select } from 'lanewise/engine.js';
import { joined } from './client/bytes.ts';
import { lanewiseEngines, simd } from './client/contestants/lanewise.ts';
import { nobleCiphers } from './client/contestants/noble.ts';
import { nativeCiphers } from './client/node/native.ts';
import { PAGE, SECTOR } from './client/primitives/disk.ts';
import type { PageOperation } from './native.ts';
import { randomBytes, type Random } from './client/random.ts';
import { checkedCase, nativeCase, type CheckedCase, type Contest } from './contest.ts';

const LONG = 64 * 1024;
const TWEAK_BYTES = 32;

export const PAGES = 'Adiantum12, 64 KiB in pages of 4096 bytes';
export const SECTORS_EACH = 'Adiantum12, 64 KiB in sectors of 512 bytes';
export const HPOLYC_PAGES = 'HPolyC12, 64 KiB in pages of 4096 bytes';
export const SHAPES = 'Adiantum12 and HPolyC12, calls';
/** Who is beside ours. */
export const XCHACHA = 'our XChaCha12';
export const XTS = 'node:crypto AES-256-XTS';
export const NOBLE_AES = 'noble AES-256-CTR';
/** The module lukechampine.com/adiantum: AVX2 for NH and XChaCha, AES-NI. */
export const GO = 'Go, native';
/** The cases of the calls, each of 4096 bytes or so many. */
export const BATCH = 'pages in a batch';
export const DECRYPT = 'pages in a batch, decrypted';
export const ONE = 'one page';
export const SECTORS = 'sectors in a batch';
export const HPOLYC = 'HPolyC, pages in a batch';
export const KEY = 'a new key';

const optionsOf = (pageSize: number) => ({ pageSize, tweak: 'index64' }) as const;

/** In place: what was there goes in first. */
function inPlace(
  contestant: Parameters<typeof checkedCase>[0],
  data: Uint8Array,
  work: (buffer: Uint8Array) => Uint8Array,
  expected: Uint8Array,
  id?: string,
): CheckedCase {
  const buffer = data.slice();
  const made = checkedCase(contestant, data.length, () => work(buffer), expected, id);
  return {
    ...made,
    fault() {
      buffer.set(data);
      return made.fault();
    },
  };
}

/** What our plain JavaScript says. */
function byJavaScript(data: Uint8Array, work: (buffer: Uint8Array) => Uint8Array): Uint8Array {
  select('js');
  try {
    return joined(work(data.slice()));
  } finally {
    select('auto');
  }
}

/** AES-256-XTS of page after page: IEEE 1619 has the number of the data unit for a tweak. Two ways have to agree. */
function xts(key: Uint8Array, data: Uint8Array, pageSize: number): { run: () => Uint8Array; expected: Uint8Array } {
  const tweaks = Array.from({ length: data.length / pageSize }, (_, i) => {
    const tweak = new Uint8Array(16);
    new DataView(tweak.buffer).setUint32(0, i, true);
    return tweak;
  });
  const out = new Uint8Array(data.length);
  const page = (i: number): Uint8Array =>
    createCipheriv('aes-256-xts', key, tweaks[i]).update(data.subarray(pageSize * i, pageSize * (i + 1)));
  const run = (): Uint8Array => {
    for (let i = 0; i < tweaks.length; i++) out.set(page(i), pageSize * i);
    return out;
  };
  return { run, expected: joined(tweaks.map((_, i) => page(i))) };
}

const nativeCases = (operation: PageOperation, key: Uint8Array, data: Uint8Array, expected: Uint8Array) =>
  nativeCiphers(operation).map((contestant) =>
    nativeCase(contestant, { key, nonce: new Uint8Array(), data }, expected),
  );

function hpolycCases(random: Random): CheckedCase[] {
  const [key, data] = [randomBytes(32, random), randomBytes(LONG, random)];
  const cipher = hpolyc(key);
  const work = (buffer: Uint8Array): Uint8Array => cipher.encryptPages(buffer, optionsOf(PAGE));
  const expected = byJavaScript(data, work);
  return [
    ...lanewiseEngines.map((contestant) => inPlace(contestant, data, work, expected)),
    ...nativeCases('hpolyc-pages', key, data, expected),
  ];
}

function pageCases(pageSize: number, random: Random): CheckedCase[] {
  const [key, long, nonce, counter] = [32, 64, 24, 16].map((length) => randomBytes(length, random));
  const data = randomBytes(LONG, random);
  const encrypt = (cipher: PageCipher) => (buffer: Uint8Array) => cipher.encryptPages(buffer, optionsOf(pageSize));
  const work = encrypt(adiantum(key));
  const expected = byJavaScript(data, work);
  const stream = (buffer: Uint8Array): Uint8Array => xchacha12(key, nonce, buffer, buffer);
  const other = xts(long, data, pageSize);
  const noble = (): Uint8Array => ctr(key, counter).encrypt(data);
  const openssl = createCipheriv('aes-256-ctr', key, counter).update(data);
  return [
    ...lanewiseEngines.map((contestant) => inPlace(contestant, data, work, expected)),
    inPlace(simd, data, stream, byJavaScript(data, stream), XCHACHA),
    ...nativeCases(pageSize === PAGE ? 'adiantum-pages' : 'adiantum-sectors', key, data, expected),
    checkedCase({ name: XTS }, LONG, other.run, other.expected),
    checkedCase({ ...nobleCiphers, name: NOBLE_AES }, LONG, noble, openssl),
  ];
}

/** Of as many bytes each, so that times compare: a page, or its share of a batch. */
function shapeCases(random: Random): CheckedCase[] {
  const [key, tweak] = [32, TWEAK_BYTES].map((length) => randomBytes(length, random));
  const data = randomBytes(LONG, random);
  const [first, second] = [adiantum(key), hpolyc(key)];
  const pages = optionsOf(PAGE);
  const each = (buffer: Uint8Array): Uint8Array => {
    for (let at = 0; at < LONG; at += PAGE) {
      const page = buffer.subarray(at, at + PAGE);
      first.encrypt(page, tweak, page);
    }
    return buffer;
  };
  const keys = (buffer: Uint8Array): Uint8Array => {
    for (let at = 0; at < LONG; at += PAGE) adiantum(key).destroy();
    return buffer;
  };
  const works: Record<string, (buffer: Uint8Array) => Uint8Array> = {
    [BATCH]: (buffer) => first.encryptPages(buffer, pages),
    [DECRYPT]: (buffer) => first.decryptPages(buffer, pages),
    [ONE]: each,
    [SECTORS]: (buffer) => first.encryptPages(buffer, optionsOf(SECTOR)),
    [HPOLYC]: (buffer) => second.encryptPages(buffer, pages),
    [KEY]: keys,
  };
  return Object.entries(works).map(([id, work]) => inPlace(simd, data, work, byJavaScript(data, work), id));
}

export const diskContests: readonly Contest[] = [
  { id: PAGES, cases: (random) => pageCases(PAGE, random) },
  { id: SECTORS_EACH, cases: (random) => pageCases(SECTOR, random) },
  { id: HPOLYC_PAGES, cases: hpolycCases },
  { id: SHAPES, cases: shapeCases },
];
