/** A temporary file, which is gone when the process ends, whatever happens. */
import { rmSync } from 'node:fs';
import { mkdtemp, open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes parts to a file without a name, for reading. */
export async function nodeFile(
  parts: AsyncIterable<Uint8Array>,
): Promise<{ readonly handle: FileHandle; readonly end: () => void }> {
  const folder = await mkdtemp(join(tmpdir(), 'lanewise-lab-'));
  const handle = await open(join(folder, 'file'), 'w+');
  // Its bytes stay until the handle is closed.
  rmSync(folder, { recursive: true });
  for await (const part of parts) await handle.write(part);
  return { handle, end: () => void handle.close() };
}
