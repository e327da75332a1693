// Confirms every vector in this folder with independent implementations (oracles.mjs): at least two of them must give
// its value and none may contradict it. `rooms/x/verify.mjs` says how, for the files of the room x.
//   node vectors/verify.mjs      Exit code 1 if any vector is not confirmed.
import { readFile } from 'node:fs/promises';
import { fromRooms } from './rooms.mjs';
import { File } from './verify-file.mjs';

const load = async (name) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'));

const report = [];
for (const { files } of await fromRooms('verify.mjs'))
  for (const [name, confirm] of Object.entries(files)) {
    const file = new File(name);
    confirm(file, await load(name));
    report.push(file);
  }

let failed = 0;
for (const f of report) {
  const by = Object.entries(f.by)
    .map(([oracle, n]) => `${oracle} ${n}`)
    .join(', ');
  console.log(
    `${f.name.padEnd(36)} ${String(f.count - f.wrong.length).padStart(4)} of ${String(f.count).padStart(4)} confirmed   ${by}`,
  );
  for (const line of f.wrong) console.log(`    ${line}`);
  failed += f.wrong.length;
}
const total = report.reduce((n, f) => n + f.count, 0);
console.log(
  failed
    ? `${failed} of ${total} vectors are NOT confirmed`
    : `all ${total} vectors are confirmed by at least two implementations`,
);
process.exitCode = failed ? 1 : 0;
