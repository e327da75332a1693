/** Objects of tests: files with bytes that a seed gives. */
import { blake3 } from 'lanewise/blake3.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Bytes that look random and are the same for the same seed. */
export const bytesFor = (seed: string, length: number): Uint8Array<ArrayBuffer> =>
  blake3(new TextEncoder().encode(seed), { dkLen: length });

export interface FileObject {
  readonly url: string;
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function fileObject(folder: string, name: string, length: number): FileObject {
  const path = join(folder, name);
  const bytes = bytesFor(name, length);
  writeFileSync(path, bytes);
  return { path, bytes, url: pathToFileURL(path).href };
}
