// Makes disk-database.json: a small database, written by go-sqlite3 through its Adiantum VFS.
// node vectors/generate-disk-database.mjs [--check]     Needs Go.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeOrCheck } from './oracles.mjs';

const program = new URL('go-sqlite3/', import.meta.url);
const key = Buffer.from(Uint8Array.from({ length: 32 }, (_, i) => (i * 37 + 11) & 255)).toString('hex');
const statements = [
  'create table city (name text primary key, country text not null, founded integer)',
  ...[
    "('Mérida', 'México', 1542)",
    "('København', 'Danmark', 1167)",
    "('東京', '日本', 1457)",
    "('Lagos', 'Nigeria', null)",
  ].map((row) => `insert into city values ${row}`),
];
const query = 'select name, country, founded from city order by name';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-database-'));
try {
  const sql = (...said) =>
    execFileSync('go', ['run', '.', join(folder, 'database'), key, ...said], { cwd: program, encoding: 'utf8' });
  sql(...statements);
  const rows = sql(query).trimEnd().split('\n');
  const [integrity, pageSize, version] = sql('pragma integrity_check', 'pragma page_size', 'select sqlite_version()')
    .trimEnd()
    .split('\n');
  if (integrity !== 'ok' || pageSize !== '4096') throw new Error(`integrity: ${integrity}, pages of ${pageSize} bytes`);
  const file = readFileSync(join(folder, 'database'));
  const fixture = {
    source:
      'Ours: a database of pages of 4096 bytes, each encrypted by Adiantum with XChaCha12 under its place in the file, 8 bytes little-endian. file is that file in base64, sha256 its hash; rows is what the query gives, columns apart by tabs.',
    made: `node vectors/generate-disk-database.mjs: github.com/ncruces/go-sqlite3 v0.27.1 (Go, SQLite ${version}) with vfs=adiantum`,
    licence: 'MIT',
    key,
    statements,
    query,
    rows,
    sha256: createHash('sha256').update(file).digest('hex'),
    file: file.toString('base64'),
  };
  await writeOrCheck(new URL('disk-database.json', import.meta.url), `${JSON.stringify(fixture, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
