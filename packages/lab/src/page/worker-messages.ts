/** The messages between the page and its worker. */
import type { Message, Plan, Task } from '../client/messages.ts';
import type { Catalogues } from './choice.ts';

export type ToWorker = { readonly say: 'run'; readonly task: Task } | { readonly say: 'stop' };
export type FromWorker =
  | { readonly say: 'ready'; readonly catalogues: Catalogues; readonly plans: Readonly<Record<Task['kind'], Plan>> }
  | { readonly say: 'message'; readonly message: Message };
