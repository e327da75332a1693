/** The memory of all processes that this one has started, on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

const INTERVAL_MILLISECONDS = 250;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // the process has just ended
  }
};

function descendants(): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    const [, parent] = /\) \S (\d+)/.exec(read(`/proc/${name}/stat`)) ?? [];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isMine = (id: number): boolean => {
    for (let at = id; at > 1; at = parents.get(at) ?? 0) if (at === process.pid) return true;
    return false;
  };
  return [...parents.keys()].filter((id) => id !== process.pid && isMine(id));
}

/** Proportional sizes, without swapped and shared pages twice; in megabytes. Files in memory that only speed up the disk do not count. */
const now = (): number =>
  descendants().reduce((sum, id) => {
    const rollup = read(`/proc/${id}/smaps_rollup`);
    const of = (name: string): number => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
    return sum + of('Pss_Anon') + of('Pss_Shmem');
  }, 0) / 1000;

/** Measures until it is stopped; gives the greatest growth in megabytes. */
export function memoryOfChildren(): { stop(): number } {
  const before = now();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, now())), INTERVAL_MILLISECONDS);
  return {
    stop() {
      clearInterval(timer);
      return Math.round(most - before);
    },
  };
}
