/** Encrypted files in OPFS, and PGlite over them, in a worker. Sends a line for each step. */
import { PGlite } from '@electric-sql/pglite';
import { encryptedFileSystem } from '../../src/files.ts';
import { encryptedPGlite } from '../../src/pglite.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, i) => 3 * i + 1);
const lines: string[] = [];

interface SyncHandle {
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  close(): void;
}
const messageOf = (error: unknown): string => (error as Error).message;

/** Why files aren't opened. */
async function refusal(folder: FileSystemDirectoryHandle, key: Uint8Array): Promise<string> {
  try {
    await encryptedFileSystem(folder, { key });
    return 'not refused';
  } catch (error) {
    return messageOf(error);
  }
}

/** Which of these pieces a file of a folder has. */
async function found(folder: FileSystemDirectoryHandle, pieces: readonly string[]): Promise<string> {
  const all: Promise<readonly string[]>[] = [];
  const entries = (folder as unknown as { values(): AsyncIterable<FileSystemFileHandle> }).values();
  const inFile = async (file: FileSystemFileHandle): Promise<readonly string[]> => {
    const stored = await file.getFile();
    const text = stored.size === 0 ? '' : new TextDecoder('latin1').decode(await stored.arrayBuffer());
    return pieces.filter((piece) => text.includes(piece) || file.name.includes(piece));
  };
  for await (const file of entries) all.push(inFile(file));
  return `plaintext: ${(await Promise.all(all)).flat().join() || 'none'}`;
}

async function files(folder: FileSystemDirectoryHandle): Promise<void> {
  const first = await encryptedFileSystem(folder, { key: KEY, pageSize: 1024 });
  first.mkdir('/marmalade');
  try {
    for (let i = 0; ; i++) first.writeFile(`/${i}`, '');
  } catch (error) {
    lines.push(`reserve() is needed: ${(error as { code: string }).code}`);
  }
  await first.reserve(5);
  for (let i = 0; i < 3; i++) first.writeFile(`/marmalade/letter${i}`, 'marzipan '.repeat(600));
  const another = await refusal(folder, KEY);
  first.unmount();

  const second = await encryptedFileSystem(folder, { key: KEY });
  const { size, ino } = second.lstat('/marmalade/letter1');
  lines.push(`marmalade: ${second.readdir('/marmalade').join()} of ${size} bytes`);
  second.unmount();
  lines.push(`another has them: ${another.split(',')[0]}`);
  lines.push(await refusal(folder, new Uint8Array(32)));
  lines.push(await found(folder, ['marzipan', 'marmalade', 'letter1']));

  const stored = await folder.getFileHandle(String(ino - 1));
  const handle = await (
    stored as unknown as { createSyncAccessHandle(): Promise<SyncHandle> }
  ).createSyncAccessHandle();
  const byte = new Uint8Array(1);
  const at = 512 + 1064 + 500;
  handle.read(byte, { at });
  byte[0] ^= 1;
  handle.write(byte, { at });
  handle.close();
  const third = await encryptedFileSystem(folder, { key: KEY });
  lines.push(...third.check());
  third.unmount();
}

async function database(folder: FileSystemDirectoryHandle): Promise<void> {
  const db = await PGlite.create({ fs: await encryptedPGlite(folder, { key: KEY }) });
  await db.exec('create table marmalade(id integer primary key, text text)');
  await db.exec("insert into marmalade select i, 'marzipan ' || i from generate_series(1, 500) i");
  const sum = 'select count(*)::int as n, sum(length(text))::int as s from marmalade';
  lines.push(`PGlite: ${JSON.stringify((await db.query(sum)).rows)}`);
  await db.close();
  const again = await PGlite.create({ fs: await encryptedPGlite(folder, { key: KEY }) });
  lines.push(`PGlite again: ${JSON.stringify((await again.query(sum)).rows)}`);
  await again.close();
  lines.push(await found(folder, ['marzipan', 'marmalade', 'PG_VERSION', 'postgresql.conf']));
}

try {
  const root = await navigator.storage.getDirectory();
  await files(await root.getDirectoryHandle('vault', { create: true }));
  if (location.search === '?pglite') await database(await root.getDirectoryHandle('database', { create: true }));
} catch (error) {
  lines.push(`${messageOf(error)} ${String((error as Error).stack)}`);
}
await fetch('result', { method: 'POST', body: lines.join('\n') });
