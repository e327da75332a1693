/** Where addons are: the name of this system, and the file that was compiled for it. */
import { join } from 'node:path';
import { root } from './compile.ts';

/** glibc's version is in the report of Node; a Linux without it has musl. */
function isMusl(): boolean {
  const report = process.report as { getReport(): object; excludeNetwork?: boolean } | undefined;
  if (!report) return false;
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header !== undefined && header.glibcVersionRuntime === undefined;
}

/** The system, the processor and, on Linux, the C library: a folder that machines share may hold addons of several. */
export function systemName(): string {
  const libc = process.platform !== 'linux' ? '' : isMusl() ? '-musl' : '-gnu';
  return `${process.platform}-${process.arch}${libc}`;
}

/** The folder of the addon for a system. */
export const folderOf = (system: string): string => join(root, 'build', system);

/** The addon's file in its folder. */
export const ADDON = 'lanewise.node';
