/**
 * Receipts of parts. The results of jobs lie in the queue, where others may write: an upload that was put together from other parts, or
 * from fewer, would be another file. So each result has a MAC under a key that follows from the payload's, which only workers have.
 */
import { blake3 } from 'lanewise/blake3.js';
import { bytesToHex, equalBytes } from 'lanewise/utils.js';
import { bytesOf, fieldsOf, integerOf, stringOf } from '../jobs/check.ts';
import { FinalError } from '../jobs/errors.ts';
import type { WorkSheet } from './sheet.ts';

const CONTEXT = 'lanewise cluster 2026-11-22 receipts of parts v1';
const MAC_BYTES = 32;

/** The result of a part's job. */
export interface PartReceipt {
  readonly number: number;
  /** As the store gave it for the part. */
  readonly etag: string;
  /** 32 bytes in hex. */
  readonly mac: string;
}

function macOf(payloadKey: Uint8Array, sheet: WorkSheet, number: number, etag: string): Uint8Array {
  const key = blake3(payloadKey, { context: CONTEXT });
  try {
    const message = JSON.stringify([sheet.kind, sheet.target, sheet.upload, number, etag]);
    return blake3(new TextEncoder().encode(message), { key });
  } finally {
    key.fill(0);
  }
}

/** The receipt of a part that was uploaded. */
export const receiptOf = (payloadKey: Uint8Array, sheet: WorkSheet, number: number, etag: string): PartReceipt => ({
  number,
  etag,
  mac: bytesToHex(macOf(payloadKey, sheet, number, etag)),
});

/**
 * Checks the receipts of all parts.
 *
 * @param receipts - In any order, as they came from the queue.
 * @param count - How many parts there are.
 * @returns Numbers and entity tags, in their order.
 * @throws TypeError, RangeError or Error unless there is one genuine receipt of each part.
 */
export function checkReceipts(
  payloadKey: Uint8Array,
  sheet: WorkSheet,
  receipts: readonly unknown[],
  count: number,
): { readonly number: number; readonly etag: string }[] {
  if (receipts.length !== count) throw new FinalError(`parts expected ${count}, got the results of ${receipts.length}`);
  const parts: { number: number; etag: string }[] = [];
  for (const receipt of receipts) {
    const fields = fieldsOf(receipt, 'receipt', ['number', 'etag', 'mac']);
    const number = integerOf(fields['number'], 'receipt.number', 1, count);
    const etag = stringOf(fields['etag'], 'receipt.etag');
    const mac = bytesOf(fields['mac'], 'receipt.mac', MAC_BYTES);
    if (!equalBytes(mac, macOf(payloadKey, sheet, number, etag)))
      throw new FinalError(`the result of part ${number} is not that of a worker`);
    if (parts[number - 1]) throw new FinalError(`part ${number} has two results`);
    parts[number - 1] = { number, etag };
  }
  return parts;
}
