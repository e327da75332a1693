/** What all drop-in packages ask of a message before they give it to our kernels. */
import { isBytes } from 'lanewise/utils.js';

/** Whether a value is bytes. A view of a detached buffer has length 0 and is not: the originals refuse it in different places, or not. */
export function isMessage(value: unknown): value is Uint8Array {
  if (!isBytes(value)) return false;
  if (value.length > 0) return true;
  try {
    value.fill(0);
    return true;
  } catch {
    return false;
  }
}
