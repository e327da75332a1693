/**
 * The linear memory that the library holds when everything in it has been used: it is seen from outside, by watching
 * what is instantiated. Gives a MemoryResult as JSON on standard output.
 */
export interface MemoryResult {
  readonly bytes: number;
  readonly instances: number;
}

if (import.meta.main) {
  const memories: WebAssembly.Memory[] = [];
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, values: [WebAssembly.Module]) {
      const instance = new target(...values);
      const { memory, ...functions } = instance.exports;
      // A feature probe exports no function; it is garbage as soon as it has answered.
      if (memory instanceof WebAssembly.Memory && Object.keys(functions).length > 0) memories.push(memory);
      return instance;
    },
  });

  const { chacha20, chacha20poly1305, xchacha20poly1305, xchacha20 } = await import('lanewise/chacha.js');
  const { poly1305 } = await import('lanewise/poly1305.js');
  const key = new Uint8Array(32);
  // Short messages may have a module of their own; the long one is longer than any stage.
  for (const length of [64, 2 ** 20]) {
    const data = new Uint8Array(length);
    chacha20(key, new Uint8Array(12), data);
    xchacha20(key, new Uint8Array(24), data);
    for (const [aead, nonceBytes] of [
      [chacha20poly1305, 12],
      [xchacha20poly1305, 24],
    ] as const) {
      const nonce = new Uint8Array(nonceBytes);
      aead(key, nonce).decrypt(aead(key, nonce).encrypt(data));
    }
    poly1305(data, key);
    poly1305.create(key).update(data).digest();
  }

  const result: MemoryResult = {
    bytes: memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
    instances: memories.length,
  };
  process.stdout.write(JSON.stringify(result));
}
