/** Calls of `lanewise/engine.js`. */
import * as engine from '../../../src/engine.ts';
import { fn, type Call } from '../../support/call.ts';

export const calls: Readonly<Record<string, Call>> = {
  'engine.describe': fn(engine.describe),
  'engine.select': fn(engine.select, 'auto'),
};
