/** The File System Access API: a file or folder that the person picks. The browser writes aside, and replaces the file at the end. */
import { shown } from '../names.ts';
import { nameOf, type Output, type Place } from './output.ts';

/** Declarations that TypeScript lacks. */
interface Pickers {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
  showDirectoryPicker?(options: { mode: 'readwrite'; id: string }): Promise<FileSystemDirectoryHandle>;
}
type Removable = FileSystemFileHandle & { remove?(): Promise<void> };

const pickers = (): Pickers => globalThis as Pickers;

export const canPick = (): boolean =>
  typeof pickers().showSaveFilePicker === 'function' && typeof pickers().showDirectoryPicker === 'function';

/** Removes a file that is empty, as the picker makes it for a new name: it is not to stay when the work fails. */
async function removeEmpty(handle: Removable): Promise<void> {
  if ((await handle.getFile()).size === 0) await handle.remove?.();
}

async function outputTo(handle: Removable): Promise<Output> {
  const stream = await handle.createWritable();
  let size = 0;
  return {
    async write(bytes) {
      await stream.write(bytes);
      size += bytes.length;
    },
    async finish() {
      await stream.close();
      return { note: `Saved as ${shown(handle.name)}`, size };
    },
    async discard() {
      await stream.abort().catch(() => undefined);
      await removeEmpty(handle).catch(() => undefined);
    },
  };
}

/** Asks where one file is to be saved. Rejects with an AbortError if the person does not say. */
export async function pickFile(suggestedName: string): Promise<Place> {
  const handle = await pickers().showSaveFilePicker!({ suggestedName });
  return {
    description: `to ${shown(handle.name)}`,
    open: () => outputTo(handle),
    unused: () => removeEmpty(handle).catch(() => undefined),
  };
}

async function exists(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.getFileHandle(name);
    return true;
  } catch (error) {
    if ((error as Error).name === 'NotFoundError') return false;
    if ((error as Error).name === 'TypeMismatchError') return true; // a folder of this name
    throw error;
  }
}

/** A name that nothing in the folder has: `a (2).txt` for a second `a.txt`. */
async function freeName(folder: FileSystemDirectoryHandle, name: string): Promise<string> {
  const dot = name.indexOf('.', 1);
  const [stem, ending] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
  let free = name;
  for (let count = 2; await exists(folder, free); count++) free = `${stem} (${count})${ending}`;
  return free;
}

/** Asks for a folder for many files. Files that are there are not replaced. */
export async function pickFolder(): Promise<Place> {
  const root = await pickers().showDirectoryPicker!({ mode: 'readwrite', id: 'results' });
  return {
    description: `to the folder ${root.name}`,
    async open(path) {
      let folder = root;
      for (const name of path.split('/').slice(0, -1)) folder = await folder.getDirectoryHandle(name, { create: true });
      const name = await freeName(folder, nameOf(path));
      return outputTo(await folder.getFileHandle(name, { create: true }));
    },
  };
}
