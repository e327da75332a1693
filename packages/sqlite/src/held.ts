/** Files in OPFS that can't be opened, or were lost. This is loaded when it happens: most pages never need it. */

/** Chromium's and Firefox' name for a file that another holds, and WebKit's. */
const HELD = ['NoModificationAllowedError', 'InvalidStateError'];
/** Of many files that a VFS asked for, some may come after the error. */
const PAUSE = 50;

const nameOf = (error: unknown): string => String((error as { readonly name?: unknown } | undefined)?.name);
const isHeld = (error: unknown): boolean => HELD.includes(nameOf(error));

/** Whether a file may be free a moment later. One who closes a file that is empty removes it. */
export const mayPass = (error: unknown): boolean => isHeld(error) || nameOf(error) === 'NotFoundError';

const heldBy = (what: string, cause: unknown): Error =>
  new Error(
    `cannot open ${what}: another tab, worker or connection has it open, and OPFS gives a file to one at a time; close it there`,
    { cause },
  );

/** A folder that can't be opened. */
export function unavailable(path: string, cause: unknown): Error {
  const { message } = cause as Error;
  const hint = nameOf(cause) === 'SecurityError' ? '; private windows may have no OPFS' : '';
  return new Error(`cannot open ${path} in OPFS: ${message}${hint}`, { cause });
}

/** A database that can't be opened. */
export const unopened = (path: string, cause: unknown): Error =>
  isHeld(cause) ? heldBy(path, cause) : unavailable(path, cause);

/** A place where `openDatabase` can't work. */
export const unfit = (hasFiles: boolean): Error =>
  new Error(
    hasFiles
      ? 'openDatabase() needs a dedicated worker: call it in a script that new Worker() starts'
      : 'openDatabase() needs OPFS: navigator.storage.getDirectory is missing, as in an old browser or a page that is not of https or localhost',
  );

/** A database that isn't there when it is closed. */
export const lost = (path: string): Error =>
  new Error(`${path} was removed while it was open, as where the storage of a site is cleared: open it again`);

/** A VFS that didn't become ready. */
interface Refused {
  readonly name: string;
  destroy(): void;
  close?(): unknown;
}

/** Closes the VFS, so that it keeps no file from others, and wipes its key. Returns the error for its user. */
export async function held(vfs: Refused, error: unknown): Promise<unknown> {
  vfs.destroy();
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  try {
    await vfs.close?.();
  } catch {
    // The first error is the reason.
  }
  return isHeld(error) ? heldBy(`the VFS ${vfs.name}`, error) : error;
}
