/** Files that are there whole or not at all. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a file under another name, and gives it its own at the end. A failure leaves nothing. */
export function writeWhole(path: string, text: string): void {
  const partial = `${path}.${process.pid}`;
  try {
    writeFileSync(partial, text);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
