/** Calls of the room's public modules that nothing is recorded of. */
import { destroyed, key, none, type Call } from '../../branch-calls.ts';

export const ordinary: readonly Call[] = [];

export const refused: readonly Call[] = [
  ({ poly1305: { poly1305 } }) => destroyed(poly1305.create(key), (mac) => mac.update(none)),
];
