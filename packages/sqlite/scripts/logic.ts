/**
 * node packages/sqlite/scripts/logic.ts FILE… [--mode MODE]
 *
 * Runs SQLite's logic tests, *.test of sqllogictest, over an encrypted database in a file, each in a new one. The cache is small, so that pages
 * come from the file. No registry has these tests: give their paths.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { encryptVFS, type EncryptOptions } from '../src/index.ts';
import { NodeVFS } from '../src/node.ts';
import { runScript } from '../test/logic-script.ts';
import { Connection, KEY, register } from '../test/support.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { mode: { type: 'string' } } });
const modes = ['authenticated', 'adiantum', 'sqlite3mc'] as const;
const chosen = modes.filter((mode) => values.mode === undefined || values.mode === mode);
if (positionals.length === 0 || chosen.length === 0) {
  console.error(`node packages/sqlite/scripts/logic.ts FILE… [--mode ${modes.join('|')}]`);
  process.exit(2);
}

const total = { passed: 0, skipped: 0, faults: 0 };
const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-logic-'));
try {
  for (const mode of chosen)
    for (const [i, path] of positionals.entries()) {
      const options: EncryptOptions = { key: KEY, mode };
      const db = await Connection.open(register(encryptVFS(NodeVFS, options)), join(folder, `${mode}-${i}.db`));
      await db.run('pragma cache_size = 10; pragma synchronous = off');
      const { passed, skipped, faults } = await runScript(readFileSync(path, 'utf8'), db);
      const check = await db.run('pragma integrity_check');
      await db.close();
      const all = check[0][0] === 'ok' ? faults : [...faults, `integrity_check: ${String(check[0][0])}`];
      console.log(`${mode} ${basename(path)}: ${passed} passed, ${all.length} failed, ${skipped} for other engines`);
      for (const fault of all.slice(0, 5)) console.log(`  ${fault}`);
      total.passed += passed;
      total.skipped += skipped;
      total.faults += all.length;
    }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${total.passed} passed, ${total.faults} failed, ${total.skipped} for other engines`);
if (total.faults > 0) process.exitCode = 1;
