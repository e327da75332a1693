/**
 * Encryption of streams as Transforms of Node, which Bun and Deno have, too: {@link createEncryptor} and {@link createDecryptor} over the
 * formats of `lanewise/stream.js`. The streams of that module itself are those of the web platform; Node's `pipeline` takes both. {@link newFile} is a file for `decryptWhole`.
 * @module
 */
export { createDecryptor, createEncryptor } from './stream/node.ts';
export { newFile, type NewFileOptions } from './io/node-file.ts';
