/**
 * The boundary: functions over linear memory beside the public API, which checks, copies in and out, and wipes; and the public
 * API in a worker beside that in the thread that is the page's.
 */
import { caseOf, randomWork, THOROUGH, type ClientCase, type ClientContest } from '../contest.ts';
import { startCrew, type Crew } from '../crew.ts';
import { fieldOf, casesOf } from '../field.ts';
import { kernelCases } from '../kernel-cases.ts';
import { messageOf } from '../checks.ts';
import { chacha20poly1305 } from '../primitives/aead.ts';
import { blake3 } from '../primitives/blake3.ts';
import { chacha20 } from '../primitives/chacha.ts';
import type { Operation } from '../primitives/operation.ts';
import { poly1305 } from '../primitives/poly1305.ts';

const who = { ours: ['simd', 'scalar'], rivals: [] } as const;

const contest = (operation: Operation, length: number): ClientContest => ({
  id: `boundary/${operation.id}/${length}`,
  axis: 'boundary',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}, ${operation.operation}, ${length} bytes: kernel and public API`,
  parameters: { length },
  kinds: THOROUGH,
  essential: length === LONG && operation === chacha20,
  async prepare({ random, surroundings }) {
    const { ourForms } = await import('../../kernels/forms.ts');
    const work = await randomWork(operation, length, random);
    const forms = ourForms.filter((form) => form.operation === operation.id);
    const kernels = kernelCases(operation, forms, work, surroundings);
    const own = await casesOf(operation, who, work, length);
    return { cases: [...kernels.cases, ...own.cases], absent: [...kernels.absent, ...own.absent] };
  },
});

const LONG = 65536;

const inWorker: ClientContest = {
  id: `boundary/worker/${chacha20.id}/${LONG}`,
  axis: 'boundary',
  form: 'rounds',
  primitive: chacha20.primitive,
  operation: chacha20.operation,
  title: 'ChaCha20, 64 KiB: the main thread and a worker, each by its own clock',
  parameters: { length: LONG },
  kinds: THOROUGH,
  places: ['page', 'node', 'bun', 'deno'],
  async prepare({ random, surroundings }) {
    const work = await randomWork(chacha20, LONG, random);
    const { performers, absent } = await fieldOf(chacha20, { ours: ['auto'], rivals: [] }, LONG);
    const here = await Promise.all(
      performers.map((performer) => caseOf(chacha20, performer, work, { id: 'main thread' })),
    );
    let crew: Crew;
    try {
      crew = await startCrew(1, surroundings);
    } catch (error) {
      return { cases: here, absent: [...absent, { case: 'worker', contestant: 'lanewise', reason: messageOf(error) }] };
    }
    const there = here.map((single): ClientCase => ({
      ...single,
      id: 'worker',
      description: { ...single.description, id: 'worker', parameters: { worker: true } },
      time: (count) => crew.time(work, count),
    }));
    return { cases: [...here, ...there], absent, end: () => crew.end() };
  },
};

export const boundary: readonly ClientContest[] = [
  ...[64, 1024, LONG].map((length) => contest(chacha20, length)),
  ...[64, 1024, LONG].map((length) => contest(chacha20poly1305.seal, length)),
  ...[64, 1024, LONG].map((length) => contest(blake3, length)),
  ...[64, 1024].map((length) => contest(poly1305, length)),
  inWorker,
];
