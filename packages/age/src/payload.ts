/** The payload of one file under its key. */
import { agePayload, type AgePayload } from 'lanewise/stream.js';

/** Uses a payload key for one call. The object's copy is wiped then; the stream has one of its own until it ends. */
export function underKey<Result>(payloadKey: Uint8Array, use: (payload: AgePayload) => Result): Result {
  const payload = agePayload(payloadKey);
  try {
    return use(payload);
  } finally {
    payload.destroy();
  }
}
