/**
 * A cold start: in a fresh process, from the `import` of a library to its first sealed message of 64 bytes. Takes the
 * name of the library as its argument, gives a ColdResult as JSON on standard output.
 */
export interface ColdResult {
  /** Milliseconds. */
  readonly import: number;
  /** Of the first call, and of what the library needs between import and first call. */
  readonly first: number;
  readonly total: number;
  /** The result, in hexadecimal: all libraries must agree. */
  readonly sealed: string;
}

type Seal = (key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array) => Uint8Array;

/** The outer part imports, the inner makes ready. Nothing may be imported at the top of this file. */
const libraries: Readonly<Record<string, () => Promise<() => Promise<Seal> | Seal>>> = {
  lanewise: async () => {
    const { xchacha20poly1305 } = await import('lanewise/chacha.js');
    return () => (key, nonce, plaintext) => xchacha20poly1305(key, nonce).encrypt(plaintext);
  },
  noble: async () => {
    const { xchacha20poly1305 } = await import('@noble/ciphers/chacha.js');
    return () => (key, nonce, plaintext) => xchacha20poly1305(key, nonce).encrypt(plaintext);
  },
  'libsodium.js': async () => {
    const { default: sodium } = await import('libsodium-wrappers-sumo');
    return async () => {
      await sodium.ready;
      return (key, nonce, plaintext) =>
        sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(plaintext, null, null, nonce, key, 'uint8array');
    };
  },
};

export const coldContestants: readonly string[] = Object.keys(libraries);

if (import.meta.main) {
  const name = process.argv[2] ?? '';
  const library = libraries[name];
  if (library === undefined) throw new Error(`there is no library "${name}"`);
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i);
  const [key, nonce, plaintext] = [32, 24, 64].map(bytes);

  const start = performance.now();
  const ready = await library();
  const imported = performance.now();
  const seal = await ready();
  const sealed = seal(key, nonce, plaintext);
  const end = performance.now();

  const result: ColdResult = {
    import: imported - start,
    first: end - imported,
    total: end - start,
    sealed: Buffer.from(sealed).toString('hex'),
  };
  process.stdout.write(JSON.stringify(result));
}
