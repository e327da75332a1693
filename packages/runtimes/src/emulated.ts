/** Node for processors that this machine does not have, under QEMU's user mode and with the C library of Debian's cross packages. */
import { existsSync } from 'node:fs';
import { fetched, nodePackage } from './fetched.ts';
import type { Found, Missing } from './found.ts';
import { locate } from './programs.ts';

export interface Platform {
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** As npm and Node name it. */
  readonly arch: 'arm64' | 's390x';
  /** The newest major version that the registry has for it. */
  readonly major: number;
  readonly emulator: string;
  /** The folder of the libraries that the program is linked with. */
  readonly libraries: string;
}

const platform = (arch: Platform['arch'], cpu: string, rest: Pick<Platform, 'name' | 'major'>): Platform => ({
  id: arch,
  arch,
  ...rest,
  emulator: `qemu-${cpu}-static`,
  libraries: `/usr/${cpu}-linux-gnu`,
});

export const platforms: readonly Platform[] = [
  platform('arm64', 'aarch64', { name: 'ARM64', major: 26 }),
  platform('s390x', 's390x', { name: 's390x, big-endian', major: 20 }),
];

/** A program with the arguments that come before those of Node. */
export type Emulator = Found & { readonly arguments: readonly string[] };

/** Node on a platform, fetched when it is not there yet. */
export async function emulated({ name, arch, major, emulator, libraries }: Platform): Promise<Emulator | Missing> {
  const packages = ['libc6', 'libstdc++6', 'libatomic1'].map((library) => `${library}-${arch}-cross`);
  const howToGet = `apt-get install qemu-user-static ${packages.join(' ')}`;
  if (process.platform !== 'linux') return { missing: `emulation of ${name} but on Linux`, howToGet: 'run it there' };
  const path = await locate([emulator]);
  if (!path) return { missing: emulator, howToGet };
  const [lacking] = ['libc.so.6', 'libstdc++.so.6', 'libatomic.so.1'].filter(
    (file) => !existsSync(`${libraries}/lib/${file}`),
  );
  if (lacking !== undefined) return { missing: `${lacking} for ${name}`, howToGet };
  try {
    const node = await fetched(nodePackage(`${major}`, arch));
    return { path, version: `${major}`, arguments: ['-L', libraries, node] };
  } catch (error) {
    return { missing: `Node ${major} for ${name}`, howToGet: (error as Error).message };
  }
}
