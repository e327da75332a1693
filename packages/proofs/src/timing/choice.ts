/** The arguments of the program. */
import { parseArgs } from 'node:util';
import { calls, PLANTED_BIT, PLANTED_STOP } from './calls.ts';
import { HOSTS, type Host } from './hosts.ts';
import type { Plan } from './measure.ts';

export interface Choice {
  readonly host: Host;
  readonly code: string;
  readonly plan: Plan;
}

function oneOf(names: readonly string[], option: string, chosen: string): string {
  if (names.includes(chosen)) return chosen;
  throw new Error(`${option} is one of: ${names.join(', ')}; not "${chosen}"`);
}

/** Throws where an argument is unknown, or has no sense. */
export function choiceOf(given: readonly string[]): Choice {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...given],
    options: {
      host: { ...text, default: 'node' },
      code: text,
      only: { ...text, multiple: true, default: [''] },
      seconds: { ...text, default: '1' },
    },
  });
  const host = HOSTS[oneOf(Object.keys(HOSTS), '--host', values.host)];
  const code = oneOf(host.codes, `--code of ${values.host}`, values.code ?? host.codes[0]);
  const milliseconds = Number(values.seconds) * 1000;
  if (!(milliseconds > 0 && milliseconds < Infinity)) throw new Error('--seconds is a number above 0');
  const chosen = values.only.flatMap((part) => {
    const named = Object.keys(calls).filter((name) => name.includes(part));
    if (named.length === 0) throw new Error(`no call has "${part}" in its name`);
    return named;
  });
  const names = [...new Set([...chosen, PLANTED_BIT, PLANTED_STOP])];
  return { host, code, plan: { names, milliseconds } };
}
