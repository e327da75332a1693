/** The operating system's messages for its errors, as b3sum prints them. */
import { getSystemErrorMap } from 'node:util';

/** Node's messages differ from the system's; these are the messages for errors of opening, reading and writing. */
const messages: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EBADF: 'Bad file descriptor',
  EBUSY: 'Device or resource busy',
  EFBIG: 'File too large',
  EINVAL: 'Invalid argument',
  EIO: 'Input/output error',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  EMFILE: 'Too many open files',
  ENAMETOOLONG: 'File name too long',
  ENFILE: 'Too many open files in system',
  ENODEV: 'No such device',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  ENXIO: 'No such device or address',
  EPERM: 'Operation not permitted',
  EROFS: 'Read-only file system',
};

export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'errno' in error && 'code' in error;

export function systemMessage(error: NodeJS.ErrnoException): string {
  const { code = '', errno = 0, message } = error;
  const text = messages[code] ?? getSystemErrorMap().get(errno)?.[1] ?? message;
  // Node's numbers are the system's, except on Windows.
  return process.platform === 'win32' ? text : `${text} (os error ${-errno})`;
}
