/** What an application pays for the one cipher it imports, all engines in it: bytes, minified and gzipped. */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

export async function bundleBytes(code: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    bundle: true,
    // What is published, not the sources, to which the paths of this workspace lead.
    tsconfigRaw: {},
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}
