/** What libraries need, asked before they are loaded: some fail where nobody can catch it. */

/** Throws, in the host's own words, if code cannot be compiled from bytes. */
export function needWebAssembly(): void {
  if (typeof WebAssembly === 'undefined') throw new Error('there is no WebAssembly');
  new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)));
}
