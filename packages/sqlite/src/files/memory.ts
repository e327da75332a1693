/**
 * Memory that a closed file leaves to the next, as zeros: SQLite opens a journal for each transaction, and new arrays cost more than encrypting
 * a page.
 */
const spare = new Map<number, Uint8Array<ArrayBuffer>>();

/** Zeros. */
export function takeMemory(length: number): Uint8Array<ArrayBuffer> {
  const memory = spare.get(length) ?? new Uint8Array(length);
  spare.delete(length);
  return memory;
}

/** Wipes memory, which its file uses no more. */
export function leaveMemory(memory: Uint8Array<ArrayBuffer>): void {
  spare.set(memory.fill(0).length, memory);
}
