/** Parts of age files: each is encrypted and decrypted alone, and age-encryption is the judge of the whole. */
import { Encrypter as LanewiseEncrypter, generateIdentity, HeaderReader, identityToRecipient } from '@lanewise/age';
import * as typage from 'age-encryption';
import { beforeAll, describe, expect, it } from 'vitest';
import { NotAuthentic, openPart, sealPart } from '../src/sealing/chunks.ts';
import { fileSizeOf, partAt, partsIn, planOf, type Plan } from '../src/sealing/plan.ts';
import { checkReceipts, receiptOf } from '../src/sealing/receipt.ts';
import { checkSame, openSheet, workOf, wrapSheet, type WorkSheet } from '../src/sealing/sheet.ts';

const CHUNK = 65_536;
const FILE = 'file:///target';

let identity: string;
let recipient: string;

beforeAll(async () => {
  identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
});

const bytes = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8) + (i >> 16)) % 256);

function* pieces(all: Uint8Array, length: number): Generator<Uint8Array> {
  for (let at = 0; at < all.length; at += length) yield all.subarray(at, at + length);
}

/** A file that several machines encrypt, the last part first. Both neighbours make the same bytes of a chunk at their edge. */
async function sealed(plan: Plan, payloadKey: Uint8Array, plaintext: Uint8Array, length: number): Promise<Uint8Array> {
  const file = new Uint8Array(fileSizeOf(plan));
  for (let number = partsIn('encrypt', plan); number > 0; number--) {
    const part = partAt('encrypt', plan, number);
    const range = plaintext.subarray(part.plainOffset, part.plainOffset + part.plainLength);
    const out = file.subarray(part.cipherOffset, part.cipherOffset + part.cipherLength);
    const before = out.slice();
    await sealPart(payloadKey, part, pieces(range, length), out);
    expect(before.every((byte, i) => byte === 0 || byte === out[i])).toBe(true);
  }
  return file;
}

async function opened(plan: Plan, payloadKey: Uint8Array, file: Uint8Array, length: number): Promise<Uint8Array> {
  const plaintext = new Uint8Array(plan.size);
  for (let number = partsIn('decrypt', plan); number > 0; number--) {
    const part = partAt('decrypt', plan, number);
    const range = file.subarray(part.cipherOffset, part.cipherOffset + part.cipherLength);
    const out = plaintext.subarray(part.offset, part.offset + part.length);
    await openPart(payloadKey, part, pieces(range, length), out);
  }
  return plaintext;
}

const newHeader = async () => {
  const encrypter = new LanewiseEncrypter();
  encrypter.addRecipient(recipient);
  return encrypter.fileHeader();
};

describe.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 5, 6 * CHUNK])(
  'a file of %i bytes',
  (size) => {
    const plaintext = bytes(size);

    it.each([1, 2, 3, 100])('that is encrypted in parts of %i chunks', async (partChunks) => {
      const { header, payloadKey } = await newHeader();
      const plan = planOf('encrypt', size, header.length, partChunks, FILE);
      for (const length of [10_007, 200_000]) {
        const file = await sealed(plan, payloadKey, plaintext, length);
        file.set(header);
        const judge = new typage.Decrypter();
        judge.addIdentity(identity);
        expect(Buffer.from(await judge.decrypt(file)).equals(plaintext)).toBe(true);
      }
    });

    it.each([1, 2, 3, 100])('that is decrypted in parts of %i chunks', async (partChunks) => {
      const theirs = new typage.Encrypter();
      theirs.addRecipient(recipient);
      const file = await theirs.encrypt(plaintext);
      const header = new HeaderReader();
      header.push(file);
      const { Decrypter } = await import('@lanewise/age');
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      const payloadKey = await decrypter.payloadKey({ header: header.bytes });
      const plan = planOf('decrypt', size, header.length, partChunks, FILE);
      for (const length of [10_007, 200_000])
        expect(Buffer.from(await opened(plan, payloadKey, file, length)).equals(plaintext)).toBe(true);
    });
  },
);

describe('a file that was changed', () => {
  const plan = planOf('decrypt', 4 * CHUNK, 100, 2, FILE);
  const payloadKey = bytes(32);
  let file: Uint8Array;
  beforeAll(async () => {
    file = await sealed(plan, payloadKey, bytes(4 * CHUNK), CHUNK);
  });
  const opening = async (number: number, source: Uint8Array, of = plan): Promise<Uint8Array> => {
    const part = partAt('decrypt', of, number);
    const out = bytes(part.plainLength);
    const result = openPart(payloadKey, part, [source], out);
    await expect(result).rejects.toThrow();
    await result.catch((error: unknown) => expect(error).toBeInstanceOf(NotAuthentic));
    return out;
  };
  const range = (number: number): Uint8Array => {
    const { cipherOffset, cipherLength } = partAt('decrypt', plan, number);
    return file.slice(cipherOffset, cipherOffset + cipherLength);
  };

  it('is an error that names part and chunk, and leaves no plaintext', async () => {
    const changed = range(2);
    changed[CHUNK + 16] ^= 1;
    const part = partAt('decrypt', plan, 2);
    const out = bytes(part.plainLength);
    await expect(openPart(payloadKey, part, [changed], out)).rejects.toThrow('part 2: chunk 3 is not authentic');
    expect(out.every((byte) => byte === 0)).toBe(true);
    const first = range(1);
    first[0] ^= 1;
    await expect(openPart(payloadKey, partAt('decrypt', plan, 1), [first], new Uint8Array(2 * CHUNK))).rejects.toThrow(
      /^part 1: chunk 0 is not authentic$/,
    );
  });

  it('in the order of its parts and chunks, too', async () => {
    await opening(1, range(2));
    await opening(2, range(1));
    const swapped = range(1);
    swapped.copyWithin(0, CHUNK + 16);
    await opening(1, swapped);
  });

  it('by cutting it off between two chunks or two parts, or by going on behind its end', async () => {
    await opening(1, range(1), planOf('decrypt', 2 * CHUNK, 100, 2, FILE));
    await opening(2, range(2), planOf('decrypt', 5 * CHUNK, 100, 2, FILE));
  });

  it('or a source that is short or long', async () => {
    const part = partAt('decrypt', plan, 1);
    const out = new Uint8Array(part.plainLength);
    await expect(openPart(payloadKey, part, [range(1).subarray(0, -1)], out)).rejects.toThrow(
      'part 1 expected 131104 bytes of the source, got 131103',
    );
    await expect(openPart(payloadKey, part, [range(1), new Uint8Array(1)], out)).rejects.toThrow('got more');
    const room = bytes(part.cipherLength);
    await expect(sealPart(payloadKey, part, [bytes(2 * CHUNK - 1)], room)).rejects.toThrow(
      'part 1 expected 131072 bytes of the source, got 131071',
    );
    expect(room.every((byte) => byte === 0)).toBe(true);
    await expect(sealPart(payloadKey, part, [bytes(2 * CHUNK), bytes(1)], room)).rejects.toThrow('got more');
    await expect(sealPart(payloadKey, part, [], room.subarray(1))).rejects.toThrow(
      '"out" expected Uint8Array of length 131104, got length=131103',
    );
  });
});

describe('the work sheet', () => {
  const sheet: WorkSheet = {
    kind: 'encrypt',
    source: { url: 's3://bucket/source', size: 5, etag: '"abc"', version: 'v1' },
    target: 's3://bucket/target',
    upload: 'upload-1',
    plan: { size: 5, headerBytes: 184, partChunks: 1024 },
    headerHash: 'ab'.repeat(32),
  };
  const payloadKey = bytes(32);

  /** A sheet that says something else, as anybody can make it who knows the workers' recipient. */
  const forged = async (value: unknown, magic = 'lanewise cluster work sheet v2\n'): Promise<string> => {
    const encrypter = new typage.Encrypter();
    encrypter.addRecipient(recipient);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const file = await encrypter.encrypt(Buffer.concat([Buffer.from(magic), payloadKey, Buffer.from(text)]));
    return Buffer.from(file).toString('base64');
  };

  it('comes back as it was, for each of the workers', async () => {
    const other = await generateIdentity();
    const wrapped = await wrapSheet(sheet, payloadKey, [recipient, await identityToRecipient(other)]);
    expect(await openSheet(wrapped, [identity])).toEqual({ sheet, payloadKey });
    expect(await openSheet(wrapped, [await generateIdentity(), other])).toEqual({ sheet, payloadKey });
    expect(Buffer.from(wrapped, 'base64').includes(payloadKey)).toBe(false);
    await expect(openSheet(wrapped, [await generateIdentity()])).rejects.toThrow(
      '"sheet" is for none of the identities of this worker, or was changed',
    );
    await expect(openSheet(wrapped, [])).rejects.toThrow('no identities');
    const changed = Buffer.from(wrapped, 'base64');
    changed[changed.length - 1] ^= 1;
    await expect(openSheet(changed.toString('base64'), [identity])).rejects.toThrow(
      '"sheet" is for none of the identities',
    );
  });

  it.each([
    ['no text', 7],
    ['the empty text', ''],
    ['no age file', Buffer.from('hello').toString('base64')],
    ['a long text', 'A'.repeat(2 ** 20 + 1)],
  ])('is refused if it is %s', async (_, text) => {
    await expect(openSheet(text, [identity])).rejects.toThrow('"sheet"');
  });

  it.each<[string, unknown, string]>([
    ['null', null, '"work" expected object, got type=null'],
    ['an array', [], '"work" expected object, got type=Array'],
    ['no JSON', '{', '"sheet" expected work sheet, got another text'],
    ['another kind', { ...sheet, kind: 'blake3' }, '"work.kind" expected'],
    ['a field more', { ...sheet, more: 1 }, '"work" expected no fields but'],
    ['no source', { ...sheet, source: 'a' }, '"work.source" expected object'],
    ['a source without a tag', { ...sheet, source: { url: 'a', size: 1 } }, '"work.source" expected a field etag'],
    ['a negative size', { ...sheet, source: { ...sheet.source, size: -1 } }, '"work.source.size" expected integer'],
    ['another size than its plan', { ...sheet, source: { ...sheet.source, size: 6 } }, '"work.source.size" expected 5'],
    ['a target that is too long', { ...sheet, target: `s3://${'a'.repeat(9000)}` }, '"work.target" expected length'],
    ['no upload', { ...sheet, upload: '' }, '"work.upload" expected length'],
    ['parts below the limits', { ...sheet, plan: { ...sheet.plan, partChunks: 79 } }, '"partChunks" expected integer'],
    ['parts of half a chunk', { ...sheet, plan: { ...sheet.plan, partChunks: 80.5 } }, '"partChunks" expected integer'],
    ['parts of no number', { ...sheet, plan: { ...sheet.plan, partChunks: '1024' } }, '"partChunks" expected number'],
    ['parts that are not given', { ...sheet, plan: { size: 5, headerBytes: 184 } }, '"work.plan" expected a field'],
    ['no hash of the header', { ...sheet, headerHash: undefined }, '"work.headerHash" expected string'],
    ['a short hash of the header', { ...sheet, headerHash: 'ab' }, '"work.headerHash" expected 64 hexadecimal digits'],
    [
      'a hash of a header that there is not',
      { ...sheet, kind: 'decrypt', source: { ...sheet.source, size: 205 } },
      '"work.headerHash" expected undefined',
    ],
  ])('is refused if it says %s', async (_, value, message) => {
    await expect(openSheet(await forged(value), [identity])).rejects.toThrow(message);
    if (typeof value !== 'string') expect(() => workOf(value)).toThrow(message);
  });

  it.each<[string, Partial<WorkSheet>]>([
    ['kind', { kind: 'decrypt' }],
    ['source', { source: { ...sheet.source, url: 's3://bucket/other' } }],
    ['source', { source: { ...sheet.source, etag: '"abd"' } }],
    ['target', { target: 's3://bucket/other' }],
    ['upload', { upload: 'upload-2' }],
    ['plan', { plan: { ...sheet.plan, partChunks: 80 } }],
    ['headerHash', { headerHash: 'ac'.repeat(32) }],
  ])('and its job have the same %s', (name, change) => {
    expect(() => checkSame(workOf(sheet), sheet)).not.toThrow();
    expect(() => checkSame({ ...sheet, ...change }, sheet)).toThrow(
      `"${name}" of the job expected that of its work sheet, got another`,
    );
  });

  it('of a version with other parts is refused by name', async () => {
    await expect(openSheet(await forged(sheet, 'lanewise cluster work sheet v1\n'), [identity])).rejects.toThrow(
      '"sheet" expected work sheet v2, got v1: callers and workers of a queue need the same version of @lanewise/cluster',
    );
  });

  it('is no file of another purpose', async () => {
    await expect(openSheet(await forged(sheet, 'lanewise cluster work list v2\n'), [identity])).rejects.toThrow(
      '"sheet" expected work sheet, got another file',
    );
    await expect(openSheet(await forged(sheet), [identity])).resolves.toEqual({ sheet, payloadKey });
  });

  describe('and receipts of its parts', () => {
    const receipts = [3, 1, 2].map((number) => receiptOf(payloadKey, sheet, number, `etag ${number}`));
    const check = (given: readonly unknown[]) => checkReceipts(payloadKey, sheet, given, 3);

    it('are put in order', () => {
      expect(check(receipts)).toEqual([1, 2, 3].map((number) => ({ number, etag: `etag ${number}` })));
    });

    it('are refused if one is missing, twice there, or not genuine', () => {
      expect(() => check(receipts.slice(1))).toThrow('parts expected 3, got the results of 2');
      expect(() => check([receipts[0], receipts[1], receipts[1]])).toThrow('part 1 has two results');
      expect(() => check([...receipts.slice(1), { ...receipts[0], etag: 'other' }])).toThrow(
        'the result of part 3 is not that of a worker',
      );
      expect(() => check([...receipts.slice(1), { ...receipts[0], number: 4 }])).toThrow(
        '"receipt.number" expected integer',
      );
      expect(() => check([...receipts.slice(1), { ...receipts[0], more: 1 }])).toThrow(
        '"receipt" expected no fields but',
      );
      expect(() => check([...receipts.slice(1), null])).toThrow('"receipt" expected object, got type=null');
      expect(() => check([...receipts.slice(1), { ...receipts[0], mac: 'x'.repeat(64) }])).toThrow(
        '"receipt.mac" expected 64 hex',
      );
      for (const other of [
        receiptOf(payloadKey, { ...sheet, upload: 'upload-2' }, 3, 'etag 3'),
        receiptOf(payloadKey, { ...sheet, target: 's3://bucket/other' }, 3, 'etag 3'),
        receiptOf(bytes(33).subarray(1), sheet, 3, 'etag 3'),
      ])
        expect(() => check([...receipts.slice(1), other])).toThrow('the result of part 3 is not that of a worker');
    });
  });
});
