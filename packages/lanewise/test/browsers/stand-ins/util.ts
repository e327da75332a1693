/** `node:util` has nothing that other hosts have. */
import { skip } from './skip.ts';

export const inspect = (): never => skip('only Node inspects as Node does');
