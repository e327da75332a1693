/** Jobs of age files, run one by one without a queue: as they should be, and as a writer of the queue may change them. */
import { Decrypter, generateIdentity, identityToRecipient } from '@lanewise/age';
import * as typage from 'age-encryption';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decryptPlan, encryptPlan } from '../src/client/plan-age.ts';
import type { Planned } from '../src/client/plan.ts';
import { agePart } from '../src/jobs/age-part.ts';
import { ageRoot } from '../src/jobs/age-root.ts';
import type { AgeJob } from '../src/jobs/age-work.ts';
import { ageWorks, partsOf, sent } from './age-works.ts';
import { bytesFor, fileObject, type FileObject } from './objects-on-disk.ts';
import { temporaryFolder } from './servers/process.ts';

const CHUNK = 65_536;
const SIZE = 3 * CHUNK + 5;
/** Two chunks in each part but the last. */
const PARTS = 2;

const folder = temporaryFolder();
const data = join(folder.path, 'data');
const worker = join(folder.path, 'worker.txt');
const { url, context, runPart, runRoot, runAll } = ageWorks(data, worker);

let identity: string;
let recipient: string;
let workers: string[];
let source: FileObject;
let other: FileObject;

beforeAll(async () => {
  identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
  const its = await generateIdentity();
  workers = [await identityToRecipient(its)];
  writeFileSync(worker, `# created: today\n\n${its}\n`);
});
beforeEach(() => {
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data);
  source = fileObject(data, 'source', SIZE);
  other = fileObject(data, 'other', SIZE);
});
afterAll(() => folder.remove());

const encryption = (target = 'target'): Promise<Planned> =>
  encryptPlan.plan(
    {
      kind: 'encrypt',
      source: source.url,
      target: url(target),
      options: { recipients: [recipient], workers, partChunks: 2 },
    },
    {},
  );

const decryption = async (): Promise<Planned> => {
  const theirs = new typage.Encrypter();
  theirs.addRecipient(recipient);
  writeFileSync(join(data, 'source.age'), await theirs.encrypt(source.bytes));
  return await decryptPlan.plan(
    {
      kind: 'decrypt',
      source: url('source.age'),
      target: url('target'),
      options: { identities: [identity], workers, partChunks: 2 },
    },
    {},
  );
};

const target = (): Buffer => readFileSync(join(data, 'target'));
/** The rest of a draft, besides the objects that were there. */
const left = (): string[] => readdirSync(data).filter((name) => name.startsWith('.'));

async function plaintextOf(file: Uint8Array): Promise<Uint8Array> {
  const theirs = new typage.Decrypter();
  theirs.addIdentity(identity);
  return await theirs.decrypt(new Uint8Array(file));
}

describe('jobs as they were made', () => {
  it('encrypt', async () => {
    const planned = await encryption();
    expect(planned.leaves.length).toBe(PARTS);
    await runAll(planned);
    expect(Buffer.compare(await plaintextOf(target()), source.bytes)).toBe(0);
    expect(left()).toEqual([]);
  });

  it('decrypt', async () => {
    await runAll(await decryption());
    expect(target().equals(source.bytes)).toBe(true);
    expect(left()).toEqual([]);
  });

  it('are run again with the same bytes as result', async () => {
    const planned = await encryption();
    for (const job of [...partsOf(planned), ...partsOf(planned)]) await runPart(job);
    await runAll(planned);
    expect(Buffer.compare(await plaintextOf(target()), source.bytes)).toBe(0);
  });

  it('say what they touch and what they are', async () => {
    const [first, last] = partsOf(await encryption());
    const touched = { source: source.url, target: url('target') };
    // The header is in front, so the second chunk begins in the first part and ends in the second.
    expect(agePart.touches(first)).toEqual({ ...touched, offset: 0, length: 2 * CHUNK });
    expect(agePart.touches(last)).toEqual({ ...touched, offset: CHUNK, length: 2 * CHUNK + 5 });
    const { root } = await decryption();
    const size = readFileSync(join(data, 'source.age')).length;
    const shown = { kind: 'decrypt', source: url('source.age'), target: url('target') };
    expect(decryptPlan.describe(root.data)).toEqual({ ...shown, total: size, unit: 2 * (CHUNK + 16) });
    expect(decryptPlan.result('tag', root.data)).toEqual({
      kind: 'decrypt',
      target: url('target'),
      size: SIZE,
      etag: 'tag',
    });
  });

  it('leave nothing when they are given up, once or twice', async () => {
    const planned = await encryption();
    await runPart(partsOf(planned)[0]);
    expect(left().length).toBe(1);
    for (let i = 0; i < 2; i++) await ageRoot.abandon!(ageRoot.check(sent(planned.root.data)), context());
    expect(left()).toEqual([]);
    const another = await encryption();
    await another.abandon!();
    expect(left()).toEqual([]);
    expect(existsSync(join(data, 'target'))).toBe(false);
  });

  it('need the identity of the workers', async () => {
    const [job] = partsOf(await encryption());
    await expect(
      agePart.run(job, { ...context(), settings: { ...context().settings, identityFile: undefined } }),
    ).rejects.toThrow('this worker has no identity (identityFile)');
    const files = { stranger: `${await generateIdentity()}\n`, empty: '# nothing\n', recipients: `${recipient}\n` };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder.path, name), content);
    const run = (name: string) => agePart.run(job, context([], join(folder.path, name)));
    await expect(run('stranger')).rejects.toThrow('"sheet" is for none of the identities of this worker');
    for (const name of ['empty', 'recipients'])
      await expect(run(name)).rejects.toThrow('the identity file expected lines AGE-SECRET-KEY-');
    await expect(run('none')).rejects.toThrow('ENOENT');
  });
});

describe('jobs that were changed', () => {
  /** Changes of a part's work that its sheet does not have. */
  const changes: readonly [string, string, (work: AgeJob['work']) => object][] = [
    ['another source of the same size', 'source', ({ source }) => ({ source: { ...source, url: other.url } })],
    ['another version of the source', 'source', ({ source }) => ({ source: { ...source, etag: '1-2-3' } })],
    ['another target', 'target', () => ({ target: url('elsewhere') })],
    ['another upload', 'upload', ({ upload }) => ({ upload: upload.replace(/^./, (x) => (x === '0' ? '1' : '0')) })],
    ['larger parts', 'plan', ({ plan }) => ({ plan: { ...plan, partChunks: 4 } })],
  ];

  it.each(changes)('to %s are refused, and so is their root', async (_, field, change) => {
    for (const planned of [await encryption(), await decryption()]) {
      const message = `"${field}" of the job expected that of its work sheet, got another`;
      const changed = <Job extends AgeJob>(job: Job): Job => ({ ...job, work: { ...job.work, ...change(job.work) } });
      await expect(runPart(changed(partsOf(planned)[0]))).rejects.toThrow(message);
      const root = changed(planned.root.data as AgeJob);
      await expect(runRoot(root, [])).rejects.toThrow(message);
      await expect(ageRoot.abandon!(ageRoot.check(sent(root)), context())).rejects.toThrow(message);
      await expect(runPart(changed(partsOf(planned)[0]))).rejects.toMatchObject({ final: true });
    }
    expect(readdirSync(data).filter((name) => name === 'elsewhere')).toEqual([]);
  });

  it('to encrypt in place of to decrypt are refused', async () => {
    const [job] = partsOf(await decryption());
    const { plan, source: sealed } = job.work;
    const work = { ...job.work, kind: 'encrypt', headerHash: '0'.repeat(64), source: { ...sealed, size: plan.size } };
    await expect(runPart({ ...job, number: 2, work })).rejects.toThrow('"kind" of the job expected');
  });

  it('to the size of another plan are refused', async () => {
    const [job] = partsOf(await encryption());
    const work = { ...job.work, source: { ...job.work.source, size: SIZE + 1 } };
    await expect(runPart({ ...job, work })).rejects.toThrow('"work.source.size" expected');
    const both = { ...work, plan: { ...job.work.plan, size: SIZE + 1 } };
    await expect(runPart({ ...job, work: both })).rejects.toThrow('"source" of the job expected');
  });

  it('to another header are refused', async () => {
    const [first, second] = partsOf(await encryption());
    const [strange] = partsOf(await encryption('elsewhere'));
    const header = '"header" of the job expected that of its work sheet';
    await expect(runPart({ ...first, header: strange.header })).rejects.toThrow(header);
    const work = { ...first.work, headerHash: strange.work.headerHash };
    await expect(runPart({ ...first, work, header: strange.header })).rejects.toThrow(
      '"headerHash" of the job expected',
    );
    await expect(runPart({ ...first, header: 'AAAA' })).rejects.toThrow(header);
    const place = '"header" expected in the parts of an encryption that have bytes of it, and in no others';
    await expect(runPart({ ...second, header: first.header })).rejects.toThrow(place);
    await expect(runPart({ ...first, header: undefined })).rejects.toThrow(place);
  });

  it.each([
    [{ number: 0 }, '"number" expected integer from 1 to 2, got 0'],
    [{ number: 3 }, '"number" expected integer from 1 to 2, got 3'],
    [{ number: '1' }, '"number" expected number, got type=string'],
    [{ more: 1 }, '"data" expected no fields but'],
    [{ sheet: undefined }, '"data" expected a field sheet'],
    [{ sheet: 5 }, '"sheet" expected string, got type=number'],
    [{ sheet: 'x'.repeat(2 ** 20 + 1) }, '"sheet" expected length'],
    [{ work: null }, '"work" expected object, got type=null'],
  ])('to %o are refused before anything is read', async (change, message) => {
    const [, second] = partsOf(await encryption());
    expect(() => agePart.check(sent({ ...second, ...change }))).toThrow(message);
  });

  it('to a part of other bytes under the same key are refused, because its source has changed', async () => {
    const planned = await encryption();
    writeFileSync(source.path, bytesFor('second', SIZE));
    for (const job of partsOf(planned)) await expect(runPart(job)).rejects.toThrow('has changed');
  });

  it('to the sheet of another work are refused', async () => {
    const [first] = partsOf(await encryption());
    const [strange] = partsOf(await encryption('elsewhere'));
    await expect(runPart({ ...first, sheet: strange.sheet })).rejects.toThrow(
      'of the job expected that of its work sheet',
    );
  });

  it('or repeated when their work has ended write nothing', async () => {
    const planned = await encryption();
    const results = await runAll(planned);
    const file = target();
    for (const job of partsOf(planned)) await expect(runPart(job)).rejects.toThrow();
    // The root finds the file that it has made.
    await runRoot(planned.root.data, results);
    expect(Buffer.compare(target(), file)).toBe(0);
    // A target of another upload is not taken for its own.
    await runAll(await encryption());
    await expect(runRoot(planned.root.data, results)).rejects.toThrow();
    expect(left()).toEqual([]);
  });

  it('leave no plaintext when the source was changed', async () => {
    const planned = await decryption();
    const file = readFileSync(join(data, 'source.age'));
    // Behind the check of the last chunk, and with the version that was looked up.
    file[file.length - 20] ^= 1;
    const [, job] = partsOf(planned);
    writeFileSync(join(data, 'source.age'), file);
    await expect(runPart(job)).rejects.toThrow('has changed');
  });
});

describe('results that were changed', () => {
  let planned: Planned;
  let results: { number: number; etag: string; mac: string }[];
  beforeEach(async () => {
    planned = await encryption();
    results = [];
    for (const job of partsOf(planned)) results.push((await runPart(job)) as (typeof results)[number]);
  });
  const completing = (children: readonly unknown[]) => expect(runRoot(planned.root.data, children)).rejects;

  it('make no file', async () => {
    const [first, second] = results;
    await completing([first]).toThrow('parts expected 2, got the results of 1');
    await completing([first, first]).toThrow('part 1 has two results');
    await completing([first, { ...second, etag: first.etag }]).toThrow('the result of part 2 is not that of a worker');
    await completing([first, { ...second, number: 1 }]).toThrow('the result of part 1 is not that of a worker');
    await completing([first, second, second]).toThrow('parts expected 2, got the results of 3');
    const another = (await runPart(partsOf(await encryption())[1])) as (typeof results)[number];
    await completing([first, another]).toThrow('the result of part 2 is not that of a worker');
    await completing([first, 'second']).toThrow('"receipt" expected object, got type=string');
    expect(existsSync(join(data, 'target'))).toBe(false);
    await runRoot(planned.root.data, results);
    expect(Buffer.compare(await plaintextOf(target()), source.bytes)).toBe(0);
  });
});

it('a decrypter of @lanewise/age finds the key that the jobs had', async () => {
  await runAll(await encryption());
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  expect(Buffer.compare(await decrypter.decrypt(new Uint8Array(target())), source.bytes)).toBe(0);
});
