/** Encryption by jobs where edges of parts, the end of the file, chunks, tags and the header meet. age is the judge of all files. */
import { generateIdentity, identityToRecipient } from '@lanewise/age';
import * as typage from 'age-encryption';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAge } from '../../cli/test/find-age.ts';
import { encryptPlan } from '../src/client/plan-age.ts';
import type { Planned } from '../src/client/plan.ts';
import { NotAuthentic, openPart, sealPart } from '../src/sealing/chunks.ts';
import { fileSizeOf, partAt, planOf } from '../src/sealing/plan.ts';
import { ageWorks, partsOf } from './age-works.ts';
import { bytesFor } from './objects-on-disk.ts';
import { temporaryFolder } from './servers/process.ts';

const CHUNK = 65_536;
const SEALED = CHUNK + 16;
/** Header and salt of a file to one recipient. */
const HEADER = 184;
const age = findAge();
if (age === undefined) console.log('SKIPPED: age 1.3.1 as a judge of edges, which Go can install and did not');

const folder = temporaryFolder();
const path = (name: string): string => join(folder.path, name);
const { url, runPart, runAll } = ageWorks(path('data'), path('worker.txt'));
const plaintext = bytesFor('edges', 4 * CHUNK);
let recipient: string;
let workers: string[];
let typageDecrypter: typage.Decrypter;

beforeAll(async () => {
  mkdirSync(path('data'));
  const identity = await generateIdentity();
  const worker = await generateIdentity();
  [recipient, workers] = [await identityToRecipient(identity), [await identityToRecipient(worker)]];
  writeFileSync(path('worker.txt'), `${worker}\n`);
  writeFileSync(path('reader.txt'), `${identity}\n`);
  typageDecrypter = new typage.Decrypter();
  typageDecrypter.addIdentity(identity);
});
afterAll(() => folder.remove());

/** The works of a file of so many bytes, in parts of one chunk unless given. */
async function encryption(size: number, recipients = [recipient], partChunks = 1): Promise<Planned> {
  writeFileSync(path('data/source'), plaintext.subarray(0, size));
  const options = { recipients, workers, partChunks };
  return await encryptPlan.plan({ kind: 'encrypt', source: url('source'), target: url('target'), options }, {});
}

/** The target, decrypted by age. */
async function judged(): Promise<Uint8Array> {
  if (age === undefined) return await typageDecrypter.decrypt(new Uint8Array(readFileSync(path('data/target'))));
  execFileSync(join(age, 'age'), ['-d', '-i', path('reader.txt'), '-o', path('judged'), path('data/target')]);
  return readFileSync(path('judged'));
}

const isRight = async (size: number): Promise<boolean> =>
  Buffer.compare(await judged(), plaintext.subarray(0, size)) === 0;

const around = (size: number, by: number): number[] =>
  Array.from({ length: 2 * by + 1 }, (_, index) => size - by + index).filter((each) => each >= 0);

describe('a file that is encrypted in parts of one chunk', () => {
  it.each<[string, number[]]>([
    ['nothing, or a few bytes', [0, 1, 2, 15, 16, 17]],
    ['as many bytes as fit into a part with the header, or a few more or less', around(CHUNK - HEADER, 18)],
    ['a chunk, or a few bytes more or less', around(CHUNK, 2)],
    ['as many bytes as fit into three parts, or a few more or less', around(3 * CHUNK - HEADER, 18)],
    ['three chunks, or a few bytes more or less', around(3 * CHUNK, 2)],
  ])('and has %s', async (_, sizes) => {
    for (const size of sizes) {
      const planned = await encryption(size);
      expect(planned.leaves.length).toBe(
        Math.ceil((HEADER + size + 16 * Math.max(1, Math.ceil(size / CHUNK))) / SEALED),
      );
      await runAll(planned);
      expect([size, await isRight(size)]).toEqual([size, true]);
    }
  });
});

describe('a header that is longer than a part', () => {
  const others = 1500;
  let recipients: string[];
  beforeAll(async () => {
    const other = await identityToRecipient(await generateIdentity());
    recipients = [...Array.from({ length: others }, () => other), recipient];
  });

  it('is in all parts that have bytes of it, and in no others', async () => {
    for (const size of [0, 1, CHUNK, 2 * CHUNK + 1]) {
      const planned = await encryption(size, recipients);
      const parts = partsOf(planned);
      const { headerBytes } = parts[0].work.plan;
      expect(headerBytes).toBeGreaterThan(2 * SEALED);
      for (const { header, number } of parts) expect(header !== undefined).toBe((number - 1) * SEALED < headerBytes);
      await runAll(planned);
      expect([size, await isRight(size)]).toEqual([size, true]);
    }
  });

  it('is refused if a part lacks it, or has another', async () => {
    const [, second] = partsOf(await encryption(1, recipients));
    await expect(runPart({ ...second, header: undefined })).rejects.toThrow('"header" expected in the parts');
    const [, strange] = partsOf(await encryption(1, recipients));
    await expect(runPart({ ...second, header: strange.header })).rejects.toThrow('that of its work sheet, got another');
  });
});

it('a chunk of which two parts have different texts is not authentic, and no byte of its key stream is used twice', async () => {
  const plan = planOf('encrypt', 2 * CHUNK, HEADER, 1, 'file:///target');
  const key = bytesFor('key', 32);
  const texts = [plaintext.subarray(0, 2 * CHUNK), bytesFor('other', 2 * CHUNK)];
  const file = new Uint8Array(fileSizeOf(plan));
  const whole = await Promise.all(
    texts.map(async (text, index) => {
      const part = partAt('encrypt', plan, index + 1);
      const out = new Uint8Array(part.cipherLength);
      const pieces = [text.subarray(part.plainOffset, part.plainOffset + part.plainLength)];
      await sealPart(key, part, pieces, out);
      const from = Math.max(HEADER, part.offset);
      file.set(out.subarray(from - part.cipherOffset, part.offset + part.length - part.cipherOffset), from);
      return out;
    }),
  );
  // The first chunk ends 184 bytes after the first part: those are of the second text, and all before them of the first.
  const edge = SEALED - HEADER;
  const stored = file.subarray(HEADER, HEADER + SEALED);
  expect(stored.subarray(0, edge)).toEqual(whole[0].subarray(0, edge));
  expect(stored.subarray(edge)).toEqual(whole[1].subarray(edge, SEALED));
  const opening = partAt('decrypt', planOf('decrypt', 2 * CHUNK, HEADER, 1, 'file:///plain'), 1);
  await expect(openPart(key, opening, [stored], new Uint8Array(CHUNK))).rejects.toBeInstanceOf(NotAuthentic);
});

it('a part that only has the end of a tag reads its chunk', async () => {
  const size = 2 * CHUNK - HEADER + 1;
  const planned = await encryption(size);
  const [, , last] = partsOf(planned);
  const result = await runPart(last);
  expect(result).toMatchObject({ number: 3 });
  expect((result as { etag: string }).etag).toMatch(new RegExp(`^"${2 * SEALED}-1\\b`));
});
