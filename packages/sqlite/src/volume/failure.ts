/** Errors of an encrypted file system. */

/** The codes of POSIX that calls fail with. */
export type FailureCode =
  'EBADF' | 'EEXIST' | 'EINVAL' | 'EIO' | 'EISDIR' | 'ENFILE' | 'ENOENT' | 'ENOTDIR' | 'ENOTEMPTY';

/** An error with the code of POSIX, as `node:fs` has them. Its message holds no secret. */
export class FileFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

export const missing = (path: string): FileFailure => new FileFailure('ENOENT', `there is no ${path}`);
export const isFolder = (path: string): FileFailure => new FileFailure('EISDIR', `${path} is a folder`);
export const isFile = (path: string): FileFailure => new FileFailure('ENOTDIR', `${path} is a file`);
export const exists = (path: string): FileFailure => new FileFailure('EEXIST', `${path} is there already`);
