/** One part of an age file: reads a range of the source, encrypts or decrypts it, and uploads it. */
import { blake3 } from 'lanewise/blake3.js';
import { bytesToHex } from 'lanewise/utils.js';
import { readerOf, uploadOf } from '../objects/index.ts';
import { openPart, sealPart } from '../sealing/chunks.ts';
import { MOST_HEADER_BYTES, partAt, partsIn, type Part } from '../sealing/plan.ts';
import { receiptOf, type PartReceipt } from '../sealing/receipt.ts';
import { ageJobOf, withKey, type AgeJob } from './age-work.ts';
import { fieldsOf, integerOf, stringOf } from './check.ts';
import type { JobContext, JobKind } from './kind.ts';
import { readAhead } from './read-ahead.ts';

export interface AgePart extends AgeJob {
  /** From 1. */
  readonly number: number;
  /** Header and salt in base64, in the first part of an encryption. The sheet has their hash. */
  readonly header?: string;
}

/** The first part of an encrypted file has the header in front of its chunks. */
const startsFile = ({ work, number }: Pick<AgePart, 'work' | 'number'>): boolean =>
  work.kind === 'encrypt' && number === 1;

/** The header that a job brings: none but in the first part of an encryption. */
function headerOf(job: AgePart): Uint8Array {
  const header = Buffer.from(job.header ?? '', 'base64');
  if (!startsFile(job)) return header;
  const { plan, headerHash } = job.work;
  if (header.length !== plan.headerBytes || bytesToHex(blake3(header)) !== headerHash)
    throw new RangeError('"header" of the job expected that of its work sheet, got another');
  return header;
}

/** Where the range of a part begins in the source, and its length. */
const rangeOf = ({ work }: AgeJob, part: Part): readonly [offset: number, length: number] =>
  work.kind === 'encrypt' ? [part.plainOffset, part.plainLength] : [part.cipherOffset, part.cipherLength];

async function bytesOfPart(job: AgePart, part: Part, key: Uint8Array, context: JobContext): Promise<Uint8Array> {
  const { source, kind } = job.work;
  const reader = readerOf(source.url, context.settings.objects, context.settings.allow);
  const pieces = readAhead(reader, source, ...rangeOf(job, part), context.signal);
  if (kind === 'decrypt') {
    const plaintext = new Uint8Array(part.plainLength);
    await openPart(key, part, pieces, plaintext);
    return plaintext;
  }
  const header = headerOf(job);
  const bytes = new Uint8Array(header.length + part.cipherLength);
  bytes.set(header);
  await sealPart(key, part, pieces, bytes.subarray(header.length));
  return bytes;
}

export const agePart: JobKind<AgePart, PartReceipt> = {
  name: 'age-part',

  check(data) {
    const fields = fieldsOf(data, 'data', ['work', 'sheet', 'number'], ['header']);
    const common = ageJobOf(fields['work'], fields['sheet']);
    const number = integerOf(fields['number'], 'number', 1, partsIn(common.work.plan));
    const { header } = fields;
    const starts = startsFile({ ...common, number });
    if (starts !== (header !== undefined))
      throw new TypeError('"header" expected in the first part of an encryption, and in no other');
    const job = { ...common, number };
    if (!starts) return job;
    const first = { ...job, header: stringOf(header, 'header', 2 * MOST_HEADER_BYTES) };
    headerOf(first);
    return first;
  },

  touches(job) {
    const [offset, length] = rangeOf(job, partAt(job.work.plan, job.number));
    return { source: job.work.source.url, offset, length, target: job.work.target };
  },

  run: async (job, context) =>
    await withKey(job, context, async (payloadKey) => {
      const { kind, target, upload, plan } = job.work;
      const part = partAt(plan, job.number);
      const bytes = await bytesOfPart(job, part, payloadKey, context);
      try {
        const offset = kind === 'decrypt' ? part.plainOffset : startsFile(job) ? 0 : part.cipherOffset;
        const to = uploadOf(target, context.settings.objects, context.settings.allowWrite);
        const etag = await to.part(upload, job.number, offset, bytes, context.signal);
        return receiptOf(payloadKey, job.work, job.number, etag);
      } finally {
        // Of a decryption these are plaintext.
        bytes.fill(0);
      }
    }),
};
