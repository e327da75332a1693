/** `node:fs` with the files of /vectors, and the names of those of the assembler and of the rooms' tables. */
import files from 'lanewise:files';

export function readFileSync(path: string): string {
  const text = path.includes('/vectors/') ? files.vectors[path.split('/').at(-1)!] : undefined;
  if (text === undefined) throw new Error(`${path} is no file that came with the tests`);
  return text;
}

/** The names in a folder, by the end of its path. */
const listings: Readonly<Record<string, readonly string[]>> = {
  '/src/wasm/': files.wasm,
  './..': Object.keys(files.tables),
  ...Object.fromEntries(
    Object.entries(files.tables).flatMap(([room, names]) => [
      [`./../${room}`, ['table']],
      [`./../${room}/table`, names],
    ]),
  ),
};

export function readdirSync(folder: URL | string): readonly string[] {
  const path = typeof folder === 'string' ? folder : folder.pathname;
  const found = Object.entries(listings).find(([end]) => path.endsWith(end));
  if (!found) throw new Error(`${path} is no folder that came with the tests`);
  return [...found[1]];
}
