/** The root of an age file's work: puts the parts together, or gives the upload up. */
import { uploadOf } from '../objects/index.ts';
import { CHUNK_BYTES, fileSizeOf, partsIn, SEALED_CHUNK_BYTES } from '../sealing/plan.ts';
import { checkReceipts } from '../sealing/receipt.ts';
import { ageJobOf, withKey, type AgeJob } from './age-work.ts';
import { fieldsOf } from './check.ts';
import type { JobKind } from './kind.ts';

/** The entity tag of the target. */
export type AgeRootResult = string;

/** Bytes of the target. */
export const targetSizeOf = ({ work }: AgeJob): number =>
  work.kind === 'encrypt' ? fileSizeOf(work.plan) : work.plan.size;

/** Bytes of the source that a part stands for. */
export const sourceUnitOf = ({ work: { kind, plan } }: AgeJob): number =>
  plan.partChunks * (kind === 'encrypt' ? CHUNK_BYTES : SEALED_CHUNK_BYTES);

export const ageRoot: JobKind<AgeJob, AgeRootResult> = {
  name: 'age-root',

  check(data) {
    const { work, sheet } = fieldsOf(data, 'data', ['work', 'sheet']);
    return ageJobOf(work, sheet);
  },

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
