/** Operations of every primitive on random bytes, in which tests make the stack overflow. */
import type { Operation } from './overflow-operation.ts';
import { partsOf } from './rooms.ts';

export const operations: readonly Operation[] = (await partsOf<readonly Operation[]>('overflow', 'operations')).flat();
