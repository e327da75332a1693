// Who confirms the vectors of Poly1305.
import * as model from '../../model.mjs';
import { ask, unhex } from '../../oracles.mjs';
import { equal } from '../../verify-file.mjs';

/** The model's verdict on a vector's r, s and accumulators. */
export const polynomial = (t, key, message) => {
  const trace = model.poly1305Trace(unhex(key), unhex(message));
  const said = [];
  if (t.r) said.push(['model', trace.r.toString(16) === t.r && trace.s.toString(16) === t.s]);
  if (t.accumulators)
    said.push(['model', String(trace.accumulators.map((a) => a.toString(16))) === String(t.accumulators)]);
  if (t.accumulator) said.push(['model', trace.accumulator.toString(16) === t.accumulator]);
  return said;
};

export const poly1305 = (t) => [
  ...equal(ask('poly1305', unhex(t.key), unhex(t.message)), t.tag),
  ...polynomial(t, t.key, t.message),
];

/** By file, how its vectors are confirmed. */
export const files = {
  'poly1305-edge.json'(f, { tests }) {
    for (const t of tests) f.vector(`tcId ${t.tcId}`, poly1305(t));
  },
};
