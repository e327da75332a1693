/** The systems for which zig compiles the addon, all on one machine. */

export interface Target {
  /** The end of the package's name. */
  readonly name: string;
  /** Of zig: the versions of glibc are those of Node 20's own binaries, or earlier. */
  readonly triple: string;
  readonly arch: 'x64' | 'arm64';
  readonly linked?: readonly string[];
  /** The machine for dlltool, which makes the library by which an addon of Windows finds the functions of Node. */
  readonly machine?: string;
}

/** Functions of Node-API are in the program that loads the addon. */
const LATER = ['-s', '-Wl,-undefined,dynamic_lookup'];

export const targets: readonly Target[] = [
  { name: 'linux-x64-gnu', triple: 'x86_64-linux-gnu.2.17', arch: 'x64' },
  { name: 'linux-x64-musl', triple: 'x86_64-linux-musl', arch: 'x64' },
  { name: 'linux-arm64-gnu', triple: 'aarch64-linux-gnu.2.17', arch: 'arm64' },
  { name: 'linux-arm64-musl', triple: 'aarch64-linux-musl', arch: 'arm64' },
  { name: 'darwin-x64', triple: 'x86_64-macos', arch: 'x64', linked: LATER },
  { name: 'darwin-arm64', triple: 'aarch64-macos', arch: 'arm64', linked: LATER },
  { name: 'win32-x64', triple: 'x86_64-windows-gnu', arch: 'x64', machine: 'i386:x86-64' },
  { name: 'win32-arm64', triple: 'aarch64-windows-gnu', arch: 'arm64', machine: 'arm64' },
];
