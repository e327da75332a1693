// Makes the fixtures that come from other projects. Each is fetched with that registry's own client, at a pinned version,
// and its bytes must have the SHA-256 written in `rooms/x/fetch.mjs`, where the fixtures of the room x are.
//   node vectors/fetch.mjs [--check] [fixture.json ...]     --check compares instead of writing
// Needs cargo, Go, python3 with pip, Maven, and apt-get with dpkg (Debian 12); a fixture whose client is missing is skipped and said so.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Skip, temporary } from './registries.mjs';
import { fromRooms } from './rooms.mjs';

const fixtures = Object.assign({}, ...(await fromRooms('fetch.mjs')).map((room) => room.fixtures));
const check = process.argv.includes('--check');
const wanted = process.argv.slice(2).filter((arg) => arg !== '--check');
for (const name of wanted)
  if (!fixtures[name]) throw new Error(`no such fixture: ${name} (there are ${Object.keys(fixtures).join(', ')})`);

try {
  for (const [name, make] of Object.entries(fixtures)) {
    if (wanted.length && !wanted.includes(name)) continue;
    const path = fileURLToPath(new URL(name, import.meta.url));
    try {
      const { tests, ...head } = make();
      const body = tests.map((test) => `    ${JSON.stringify(test)}`).join(',\n');
      const text = `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "tests": [\n${body}\n  ]\n}\n`;
      if (!check) writeFileSync(path, text);
      const same = readFileSync(path, 'utf8') === text;
      console.log(
        `${name}: ${tests.length} tests, ${check ? (same ? 'as committed' : 'DIFFERS from the committed file') : 'written'}`,
      );
      if (!same) process.exitCode = 1;
    } catch (error) {
      if (!(error instanceof Skip)) throw error;
      console.log(`${name}: skipped, ${error.message}`);
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
