/** Operations of every primitive on random bytes, for what happens when the stack overflows in them. */
import type { Operation } from './overflow-operation.ts';
import { partsOf } from './rooms.ts';

export const operations: readonly Operation[] = (await partsOf<readonly Operation[]>('overflow', 'operations')).flat();
