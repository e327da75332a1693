/**
 * The work sheet: all that workers must know of one encryption or decryption, with the key of the payload, as an age file to the workers'
 * recipients.
 *
 * An attacker who can write to the queue can change jobs. If a job said beside a wrapped key which source is encrypted, two different sources
 * could be encrypted under one key and one nonce, which gives both away; or a file could be decrypted to a place of the attacker's choice.
 * So workers take everything from the sheet, and a job has only a number of a part beside it. A sheet that is used once more repeats the
 * same work: it reads the same version of the source, makes the same bytes, and writes them to the same upload.
 */
import { Decrypter, Encrypter } from '@lanewise/age/files.js';
import { bytesToHex } from 'lanewise/utils.js';
import { bytesOf, fieldsOf, integerOf, oneOf, stringOf, versionOf } from '../jobs/check.ts';
import { checked, FinalError } from '../jobs/errors.ts';
import type { ObjectVersion } from '../objects/object.ts';
import { fileSizeOf, planOf, type Kind, type Plan } from './plan.ts';

/** The content of a sheet. */
export interface WorkSheet {
  readonly kind: Kind;
  readonly source: ObjectVersion;
  readonly target: string;
  /** The id of the upload, which was begun. */
  readonly upload: string;
  readonly plan: Plan;
  /** Of an encryption, the BLAKE3 hash of header and salt in hex: they travel beside the sheet with the parts that have bytes of them. */
  readonly headerHash?: string;
}

/** A sheet that was opened. */
export interface OpenedSheet {
  readonly sheet: WorkSheet;
  /** 32 bytes; the code that opened the sheet wipes them. */
  readonly payloadKey: Uint8Array;
}

/** In front of the key: a file that was encrypted to the workers for another purpose isn't a sheet. */
const PURPOSE = 'lanewise cluster work sheet ';
/** How parts are cut; v1 had the header in front of a first part that was longer. Workers of two versions would mix both in one file. */
const VERSION = 'v2';
const MAGIC = new TextEncoder().encode(`${PURPOSE}${VERSION}\n`);
const KEY_BYTES = 32;
/** The most characters of a sheet in base64: room for hundreds of recipients. */
export const MOST_SHEET_CHARACTERS = 2 ** 20;
/** The most characters of a URL, and of an upload's id. */
const MOST_URL = 8192;
const MOST_UPLOAD = 2100;

const HASH_BYTES = 32;

/**
 * Checks the content of a sheet, or a job beside its sheet. A sheet that could be opened isn't a proof of its author: the workers' recipient is
 * public, so anyone can make a sheet with a key of his own.
 */
export function workOf(value: unknown): WorkSheet {
  const fields = fieldsOf(value, 'work', ['kind', 'source', 'target', 'upload', 'plan'], ['headerHash']);
  const kind = oneOf(fields['kind'], 'work.kind', ['encrypt', 'decrypt'] as const);
  const source = versionOf(fields['source'], 'work.source');
  const target = stringOf(fields['target'], 'work.target', MOST_URL);
  const upload = stringOf(fields['upload'], 'work.upload', MOST_UPLOAD);
  const plan = planFrom(kind, fields['plan'], target);
  const size = kind === 'encrypt' ? plan.size : fileSizeOf(plan);
  if (source.size !== size)
    throw new RangeError(`"work.source.size" expected ${size}, as its plan has, got ${source.size}`);
  const common = { source, target, upload, plan };
  const { headerHash } = fields;
  if (kind === 'encrypt') return { kind, ...common, headerHash: hexOf(headerHash, 'work.headerHash', HASH_BYTES) };
  if (headerHash !== undefined)
    throw new TypeError('"work.headerHash" expected undefined, because decryption has it in its source');
  return { kind, ...common };
}

/** A plan is made again, so that its limits hold. */
function planFrom(kind: Kind, value: unknown, target: string): Plan {
  const { size, headerBytes, partChunks } = fieldsOf(value, 'work.plan', ['size', 'headerBytes', 'partChunks']);
  return planOf(
    kind,
    integerOf(size, 'size', 0),
    integerOf(headerBytes, 'headerBytes', 1),
    integerOf(partChunks, 'partChunks', 1),
    target,
  );
}

/** Bytes in hexadecimal that stay text. */
const hexOf = (value: unknown, name: string, length: number): string => bytesToHex(bytesOf(value, name, length));

/**
 * Refuses a job that says another thing than its sheet.
 *
 * @throws FinalError that names the first field that differs.
 */
export function checkSame(job: WorkSheet, { kind, source, target, upload, plan, headerHash }: WorkSheet): void {
  const same = { kind, source, target, upload, plan, headerHash };
  for (const [name, value] of Object.entries(same))
    if (JSON.stringify(job[name as keyof WorkSheet]) !== JSON.stringify(value))
      throw new FinalError(`"${name}" of the job expected that of its work sheet, got another`);
}

/**
 * Encrypts a sheet to the workers.
 *
 * @param sheet - Its content.
 * @param payloadKey - 32 bytes; they stay the caller's, who wipes them.
 * @param workers - Recipients of the workers' identities.
 * @returns A promise of an age file in base64.
 */
export async function wrapSheet(sheet: WorkSheet, payloadKey: Uint8Array, workers: readonly string[]): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(workOf(sheet)));
  const plaintext = new Uint8Array(MAGIC.length + KEY_BYTES + text.length);
  plaintext.set(MAGIC);
  plaintext.set(payloadKey, MAGIC.length);
  plaintext.set(text, MAGIC.length + KEY_BYTES);
  try {
    const encrypter = new Encrypter();
    for (const worker of workers) encrypter.addRecipient(worker);
    const wrapped = Buffer.from(await encrypter.encrypt(plaintext)).toString('base64');
    return stringOf(wrapped, 'sheet', MOST_SHEET_CHARACTERS);
  } finally {
    plaintext.fill(0);
  }
}

/**
 * Opens a sheet.
 *
 * @param text - An age file in base64, as it came from the queue.
 * @param identities - Of the worker.
 * @throws By rejection: TypeError, RangeError or Error if it isn't a sheet, was changed, or is for other workers.
 */
export async function openSheet(text: unknown, identities: readonly string[]): Promise<OpenedSheet> {
  const file = Buffer.from(stringOf(text, 'sheet', MOST_SHEET_CHARACTERS), 'base64');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  let plaintext: Uint8Array;
  try {
    plaintext = await decrypter.decrypt(new Uint8Array(file));
  } catch (error) {
    // Final, though another worker might open it: workers of one queue have the same identities.
    throw new FinalError(
      `"sheet" is for none of the identities of this worker, or was changed: ${(error as Error).message}`,
    );
  }
  try {
    checkMagic(plaintext);
    const payloadKey = plaintext.slice(MAGIC.length, MAGIC.length + KEY_BYTES);
    try {
      return { sheet: checked(() => workOf(parsed(plaintext.subarray(MAGIC.length + KEY_BYTES)))), payloadKey };
    } catch (error) {
      payloadKey.fill(0);
      throw error;
    }
  } finally {
    plaintext.fill(0);
  }
}

/** Refuses anything but a sheet, and names a version with other parts. */
function checkMagic(plaintext: Uint8Array): void {
  const got = new TextDecoder('latin1').decode(plaintext.subarray(0, MAGIC.length));
  const version = new RegExp(`^${PURPOSE}(v\\d)\n$`).exec(got)?.[1];
  if (plaintext.length < MAGIC.length + KEY_BYTES || version === undefined)
    throw new FinalError('"sheet" expected work sheet, got another file');
  if (version !== VERSION)
    throw new FinalError(
      `"sheet" expected work sheet ${VERSION}, got ${version}: callers and workers of a queue need the same version of @lanewise/cluster`,
    );
}

/** The value of JSON. Its own errors would show text after the key. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error('"sheet" expected work sheet, got another text');
  }
}
