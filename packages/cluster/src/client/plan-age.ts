/** The encryption or decryption of an age file as jobs: parts and a root, over an upload that was begun. */
import { randomBytes } from 'node:crypto';
import { Decrypter, Encrypter } from '@lanewise/age/files.js';
import { blake3 } from 'lanewise/blake3.js';
import { bytesToHex } from 'lanewise/utils.js';
import { optionsOf } from '../calls.ts';
import { hasHeader, type AgePart } from '../jobs/age-part.ts';
import { ageRoot, describedWork, sourceUnitOf, targetSizeOf } from '../jobs/age-root.ts';
import { integerOf, stringOf } from '../jobs/check.ts';
import { WINDOW } from '../jobs/window.ts';
import { readerOf, sameObject, uploadOf } from '../objects/index.ts';
import type { ObjectOptions, ObjectVersion, Upload } from '../objects/object.ts';
import { CHUNK_BYTES, planOf as cut, type Plan } from '../sealing/plan.ts';
import { wrapSheet, type WorkSheet } from '../sealing/sheet.ts';
import type { Work } from '../types.ts';
import { checkEnd, headerIn, plaintextSizeOf } from './age-source.ts';
import { firstLeaves, type Planned, type WorkPlan } from './plan.ts';

type EncryptWork = Extract<Work, { kind: 'encrypt' }>;
type DecryptWork = Extract<Work, { kind: 'decrypt' }>;

/** Adds all strings of a list that has at least one. The messages of @lanewise/age show neither recipients nor identities. */
function addAll(value: unknown, name: string, add: (entry: string) => void): void {
  if (!Array.isArray(value)) throw new TypeError(`"${name}" expected array of strings, got type=${typeof value}`);
  if (value.length === 0) throw new RangeError(`"${name}" expected at least one, got none`);
  for (const entry of value as unknown[]) {
    if (typeof entry !== 'string')
      throw new TypeError(`"${name}" expected array of strings, got type=${typeof entry} in it`);
    try {
      add(entry);
    } catch (error) {
      throw new Error(`"${name}": ${(error as Error).message}`, { cause: error });
    }
  }
}

/** An encrypter to a list of recipients. */
function encrypterTo(recipients: unknown, name: string): Encrypter {
  const encrypter = new Encrypter();
  addAll(recipients, name, (recipient) => encrypter.addRecipient(recipient));
  return encrypter;
}

/** The caller's options of a task that have these names. */
const withOptions = <Its extends EncryptWork | DecryptWork>(work: Its, names: readonly string[]): Its =>
  optionsOf({ ...work, options: optionsOf(work.options, names) }, undefined);

/** Checks the options that both kinds of task share, before any object is looked up. */
function checkWork({ source, target, options }: EncryptWork | DecryptWork, objects: ObjectOptions): Upload {
  stringOf(target, 'target', 8192);
  if (sameObject(source, target))
    throw new RangeError('"target" expected another object than the source, got the same');
  encrypterTo(options.workers, 'workers');
  if (options.partChunks !== undefined) integerOf(options.partChunks, 'partChunks', 1);
  // A source that cannot be read, and a target that cannot be written, are refused here.
  readerOf(source, objects);
  return uploadOf(target, objects);
}

/** The facts about a task when its upload begins. */
interface Beginning {
  readonly work: EncryptWork | DecryptWork;
  readonly object: ObjectVersion;
  readonly plan: Plan;
  readonly payloadKey: Uint8Array;
  /** Header and salt, of an encryption. */
  readonly header?: Uint8Array;
}

/** Begins the upload and makes the jobs. */
async function begin(
  { work: { kind, target, options }, object, plan, payloadKey, header }: Beginning,
  upload: Upload,
  signal?: AbortSignal,
): Promise<Planned> {
  const id = await upload.begin(signal);
  const abandon = (): Promise<void> => upload.abort(id);
  try {
    const work: WorkSheet = {
      kind,
      source: object,
      target,
      upload: id,
      plan,
      ...(header && { headerHash: bytesToHex(blake3(header)) }),
    };
    const sheet = await wrapSheet(work, payloadKey, options.workers);
    const withHeader = header && { header: Buffer.from(header).toString('base64') };
    // At least as many parts as have bytes of the header, which the root has not.
    const window = Math.max(WINDOW, Math.ceil(plan.headerBytes / (plan.partChunks * CHUNK_BYTES)));
    const root = { work, sheet, window };
    const leaves = firstLeaves(ageRoot, root).map(({ name, data }) => {
      const part = data as AgePart;
      return { name, data: hasHeader(part) ? { ...part, ...withHeader } : part };
    });
    // Two encryptions of one object are two files, so no work is that of another.
    const jobId = `${kind}-${randomBytes(16).toString('hex')}`;
    return { id: jobId, root: { name: ageRoot.name, data: root }, leaves, abandon };
  } catch (error) {
    await abandon();
    throw error;
  }
}

/** Shared by both kinds. */
const common = {
  root: ageRoot.name,

  describe(data) {
    const work = describedWork(data);
    const { kind, source, target } = work;
    return { kind, source: source.url, target, total: source.size, unit: sourceUnitOf(work) };
  },

  result(value, data) {
    const work = describedWork(data);
    const { kind, target } = work;
    return { kind, target, size: targetSizeOf(work), etag: stringOf(value, 'result') };
  },

  async abandon(data, objects) {
    const { target, upload } = describedWork(data);
    await uploadOf(target, objects).abort(upload);
  },
} satisfies Omit<WorkPlan, 'plan'>;

export const encryptPlan: WorkPlan<EncryptWork> = {
  ...common,

  async plan(given, objects, signal) {
    const work = withOptions(given, ['recipients', 'workers', 'partChunks']);
    const { recipients, partChunks } = work.options;
    const encrypter = encrypterTo(recipients, 'recipients');
    const upload = checkWork(work, objects);
    const object = await readerOf(work.source, objects).look(signal);
    const { header, payloadKey } = await encrypter.fileHeader(signal && { signal });
    try {
      const plan = cut(work.kind, object.size, header.length, partChunks, work.target);
      return await begin({ work, object, plan, payloadKey, header }, upload, signal);
    } finally {
      payloadKey.fill(0);
    }
  },
};

/** The identities stay with the caller, who finds the key of the payload. */
export const decryptPlan: WorkPlan<DecryptWork> = {
  ...common,

  async plan(given, objects, signal) {
    const work = withOptions(given, ['identities', 'workers', 'partChunks']);
    const { identities, partChunks } = work.options;
    const decrypter = new Decrypter();
    addAll(identities, 'identities', (identity) => decrypter.addIdentity(identity));
    const upload = checkWork(work, objects);
    const reader = readerOf(work.source, objects);
    const object = await reader.look(signal);
    const header = await headerIn(reader, object, signal);
    const size = plaintextSizeOf(object, header.length);
    const payloadKey = await decrypter.payloadKey({ header: header.bytes, ...(signal && { signal }) });
    try {
      await checkEnd(reader, object, header.length, payloadKey, signal);
      const plan = cut(work.kind, size, header.length, partChunks, work.target);
      return await begin({ work, object, plan, payloadKey }, upload, signal);
    } finally {
      payloadKey.fill(0);
    }
  },
};
