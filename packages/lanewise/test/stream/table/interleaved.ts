/** Objects of `lanewise/stream.js` that work by turns with all others. */
import type { Family } from '../../support/interleaved/actor.ts';
import * as machines from '../../support/interleaved/machines.ts';

export const families: readonly Family[] = [machines.sealer, machines.opener, machines.messages];
