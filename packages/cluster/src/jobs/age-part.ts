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
  /** Header and salt in base64, in those parts of an encryption that have bytes of it. The sheet has their hash. */
  readonly header?: string;
}

const partOf = ({ work: { kind, plan }, number }: Pick<AgePart, 'work' | 'number'>): Part => partAt(kind, plan, number);

/** The first part of an encrypted file has the header in front of its chunks; a long one goes on in the next parts. */
export const hasHeader = (job: Pick<AgePart, 'work' | 'number'>): boolean =>
  job.work.kind === 'encrypt' && partOf(job).offset < job.work.plan.headerBytes;

/** The header that a job brings: none but where a part of an encryption has bytes of it. */
function headerOf(job: AgePart): Uint8Array {
  const header = Buffer.from(job.header ?? '', 'base64');
  if (!hasHeader(job)) return header;
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
  // Of the header, and of the chunks at its edges, the part has the bytes on its side.
  const from = part.offset - (part.cipherOffset - header.length);
  return bytes.subarray(from, from + part.length);
}

export const agePart: JobKind<AgePart, PartReceipt> = {
  name: 'age-part',

  check(data) {
    const fields = fieldsOf(data, 'data', ['work', 'sheet', 'number'], ['header']);
    const common = ageJobOf(fields['work'], fields['sheet']);
    const { kind, plan } = common.work;
    const number = integerOf(fields['number'], 'number', 1, partsIn(kind, plan));
    const { header } = fields;
    const job = { ...common, number };
    if (hasHeader(job) !== (header !== undefined))
      throw new TypeError('"header" expected in the parts of an encryption that have bytes of it, and in no others');
    if (header === undefined) return job;
    const withIts = { ...job, header: stringOf(header, 'header', 2 * MOST_HEADER_BYTES) };
    headerOf(withIts);
    return withIts;
  },

  touches(job) {
    const [offset, length] = rangeOf(job, partOf(job));
    return { source: job.work.source.url, offset, length, target: job.work.target };
  },

  run: async (job, context) =>
    await withKey(job, context, async (payloadKey) => {
      const { target, upload } = job.work;
      const part = partOf(job);
      const bytes = await bytesOfPart(job, part, payloadKey, context);
      try {
        const to = uploadOf(target, context.settings.objects, context.settings.allowWrite);
        const etag = await to.part(upload, job.number, part.offset, bytes, context.signal);
        return receiptOf(payloadKey, job.work, job.number, etag);
      } finally {
        // Of a decryption these are plaintext.
        bytes.fill(0);
      }
    }),
};
