/** `dist/wasm/web/blake3_js.js` of `blake3-wasm`, version 2, which browsers load without a bundler. */
export * from './browser.ts';

const isA = (name: 'Request' | 'Response' | 'URL', value: unknown): boolean =>
  typeof globalThis[name] === 'function' && value instanceof globalThis[name];

const isBytes = (value: unknown): boolean =>
  ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === '[object ArrayBuffer]';

/**
 * The original loads WebAssembly here. There is none to load: the kernels are in this module, and start with the first call. The argument is
 * checked, and heeded as far as a caller notices: a promise that is rejected rejects this one, and a response is used up.
 */
export default async function init(input?: unknown): Promise<void> {
  if (input === undefined || typeof input === 'string' || isA('Request', input) || isA('URL', input)) return;
  const module = await (input as Promise<unknown>);
  if (isA('Response', module)) await (module as Response).body?.cancel();
  else if (!isBytes(module) && !(typeof WebAssembly === 'object' && module instanceof WebAssembly.Module))
    throw new TypeError(
      `"module" expected string, URL, Request, Response, bytes or WebAssembly.Module, got ${module === null ? 'null' : typeof module}`,
    );
}
