// What the rooms' checks of vectors share: who is asked, and what is counted.
import { hex, oracles } from './oracles.mjs';

/** What an oracle answers that throws. */
export const refusal = Symbol('refused');
/** Like ask(), but an oracle that throws has answered `refusal`. */
export function attempt(method, ...args) {
  return Object.entries(oracles).flatMap(([name, oracle]) => {
    try {
      const answer = oracle[method]?.(...args);
      return answer === undefined ? [] : [[name, answer]];
    } catch {
      return [[name, refusal]];
    }
  });
}

/** What was found out about one file of vectors. */
export class File {
  constructor(name) {
    this.name = name;
    this.count = 0;
    this.by = {};
    this.wrong = [];
  }
  /** One vector: said = [oracle, agrees?] pairs; the same oracle may speak on several fields. */
  vector(id, said) {
    this.count++;
    const verdict = new Map();
    for (const [oracle, agrees] of said) verdict.set(oracle, (verdict.get(oracle) ?? true) && agrees);
    const bad = [...verdict].filter(([, ok]) => !ok).map(([oracle]) => oracle);
    if (bad.length) this.wrong.push(`${id}: contradicted by ${bad.join(', ')}`);
    else if (verdict.size < 2)
      this.wrong.push(`${id}: only ${[...verdict.keys()].join() || 'nobody'} could confirm it`);
    for (const [oracle, ok] of verdict) if (ok) this.by[oracle] = (this.by[oracle] ?? 0) + 1;
  }
}
/** Whether what oracles said is this hexadecimal text. */
export const equal = (said, wanted) => said.map(([name, got]) => [name, got !== refusal && hex(got) === wanted]);
