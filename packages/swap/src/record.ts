/**
 * The file that records the state before the swap: written before anything else, so that an interrupted run can be undone. It
 * has the files that the swap changes as they were, and the hashes of the changed ones.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Edit } from './edits.ts';
import type { ManagerName } from './project.ts';

export const RECORD = 'lanewise-swap.json';

export interface Saved {
  /** Gzip and base64; null if there was no such file. */
  readonly before: string | null;
  /** SHA-256 of the file after the swap, null if there is none; missing until the swap is complete. */
  readonly after?: string | null;
}

export interface Record {
  readonly format: 1;
  readonly manager: ManagerName;
  readonly files: Readonly<{ [file: string]: Saved }>;
  readonly edits: readonly Edit[];
  /** The replaced packages: `@noble/ciphers 2`. */
  readonly replaced: readonly { readonly original: string; readonly major: number }[];
}

const read = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined);

/** Puts a file in place whole. */
export function writeWhole(path: string, bytes: Uint8Array | string): void {
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}.partial`;
  try {
    writeFileSync(partial, bytes);
    renameSync(partial, path);
  } finally {
    rmSync(partial, { force: true });
  }
}

const save = (root: string, file: string): Saved => {
  const bytes = read(join(root, file));
  return { before: bytes ? gzipSync(bytes).toString('base64') : null };
};

/** The files as they are now. */
export const saveAll = (root: string, files: readonly string[]): Readonly<{ [file: string]: Saved }> =>
  Object.fromEntries(files.map((file) => [file, save(root, file)]));

const hashOf = (root: string, file: string): string | null => {
  const bytes = read(join(root, file));
  return bytes ? createHash('sha256').update(bytes).digest('hex') : null;
};

/** The record of a swap that is complete. */
export const completed = (root: string, record: Record): Record => ({
  ...record,
  files: Object.fromEntries(
    Object.entries(record.files).map(([file, saved]) => [file, { ...saved, after: hashOf(root, file) }]),
  ),
});

export const isComplete = ({ files }: Record): boolean =>
  Object.values(files).every(({ after }) => after !== undefined);

/** The files that were changed after the swap. */
export const changedSince = (root: string, { files }: Record): readonly string[] =>
  Object.entries(files).flatMap(([file, { after }]) =>
    after === undefined || after === hashOf(root, file) ? [] : [file],
  );

/** Puts a file back as it was, where it is not. */
export function restore(root: string, file: string, { before }: Saved): void {
  const path = join(root, file);
  if (before === null) rmSync(path, { force: true });
  else {
    const bytes = gunzipSync(Buffer.from(before, 'base64'));
    if (!read(path)?.equals(bytes)) writeWhole(path, bytes);
  }
}

export const writeRecord = (root: string, record: Record): void =>
  writeWhole(join(root, RECORD), `${JSON.stringify(record, undefined, 2)}\n`);

export function readRecord(root: string): Record | undefined {
  const text = read(join(root, RECORD))?.toString();
  if (text === undefined) return undefined;
  let record;
  try {
    record = JSON.parse(text) as Partial<Record>;
  } catch (error) {
    throw new Error(`${RECORD} is not JSON: ${(error as Error).message}; take it from your version control`, {
      cause: error,
    });
  }
  if (record.format !== 1)
    throw new Error(`${RECORD} is of a later version of this command; run npx @lanewise/swap@latest`);
  return record as Record;
}

export const removeRecord = (root: string): void => rmSync(join(root, RECORD), { force: true });
