/** The systems for which zig compiles the addon, all on one machine. */

export interface Target {
  /** As the addon calls the system, and the end of the package's name. */
  readonly name: string;
  /** Of zig: the versions of glibc are those of Node 20's own binaries, or earlier. */
  readonly triple: string;
  readonly os: 'linux' | 'darwin' | 'win32';
  readonly cpu: 'x64' | 'arm64';
  /** As npm names the C library of a Linux. */
  readonly libc?: 'glibc' | 'musl';
  readonly linked?: readonly string[];
  /** The machine for dlltool, which makes the library by which an addon of Windows finds the functions of Node. */
  readonly machine?: string;
}

/** Functions of Node-API are in the program that loads the addon. Its name in itself would be the path where it is linked. */
const LATER = ['-s', '-Wl,-undefined,dynamic_lookup', '-Wl,-install_name,@rpath/lanewise.node'];

export const targets: readonly Target[] = [
  { name: 'linux-x64-gnu', triple: 'x86_64-linux-gnu.2.17', os: 'linux', cpu: 'x64', libc: 'glibc' },
  { name: 'linux-x64-musl', triple: 'x86_64-linux-musl', os: 'linux', cpu: 'x64', libc: 'musl' },
  { name: 'linux-arm64-gnu', triple: 'aarch64-linux-gnu.2.17', os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { name: 'linux-arm64-musl', triple: 'aarch64-linux-musl', os: 'linux', cpu: 'arm64', libc: 'musl' },
  { name: 'darwin-x64', triple: 'x86_64-macos', os: 'darwin', cpu: 'x64', linked: LATER },
  { name: 'darwin-arm64', triple: 'aarch64-macos', os: 'darwin', cpu: 'arm64', linked: LATER },
  { name: 'win32-x64', triple: 'x86_64-windows-gnu', os: 'win32', cpu: 'x64', machine: 'i386:x86-64' },
  { name: 'win32-arm64', triple: 'aarch64-windows-gnu', os: 'win32', cpu: 'arm64', machine: 'arm64' },
];
