/** Kernels that are kept for study: how many blocks at once, where their words live, how they rotate, how the MAC is added. */
import type { KernelForm, studies } from '../../kernels/forms.ts';
import { FULL, randomWork, THOROUGH, type ClientContest } from '../contest.ts';
import { kernelCases } from '../kernel-cases.ts';
import type { Kind } from '../messages.ts';
import { chacha20poly1305 } from '../primitives/aead.ts';
import { chacha20 } from '../primitives/chacha.ts';
import type { Operation } from '../primitives/operation.ts';

type Study = keyof typeof studies;

const contest = (
  name: string,
  operation: Operation,
  length: number,
  title: string,
  chosen: readonly Study[],
  kinds: readonly Kind[] = THOROUGH,
): ClientContest => ({
  id: `kernels/${name}/${operation.id}/${length}`,
  axis: 'kernels',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}, ${length} bytes in linear memory: ${title}`,
  parameters: { length },
  kinds,
  async prepare({ random, surroundings }) {
    const forms = await import('../../kernels/forms.ts');
    const ours = forms.ourForms.filter((form) => form.operation === operation.id);
    const all: readonly KernelForm[] = [...ours, ...chosen.flatMap((study) => forms.studies[study])];
    const unique = [...new Map(all.map((form) => [form.name, form])).values()];
    return kernelCases(operation, unique, await randomWork(operation, length, random), surroundings);
  },
});

export const kernels: readonly ClientContest[] = [
  contest('sets', chacha20, 65536, 'blocks in lanes, words in memory or in locals', ['sets', 'rows']),
  contest('sets', chacha20, 256, 'four blocks', ['sets', 'rows'], FULL),
  contest('rotations', chacha20, 65536, 'rotations by shifts, by swizzles, by relaxed swizzles', ['rotations']),
  contest('weaving', chacha20poly1305.seal, 65536, 'the MAC woven into the cipher, or behind it', ['weaving']),
  contest('weaving', chacha20poly1305.seal, 1024, 'the MAC woven into the cipher, or behind it', ['weaving']),
];
