/**
 * What BLAKE3 generates, seen in fresh processes. The argument chooses: `generate` makes the module with vectors, without
 * the library around it; `use` hashes with the library, and sees what that compiles. Gives the result as JSON on
 * standard output.
 */
export interface GenerateResult {
  readonly bytes: number;
  readonly milliseconds: number;
}

export interface UseResult {
  /** Bytes of modules that export functions: after the import, after 2 KiB, and after one byte more. */
  readonly compiled: { readonly import: number; readonly short: number; readonly long: number };
  /** Milliseconds of the first hash of 2 KiB, and then of the first of one byte more. */
  readonly first: { readonly short: number; readonly long: number };
}

async function generate(): Promise<GenerateResult> {
  const { blake3Module } = await import('../../lanewise/src/blake3/module.ts');
  const start = performance.now();
  const bytes = blake3Module({ lanes: { relaxed: true } }).bytes();
  return { bytes: bytes.length, milliseconds: performance.now() - start };
}

async function use(): Promise<UseResult> {
  let total = 0;
  WebAssembly.Module = new Proxy(WebAssembly.Module, {
    construct(target, [source]: [Uint8Array<ArrayBuffer>]) {
      const module = new target(source);
      // A feature probe exports nothing but its memory.
      if (target.exports(module).some(({ kind }) => kind === 'function')) total += source.byteLength;
      return module;
    },
  });
  const { blake3 } = await import('lanewise/blake3.js');
  const imported = total;
  const [short, long] = [2048, 2049].map((length) => {
    const message = new Uint8Array(length);
    const start = performance.now();
    blake3(message);
    return { milliseconds: performance.now() - start, bytes: total };
  });
  return {
    compiled: { import: imported, short: short.bytes, long: long.bytes },
    first: { short: short.milliseconds, long: long.milliseconds },
  };
}

if (import.meta.main) {
  const result = process.argv[2] === 'generate' ? await generate() : await use();
  process.stdout.write(JSON.stringify(result));
}
