/** The messages between a pool and its workers. Each says that it is one, because a worker of the caller's may have others. */
import type { SharedFile } from '../work/threads.ts';

/** Raised when messages change: a pool and a worker of different versions do not work together. */
export const PROTOCOL = 2;

/** A message of the pool. */
export type Order =
  | {
      readonly type: 'open';
      readonly session: number;
      readonly kind: string;
      readonly parameters: unknown;
      readonly secrets: readonly Uint8Array[];
    }
  | {
      readonly type: 'run';
      readonly session: number;
      readonly task: number;
      readonly job: unknown;
      /** Bytes that come back with the answer, or shared memory. */
      readonly input?: Uint8Array;
      /** Memory for the answer. */
      readonly output?: Uint8Array;
      /** Bytes that the worker reads, and the file into which it writes the result at the same offsets, if that does not go back. */
      readonly range?: {
        readonly file: SharedFile;
        readonly from: number;
        readonly to: number;
        readonly into: SharedFile | undefined;
      };
    }
  | { readonly type: 'close'; readonly session: number }
  /** Asks for a sign of life. */
  | { readonly type: 'ping' }
  | { readonly type: 'end' };

/** A message of a worker. */
export type Report =
  | { readonly type: 'hello'; readonly protocol: number }
  | {
      readonly type: 'done';
      readonly task: number;
      readonly answer: unknown;
      /** The memory that came with the order, unless it is in the answer. */
      readonly memory?: Uint8Array;
    }
  | { readonly type: 'progress'; readonly task: number; readonly progress: number }
  /** The range could not be read, or the result not be written; whether that is an error is for the caller's thread to find out. */
  | { readonly type: 'undone'; readonly task: number }
  /** The worker cannot be trusted any more, and is to be ended. */
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'pong' }
  /** All is wiped, and the worker may be ended. */
  | { readonly type: 'bye' };

/** The property that marks a message as one of the library. */
export interface Envelope<Message> {
  readonly lanewise: Message;
}

/** The message in an event's data; undefined for messages of others. */
export const contentsOf = <Message>(data: unknown): Message | undefined =>
  (data as Partial<Envelope<Message>> | null | undefined)?.lanewise;

/** The words of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The buffers of arrays that fill them, which can be transferred. */
export function transferable(value: unknown): ArrayBuffer[] {
  const found: ArrayBuffer[] = [];
  const look = (one: unknown): void => {
    if (one instanceof Uint8Array) {
      const { buffer } = one;
      const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === one.byteLength;
      // A buffer may be transferred once only.
      if (isWhole && buffer.byteLength && !found.includes(buffer)) found[found.length] = buffer;
    } else if (Array.isArray(one)) one.forEach(look);
    else if (typeof one === 'object' && one !== null && Object.getPrototypeOf(one) === Object.prototype)
      Object.values(one).forEach(look);
  };
  look(value);
  return found;
}
