/** Where the WebAssembly of SQLite comes from. This is loaded where it is an option: bundlers find the file by themselves. */
import { typeOf } from '../values.ts';

/** An address, or the bytes of the file. */
export type WasmSource = string | URL | Uint8Array<ArrayBuffer> | ArrayBuffer;

/** WebAssembly's core specification §5.5.16: a module begins with these bytes. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d];

const isAddress = (source: WasmSource): source is string | URL => typeof source === 'string' || source instanceof URL;

/** Checks the option, and returns a function that gets the bytes of the file. */
export function binaryOf(option: unknown): () => Promise<Uint8Array> {
  const isOne = [URL, Uint8Array, ArrayBuffer].some((Class) => option instanceof Class);
  if (typeof option !== 'string' && !isOne)
    throw new TypeError(`"wasm" expected an address, Uint8Array or ArrayBuffer, got ${typeOf(option)}`);
  return () => binaryFrom(option as WasmSource);
}

async function binaryFrom(source: WasmSource): Promise<Uint8Array> {
  const bytes = isAddress(source) ? await fetched(source) : new Uint8Array(source);
  // Servers of applications answer with a page where there is no file.
  if (!MAGIC.every((byte, i) => bytes[i] === byte))
    throw new Error(
      `"wasm" expected WebAssembly, got other bytes${isAddress(source) ? ` from ${String(source)}` : ''}`,
    );
  return bytes;
}

async function fetched(address: string | URL): Promise<Uint8Array> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`"wasm" expected a file at ${String(address)}, got status=${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
