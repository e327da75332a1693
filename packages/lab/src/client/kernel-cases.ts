/** Cases of kernels: functions over linear memory, without the public API around them. */
import { messageOf } from './checks.ts';
import type { Contestant } from './contestants/contestant.ts';
import { describe, faultIn, merged, type Absence, type Cases, type ClientCase } from './contest.ts';
import type { KernelForm, Placed } from '../kernels/form.ts';
import { known } from './known.ts';
import type { Parameters, Surroundings } from './messages.ts';
import type { Operation, Work } from './operation.ts';

export interface KernelOptions {
  readonly name?: (kernel: string) => string;
  readonly parameters?: Parameters;
  /** The offset of the data in linear memory. */
  readonly offset?: number;
}

const instances = new Map<string, WebAssembly.Exports>();

/** One instance of a module in a session: engines compile each instance anew, and run it slowly at first. */
const exportsOf = (form: KernelForm, { modules = {} }: Surroundings): WebAssembly.Exports =>
  known(instances, form.moduleName, () => {
    const module = modules[form.moduleName] ?? new WebAssembly.Module(form.module().bytes());
    return new WebAssembly.Instance(module).exports;
  });

/** A kernel as a contestant. */
export const contestantOf = ({ name, library, engine }: KernelForm): Contestant => ({
  name,
  library,
  standing: 'kernel',
  ...(engine && { engine }),
  version: undefined,
});

export function kernelCases(
  operation: Operation,
  forms: readonly KernelForm[],
  work: Work,
  surroundings: Surroundings,
  { name = (kernel) => kernel, parameters = {}, offset = 0 }: KernelOptions = {},
): { cases: ClientCase[]; absent: Absence[] } {
  const cases: ClientCase[] = [];
  const absent: Absence[] = [];
  const bytes = work.data.length;
  for (const form of forms) {
    const id = name(form.name);
    const absence = (reason: string): void => void absent.push({ case: id, contestant: form.library, reason });
    if (bytes > form.mostBytes || bytes % form.multiple !== 0) {
      absence(`takes multiples of ${form.multiple} up to ${form.mostBytes} bytes`);
      continue;
    }
    try {
      const exports = exportsOf(form, surroundings);
      const place = (): Placed => form.place(exports, work, offset);
      cases.push({
        id,
        description: describe(contestantOf(form), operation, id, bytes, parameters),
        // Kernels of one module share its memory, and the data there has been encrypted many times, which changes no
        // timing.
        run: place().run,
        fault: () =>
          faultIn(() => {
            const { run, output } = place();
            run();
            return output();
          }, work.expected),
      });
    } catch (error) {
      absence(messageOf(error));
    }
  }
  return { cases, absent };
}

/** The same, with the bytes of each kernel's module as a parameter. */
export const kernelCasesWithCode = (
  operation: Operation,
  forms: readonly KernelForm[],
  work: Work,
  surroundings: Surroundings,
): Promise<Cases> =>
  merged(
    forms.map((form) =>
      kernelCases(operation, [form], work, surroundings, { parameters: { codeBytes: form.module().bytes().length } }),
    ),
  );
