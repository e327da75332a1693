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
