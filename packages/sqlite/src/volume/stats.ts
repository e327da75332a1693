/** What is told of a file or folder. */
import type { TreeNode } from './tree.ts';

const BLOCK_BYTES = 512;

/** What a file or folder is, in the fields of POSIX. Times are in milliseconds since 1970. */
export interface FileStats {
  readonly dev: number;
  readonly ino: number;
  readonly mode: number;
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
  readonly rdev: number;
  readonly size: number;
  readonly blksize: number;
  readonly blocks: number;
  readonly atime: number;
  readonly mtime: number;
  readonly ctime: number;
}

export function statsOf(node: TreeNode, size: number, pageSize: number): FileStats {
  const { mode, time } = node;
  return {
    dev: 0,
    // The number of the stored file.
    ino: node.kind === 'file' ? node.slot + 1 : 0,
    mode,
    nlink: 1,
    uid: 0,
    gid: 0,
    rdev: 0,
    size,
    blksize: pageSize,
    blocks: Math.ceil(size / BLOCK_BYTES),
    atime: time,
    mtime: time,
    ctime: time,
  };
}
