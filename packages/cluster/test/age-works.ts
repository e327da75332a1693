/** Works of age files whose jobs tests run one by one without a queue, on files. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Planned } from '../src/client/plan.ts';
import { agePart, type AgePart } from '../src/jobs/age-part.ts';
import { ageRoot } from '../src/jobs/age-root.ts';
import type { JobContext } from '../src/jobs/kind.ts';

/** As data come out of the queue. */
export const sent = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
/** All parts: those with which the work begins, and those that follow them. */
export function partsOf({ root, leaves: first }: Planned): AgePart[] {
  const leaves = ageRoot.leaves!(ageRoot.check(root.data));
  return Array.from({ length: leaves.count }, (_, index) => (first[index]?.data ?? leaves.at(index)) as AgePart);
}

export interface AgeWorks {
  /** Of a name in the folder. */
  readonly url: (name: string) => string;
  readonly context: (children?: readonly unknown[], identityFile?: string) => JobContext;
  readonly runPart: (job: unknown) => Promise<unknown>;
  readonly runRoot: (job: unknown, children: readonly unknown[]) => Promise<string>;
  /** Runs all jobs, the last part first. */
  readonly runAll: (planned: Planned) => Promise<unknown[]>;
}

/** @param folder The objects that jobs may read and write. */
export function ageWorks(folder: string, worker: string): AgeWorks {
  const url: AgeWorks['url'] = (name) => pathToFileURL(join(folder, name)).href;
  const context: AgeWorks['context'] = (children = [], identityFile = worker) => ({
    settings: { allow: [url('')], allowWrite: [url('')], keyFiles: {}, identityFile, objects: {}, native: false },
    children,
    signal: new AbortController().signal,
  });
  const runPart: AgeWorks['runPart'] = async (job) => sent(await agePart.run(agePart.check(sent(job)), context()));
  const runRoot: AgeWorks['runRoot'] = async (job, children) =>
    await ageRoot.run(ageRoot.check(sent(job)), context(children));
  const runAll: AgeWorks['runAll'] = async (planned) => {
    const results: unknown[] = [];
    for (const job of partsOf(planned).reverse()) results.push(await runPart(job));
    await runRoot(planned.root.data, results);
    return results;
  };
  return { url, context, runPart, runRoot, runAll };
}
