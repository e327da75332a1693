// Shared by the rooms' checks of vectors: asking the oracles, and counting their verdicts.
import { hex, oracles } from './oracles.mjs';

/** The answer of an oracle that throws. */
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

/** The verdicts on one file of vectors. */
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
/** Compares the answers of oracles with this hexadecimal text. */
export const equal = (said, wanted) => said.map(([name, got]) => [name, got !== refusal && hex(got) === wanted]);
