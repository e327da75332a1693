// Who confirms the vectors of BLAKE3.
import { casesOf, said } from '../../blake3-oracles.mjs';

function confirm(f, { tests }) {
  tests.forEach((t, i) => {
    const all = casesOf(t).flatMap(({ wanted, ...c }) => said(c).map(([oracle, got]) => [oracle, got === wanted]));
    f.vector(`${i + 1} (${t.kind ?? 'official'}, ${t.input_len} bytes)`, all);
  });
}

/** By file, how its vectors are confirmed. */
export const files = { 'blake3.json': confirm, 'blake3-edge.json': confirm };
