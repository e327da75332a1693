/** `node:fs` with the files of /vectors, and the names of those of the assembler. */
import files from 'lanewise:files';

export function readFileSync(path: string): string {
  const text = path.includes('/vectors/') ? files.vectors[path.split('/').at(-1)!] : undefined;
  if (text === undefined) throw new Error(`${path} is no file that came with the tests`);
  return text;
}

export function readdirSync(folder: URL): readonly string[] {
  if (!folder.pathname.endsWith('/src/wasm/'))
    throw new Error(`${folder.pathname} is no folder that came with the tests`);
  return files.wasm;
}
