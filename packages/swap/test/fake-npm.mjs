// Stands in for npm: fills node_modules from the manifest and the lockfile. `FAKE_NPM` tells it how to fail.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const command = process.argv[2];
const failure = process.env.FAKE_NPM ?? '';
if (command === '--version') {
  console.log(failure === 'old' ? '9.9.4' : '11.19.1');
  process.exit(0);
}
const { dependencies = {}, overrides = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
const isSwapped = Object.keys(overrides).length > 0;
if (failure === 'fail' && isSwapped) {
  writeFileSync('package-lock.json', 'half of it');
  console.error('npm error code E404');
  process.exit(1);
}
if (failure === 'wait' && isSwapped) {
  writeFileSync('waiting', '');
  await new Promise((resolve) => setTimeout(resolve, 20_000));
}
function put(folder, name, version, more = {}) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, ...more }));
}
const choose = (name, version) => {
  const key = `${name}@${version.split('.')[0]}`;
  const [, target, number] = /^npm:(.+)@\^(.+)$/.exec(failure === 'lie' ? '' : (overrides[key] ?? '')) ?? [];
  put(join('node_modules', name), target ?? name, number ?? version);
};
put('node_modules/user', 'user', '1.0.0', { dependencies: { '@noble/ciphers': '^2.0.0' } });
choose('@noble/ciphers', '2.4.0');
if (dependencies.tweetnacl) choose('tweetnacl', '1.0.3');
const lock = { packages: { 'node_modules/@noble/ciphers': { version: '2.4.0' } } };
if (isSwapped || !existsSync('package-lock.json')) writeFileSync('package-lock.json', JSON.stringify(lock));
