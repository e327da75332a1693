/** The root of an age file's work: puts the parts together, or gives the upload up. */
import { uploadOf } from '../objects/index.ts';
import { CHUNK_BYTES, fileSizeOf, MOST_PARTS, partsIn, SEALED_CHUNK_BYTES } from '../sealing/plan.ts';
import { checkReceipts } from '../sealing/receipt.ts';
import { workOf, type WorkSheet } from '../sealing/sheet.ts';
import { agePart } from './age-part.ts';
import { ageJobOf, withKey, type AgeJob } from './age-work.ts';
import { fieldsOf } from './check.ts';
import type { JobKind } from './kind.ts';
import { windowOf } from './window.ts';

/** The entity tag of the target. */
export type AgeRootResult = string;

export interface AgeRoot extends AgeJob {
  /** Parts that wait at a time. */
  readonly window?: number;
}

/** A root's description of its task, also when the task has ended, and its sheet is gone. */
export function describedWork(data: unknown): WorkSheet {
  return workOf(fieldsOf(data, 'data', ['work'], ['sheet', 'window'])['work']);
}

/** Bytes of the target. */
export const targetSizeOf = (work: WorkSheet): number =>
  work.kind === 'encrypt' ? fileSizeOf(work.plan) : work.plan.size;

/** Bytes of the source that a part stands for. */
export const sourceUnitOf = ({ kind, plan }: WorkSheet): number =>
  plan.partChunks * (kind === 'encrypt' ? CHUNK_BYTES : SEALED_CHUNK_BYTES);

export const ageRoot: JobKind<AgeRoot, AgeRootResult> = {
  name: 'age-root',

  check(data) {
    const { work, sheet, window: given } = fieldsOf(data, 'data', ['work', 'sheet'], ['window']);
    const window = windowOf(given, MOST_PARTS);
    return { ...ageJobOf(work, sheet), ...(window === undefined ? {} : { window }) };
  },

  // Parts that have bytes of the header are among those that the caller puts into the queue.
  leaves: ({ work, sheet, window }) => ({
    name: agePart.name,
    count: partsIn(work.kind, work.plan),
    window,
    at: (index) => ({ work, sheet, number: index + 1 }),
  }),

  // The sheet has the key of a file, if only for who has the workers' identity.
  ended: ({ work }) => ({ work }),

  touches: ({ work }) => ({ source: work.source.url, offset: 0, length: 0, target: work.target }),

  run: async (job, context) =>
    await withKey(job, context, async (payloadKey) => {
      const { kind, target, upload, plan } = job.work;
      const parts = checkReceipts(payloadKey, job.work, context.children, partsIn(kind, plan));
      return await uploadOf(target, context.settings.objects, context.settings.allowWrite).complete(
        upload,
        parts,
        context.signal,
      );
    }),

  abandon: async (job, context) =>
    await withKey(job, context, async () => {
      await uploadOf(job.work.target, context.settings.objects, context.settings.allowWrite).abort(job.work.upload);
    }),
};
