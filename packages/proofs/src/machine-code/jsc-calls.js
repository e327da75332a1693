// Runs in Bun: calls a kernel's functions until JavaScriptCore has compiled each by both compilers, and waits while its code is read.
import { readFileSync, readSync } from 'node:fs';

const [, , kernel, list] = process.argv;
const run = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(kernel)), {}).exports;
const calls = JSON.parse(readFileSync(list, 'utf8'));
for (let i = 0; i < 20; i++) for (const [name, ...parameters] of calls) run[name](...parameters);
console.log('ended');
readSync(0, new Uint8Array(1));
