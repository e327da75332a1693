/** Writes files to the browser's private file system, in order. */
import type { WriterAnswer, WriterRequest } from '../src/writer-messages.ts';

const open = new Map<number, FileSystemSyncAccessHandle>();
let folder: FileSystemDirectoryHandle | undefined;
let before: Promise<void> = Promise.resolve();

function closeFile(file: number): void {
  open.get(file)?.close();
  open.delete(file);
}

async function work(request: WriterRequest): Promise<void> {
  if (request.kind === 'begin') {
    const root = await navigator.storage.getDirectory();
    folder = await root.getDirectoryHandle(request.folder, { create: true });
    // Some browsers have folders, but no files that can be written.
    const handle = await folder.getFileHandle('0', { create: true });
    (await handle.createSyncAccessHandle()).close();
    await folder.removeEntry('0');
    return;
  }
  if (!folder) throw new Error('the folder expected to be made first');
  const { file } = request;
  if (request.kind === 'open') {
    const handle = await folder.getFileHandle(String(file), { create: true });
    open.set(file, await handle.createSyncAccessHandle());
    return;
  }
  if (request.kind === 'write') {
    const { bytes } = request;
    const written = open.get(file)!.write(bytes);
    if (written < bytes.length) throw new DOMException('the storage is full', 'QuotaExceededError');
    return;
  }
  if (request.kind === 'close') open.get(file)?.flush();
  closeFile(file);
  if (request.kind === 'discard') await folder.removeEntry(String(file));
}

addEventListener('message', ({ data }: MessageEvent<WriterRequest>) => {
  const { request } = data;
  before = before
    .then(() => work(data))
    .then(
      () => postMessage({ request } satisfies WriterAnswer),
      (error: unknown) => {
        const { name, message } = error as Error;
        postMessage({ request, error: { name, message } } satisfies WriterAnswer);
      },
    );
});
