/**
 * One box for a message, a field of a database, a cookie and a file: {@link createBox}, under a key or a {@link Keyring}, in the format of
 * C2SP chunked-encryption with ChaCha20-Poly1305.
 * @module
 */
export { createBox, type Box } from './box/box.ts';
export type { BoxOptions, BoxReaderOptions, BoxTextOptions, CreateBoxOptions } from './box/options.ts';
export { createKeyring, loadKeyring, type Keyring } from './box/keyring.ts';
export { openKeyring, sealKeyring, type OpenKeyringOptions, type SealKeyringOptions } from './box/sealed-keyring.ts';
