/** The fields of a package.json that this command reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly packageManager?: string;
  readonly workspaces?: readonly string[] | { readonly packages?: readonly string[] };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly pnpm?: { readonly overrides?: Readonly<Record<string, string>> };
}

/** The manifest of a folder, if it has one. */
export function manifestIn(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json');
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR')
      return undefined;
    throw error;
  }
  try {
    // Some editors on Windows begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Manifest;
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Fields whose packages are there when a package is a dependency of another. */
export const FIELDS = ['dependencies', 'optionalDependencies', 'peerDependencies'] as const;
/** Fields whose packages are there in a package of the program itself. */
export const OWN_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;
