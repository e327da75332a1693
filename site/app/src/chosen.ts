/** The files that a person has chosen or dropped, those in folders included. */

export interface Chosen {
  readonly file: File;
  /** The path from the folder that was chosen: `photos/2026/a.jpg`; else the name. */
  readonly path: string;
}

/** The files of an input element. */
export const fromInput = (files: Iterable<File>): Chosen[] =>
  [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

async function* entriesIn(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader();
  // It gives at most a hundred at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    yield* some;
  }
}

async function* filesUnder(entry: FileSystemEntry): AsyncGenerator<Chosen> {
  if (entry.isFile) {
    yield { file: await fileOf(entry as FileSystemFileEntry), path: entry.fullPath.replace(/^\//, '') };
    return;
  }
  for await (const inner of entriesIn(entry as FileSystemDirectoryEntry)) yield* filesUnder(inner);
}

/** The files of a drop. Must be called while the event is handled, because its items are gone afterwards. */
export async function fromDrop(transfer: DataTransfer): Promise<Chosen[]> {
  const dropped = [...transfer.items].map((item) => ({
    folder: item.webkitGetAsEntry?.() ?? undefined,
    file: item.getAsFile() ?? undefined,
  }));
  const found: Chosen[] = [];
  for (const { folder, file } of dropped) {
    if (folder?.isDirectory) for await (const one of filesUnder(folder)) found.push(one);
    else if (file) found.push({ file, path: file.name });
  }
  return found;
}

/** The name that an encrypted file gets, and a decrypted one. */
export const encryptedName = (name: string): string => `${name}.age`;
export const decryptedName = (name: string): string =>
  /.\.age$/i.test(name) ? name.slice(0, -'.age'.length) : `${name}.decrypted`;
