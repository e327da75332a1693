/** Declarations of modules that come without any. */
declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

declare module 'bcrypto/lib/js/cipher.js' {
  export class Cipher {
    constructor(name: string);
    init(key: Uint8Array, iv: Uint8Array): this;
    update(data: Uint8Array): Uint8Array;
    final(): Uint8Array;
  }
  export class Decipher extends Cipher {}
}

declare module 'hacl-wasm' {
  const api: { getInitializedHaclModule(): Promise<unknown> };
  export default api;
}

/** The library without the lengths below which a pool hands nothing over: threads/hosts.ts makes it. */
declare module 'handing-over/blake3.js' {
  export { blake3 } from 'lanewise/blake3.js';
}
declare module 'handing-over/disk.js' {
  export { adiantum } from 'lanewise/disk.js';
}
declare module 'handing-over/pool.js' {
  export { createPool } from 'lanewise/pool.js';
}
declare module 'handing-over/stream.js' {
  export { agePayload } from 'lanewise/stream.js';
}
