/** Where the judges of verified streaming are: the command of the crate bao, and a program over the crate bao-tree. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '0.13.1';
const CACHE = join(import.meta.dirname, '../.cache');

/** A program that Cargo makes; undefined if there is none. */
function made(program: string, values: readonly string[]): string | undefined {
  const { status } = spawnSync('cargo', values, { timeout: 600_000 });
  return status === 0 ? program : undefined;
}

/** The command bao: from the cache, or made once, from the crate bao_bin. */
export function findBao(): string | undefined {
  const cache = join(CACHE, `bao-${VERSION}`);
  const program = join(cache, 'bin', 'bao');
  if (existsSync(program)) return program;
  return made(program, ['install', 'bao_bin', '--version', VERSION, '--locked', '--root', cache]);
}

/** The program `judge` of vectors/bao-tree. Its sources are here, so Cargo says whether what it made before is theirs. */
export function findBaoTree(): string | undefined {
  const target = join(CACHE, 'bao-tree');
  const manifest = join(import.meta.dirname, '../../../vectors/bao-tree/Cargo.toml');
  const values = ['build', '--locked', '--bin', 'judge', '--manifest-path', manifest, '--target-dir', target];
  return made(join(target, 'debug', 'judge'), values);
}
