/** Requirements of libraries, checked before they are loaded, because some fail with errors that nobody can catch. */

/** Throws the host's own error if code cannot be compiled from bytes. */
export function needWebAssembly(): void {
  if (typeof WebAssembly === 'undefined') throw new Error('there is no WebAssembly');
  new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)));
}
