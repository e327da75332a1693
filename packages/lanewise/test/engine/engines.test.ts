/**
 * The choice of an engine. Each test starts a process and takes features away there, before the library is loaded or
 * afterwards. In each process a vector of the specification and a round trip must still be right.
 */
// Runs in Node only: starts processes of Node, with flags that take things away from it.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe as suite, expect, it } from 'vitest';
import type { Description } from '../../src/engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-engines-'));

/** The sources as one file, so that no loader needs WebAssembly to strip their types. */
beforeAll(async () => {
  await build({
    stdin: {
      contents: ['index', 'chacha', 'poly1305', 'engine', 'utils']
        .map((name) => `export * from './src/${name}.ts';`)
        .join('\n'),
      resolveDir: join(import.meta.dirname, '../..'),
    },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'error',
    outfile: join(folder, 'lanewise.mjs'),
  });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Child {
  /** Options of the process. */
  readonly flags?: readonly string[];
  /** Code that runs before the library is loaded, after that, and after it was used. */
  readonly before?: string;
  readonly loaded?: string;
  readonly used?: string;
  /** Whether `describe` is called before the first use, too, so that the test can compare both descriptions. */
  readonly ask?: boolean;
}

interface Answer {
  readonly asked?: Description;
  readonly told: Description;
  /** Values that the code of the test recorded. */
  readonly seen: Record<string, unknown>;
}

/** The vector is RFC 8439 §2.8.2; the long message is compared with another implementation. */
const use = `
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const range = (from, length) => Uint8Array.from({ length }, (_, i) => from + i);
const sunscreen = Buffer.from("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.");
const sealed = lanewise.chacha20poly1305(range(0x80, 32), Buffer.from('070000004041424344454647', 'hex'),
  Buffer.from('50515253c0c1c2c3c4c5c6c7', 'hex')).encrypt(sunscreen);
assert.equal(hex(sealed), 'd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691');
const long = Uint8Array.from({ length: 100_000 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
for (const length of [0, 1, 64, 65, 500, 100_000]) {
  const message = long.subarray(0, length);
  const box = lanewise.chacha20poly1305(range(1, 32), range(2, 12)).encrypt(message);
  const cipher = createCipheriv('chacha20-poly1305', range(1, 32), range(2, 12), { authTagLength: 16 });
  assert.equal(hex(box), hex(Buffer.concat([cipher.update(message), cipher.final(), cipher.getAuthTag()])));
  assert.equal(hex(lanewise.chacha20poly1305(range(1, 32), range(2, 12)).decrypt(box)), hex(message));
  const extended = lanewise.xchacha20poly1305(range(1, 32), range(2, 24)).encrypt(message);
  assert.equal(hex(lanewise.xchacha20poly1305(range(1, 32), range(2, 24)).decrypt(extended)), hex(message));
}
assert.equal(hex(lanewise.poly1305(Buffer.from('Cryptographic Forum Research Group'),
  Buffer.from('85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b', 'hex'))), 'a8061dc1305136c6c22b8baf0c0127a9');
`;

const run = promisify(execFile);
let children = 0;

async function answer({ flags = [], before = '', loaded = '', used = '', ask = false }: Child): Promise<Answer> {
  const file = join(folder, `child-${children++}.mjs`);
  writeFileSync(
    file,
    `import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
const seen = {};
${before}
const lanewise = await import('./lanewise.mjs');
${loaded}
const asked = ${ask ? 'lanewise.describe()' : 'undefined'};
${use}
const told = lanewise.describe();
${used}
console.log(JSON.stringify({ asked, told, seen }));
`,
  );
  const { stdout } = await run(process.execPath, [...flags, file]);
  return JSON.parse(stdout) as Answer;
}

/** Code that makes a constructor of WebAssembly throw an error if `condition` of its bytes holds. */
const throwing = (constructor: string, message: string, condition = 'true'): string => `
{
  const Original = WebAssembly.${constructor};
  const relaxed = (bytes) => Buffer.from(bytes).includes(Buffer.from([0xfd, 0x80, 0x02]));
  const vectors = (bytes) => Buffer.from(bytes).includes(Buffer.from([0xfd, 0xae, 0x01]));
  WebAssembly.${constructor} = function (bytes, imports) {
    seen.calls = (seen.calls ?? 0) + 1;
    if (${condition}) throw new WebAssembly.CompileError(${JSON.stringify(message)});
    return new Original(bytes, imports);
  };
}`;

const MISSING = 'no simd: there is no WebAssembly; no scalar: there is no WebAssembly';
const CSP = 'WebAssembly.Module(): Compiling or instantiating violates the following Content Security Policy directive';
const WEBKIT = "Refused to create a WebAssembly object because 'unsafe-eval' is not an allowed source of script";

suite('the engine that is chosen', { concurrent: true }, () => {
  it('simd, with relaxed vectors, where nothing is missing', async () => {
    const { asked, told } = await answer({ ask: true });
    expect(told).toEqual({ engine: 'simd', relaxed: true });
    expect(asked).toEqual(told);
  });

  it.each([true, false])('js without WebAssembly (asked first: %s)', async (ask) => {
    const { asked, told } = await answer({ flags: ['--jitless'], ask });
    expect(told).toEqual({ engine: 'js', relaxed: false, reason: MISSING });
    if (ask) expect(asked).toEqual(told);
  });

  it.runIf(process.arch === 'x64').each([true, false])('scalar without vectors (asked first: %s)', async (ask) => {
    const { asked, told } = await answer({ flags: ['--no-enable-sse4-1'], ask });
    expect(told.engine).toBe('scalar');
    expect(told.relaxed).toBe(false);
    // The host's own error message.
    expect(told.reason).toMatch(/^no simd: WebAssembly\.\w+\(\): .+/);
    if (ask) expect(asked).toEqual(told);
  });

  it('js if WebAssembly is deleted before the library is loaded', async () => {
    const { told } = await answer({ before: 'delete globalThis.WebAssembly;' });
    expect(told).toEqual({ engine: 'js', relaxed: false, reason: MISSING });
  });

  it('simd if WebAssembly is deleted, or replaced, between loading and the first use', async () => {
    const { told } = await answer({ loaded: 'delete globalThis.WebAssembly;' });
    expect(told.engine).toBe('simd');
    const { told: again, seen } = await answer({ loaded: throwing('Module', 'replaced') });
    expect([again.engine, seen['calls']]).toEqual(['simd', undefined]);
  });

  it('simd goes on if WebAssembly is deleted after the first use', async () => {
    const { told } = await answer({
      loaded: `lanewise.chacha20poly1305(new Uint8Array(32), new Uint8Array(12)).encrypt(new Uint8Array(1000));
lanewise.chacha20poly1305(new Uint8Array(32), new Uint8Array(12)).encrypt(new Uint8Array(10));
delete globalThis.WebAssembly;`,
    });
    expect(told.engine).toBe('simd');
  });

  it.each([true, false])('js if compiling is refused (asked first: %s)', async (ask) => {
    const { asked, told } = await answer({ before: throwing('Module', CSP), ask });
    expect(told).toEqual({ engine: 'js', relaxed: false, reason: `no simd: ${CSP}; no scalar: ${CSP}` });
    if (ask) expect(asked).toEqual(told);
  });

  it.each([true, false])('js if instantiating is refused (asked first: %s)', async (ask) => {
    const { asked, told } = await answer({ before: throwing('Instance', WEBKIT), ask });
    expect(told).toEqual({ engine: 'js', relaxed: false, reason: `no simd: ${WEBKIT}; no scalar: ${WEBKIT}` });
    if (ask) expect(asked).toEqual(told);
  });

  it('does not believe WebAssembly.validate', async () => {
    const lie = (say: boolean): string => `WebAssembly.validate = () => { seen.asked = true; return ${say}; };`;
    const yes = await answer({ before: lie(true) + throwing('Module', CSP) });
    expect(yes.told.engine).toBe('js');
    const no = await answer({ before: lie(false) });
    expect(no.told.engine).toBe('simd');
    expect([yes.seen, no.seen].map((seen) => seen['asked'])).toEqual([undefined, undefined]);
  });

  it('something that is thrown and is no error', async () => {
    const { told } = await answer({ before: 'WebAssembly.Module = function () { throw "no"; };' });
    expect(told).toEqual({ engine: 'js', relaxed: false, reason: 'no simd: no; no scalar: no' });
  });

  it('simd without relaxed vectors where these are refused', async () => {
    const { told } = await answer({ before: throwing('Module', 'no relaxed', 'relaxed(bytes)'), ask: true });
    expect(told).toEqual({ engine: 'simd', relaxed: false });
  });
});

suite('an engine that promised well and can run no kernel', { concurrent: true }, () => {
  const kernel = 'bytes.length > 200';

  it('no kernel compiles: js', async () => {
    const { asked, told } = await answer({ before: throwing('Module', 'too big', kernel), ask: true });
    expect(asked?.engine).toBe('simd');
    expect(told).toEqual({ engine: 'js', relaxed: false, reason: 'no simd: too big; no scalar: too big' });
  });

  it('none with vectors: scalar', async () => {
    const { told } = await answer({ before: throwing('Module', 'no vectors', `${kernel} && vectors(bytes)`) });
    expect(told).toEqual({ engine: 'scalar', relaxed: false, reason: 'no simd: no vectors' });
  });

  it('none with relaxed vectors: another engine, and right', async () => {
    const { told } = await answer({ before: throwing('Module', 'no relaxed', `${kernel} && relaxed(bytes)`) });
    expect(told.engine).not.toBe('js');
    expect(told.engine === 'simd' ? told.relaxed : told.reason).toBe(
      told.engine === 'simd' ? false : 'no simd: no relaxed',
    );
  });

  it('only the largest: what is left goes on', async () => {
    const { told, seen } = await answer({
      before: throwing(
        'Module',
        'too big',
        'seen.largest = Math.max(seen.largest ?? 0, bytes.length), bytes.length > 12000',
      ),
    });
    expect(seen['largest']).toBeGreaterThan(12000);
    expect(told).toEqual({ engine: 'scalar', relaxed: false, reason: 'no simd: too big' });
  });

  it('a stack that is full at the first uses is no reason to go without it', async () => {
    const { told, seen } = await answer({
      loaded: `
const calls = [
  () => lanewise.poly1305(new Uint8Array(100), new Uint8Array(32)),
  () => lanewise.chacha20(new Uint8Array(32), new Uint8Array(12), new Uint8Array(10)),
  () => lanewise.chacha20(new Uint8Array(32), new Uint8Array(12), new Uint8Array(1000)),
];
seen.overflows = 0;
let left = 600;
// From the end of the stack upwards.
const deep = () => {
  try { deep(); } catch {}
  if (left-- > 0) try { calls[left % 3](); } catch (error) { assert(error instanceof RangeError); seen.overflows++; }
};
deep();
for (let i = 0; i < 300; i++) calls.forEach((call) => call());`,
    });
    expect(seen['overflows']).toBeGreaterThan(3);
    expect(told).toEqual({ engine: 'simd', relaxed: true });
  });

  it('is asked once, not at each call', async () => {
    const { seen } = await answer({
      before: throwing('Module', 'too big', kernel),
      used: `const before = seen.calls;
for (const length of [0, 64, 1000, 100_000]) lanewise.chacha20(new Uint8Array(32), new Uint8Array(12), new Uint8Array(length));
seen.later = seen.calls - before;`,
    });
    expect(seen['later']).toBe(0);
  });
});

suite('importing', { concurrent: true }, () => {
  it('reads nothing but the language and TextEncoder, calls nothing, changes nothing', async () => {
    const { seen } = await answer({
      before: `
// The property descriptors of each object.
const objects = [globalThis, ...['Object', 'Function', 'Array', 'Uint8Array', 'ArrayBuffer', 'Map', 'Promise', 'Error', 'Math']
  .flatMap((name) => [globalThis[name], globalThis[name].prototype ?? []]), Object.getPrototypeOf(Uint8Array.prototype)];
const state = () => objects.map((object) => Reflect.ownKeys(object).map((key) => [key, ...Object.values(Object.getOwnPropertyDescriptor(object, key))]));
const reads = new Set();
const saved = Object.getOwnPropertyNames(globalThis).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)])
  .filter(([name, descriptor]) => descriptor.configurable && name !== 'globalThis');
for (const [name, { value, get }] of saved)
  Object.defineProperty(globalThis, name, { configurable: true, get: () => { reads.add(name); return get ? get.call(globalThis) : value; } });
const was = state();
reads.clear();`,
      loaded: `
seen.reads = [...reads];
seen.same = was.every((list, i) => {
  const now = state()[i];
  return list.length === now.length && list.every((entry, j) => entry.length === now[j].length && entry.every((part, k) => Object.is(part, now[j][k])));
});
for (const [name, descriptor] of saved) Object.defineProperty(globalThis, name, descriptor);
`,
    });
    const objects =
      'Object Function Symbol Map WeakMap WeakRef Error Array Number String BigInt Math Reflect WebAssembly';
    const language = [...objects.split(' '), 'ArrayBuffer', 'Uint8Array', 'Int32Array', 'Uint32Array', 'TextEncoder'];
    expect((seen['reads'] as string[]).filter((name) => !language.includes(name))).toEqual([]);
    // The counters work: the library cannot do without these.
    expect(seen['reads']).toContain('Uint8Array');
    expect(seen['same']).toBe(true);
  });

  it('compiles nothing; the first use does', async () => {
    const { seen } = await answer({
      before: throwing('Module', '', 'false') + throwing('Instance', '', 'false'),
      loaded: 'seen.onLoad = seen.calls ?? 0;',
    });
    expect(seen['onLoad']).toBe(0);
    expect(seen['calls']).toBeGreaterThan(0);
  });

  it('the first message compiles its kernel and the module that unpacks it; no probe', async () => {
    const { seen, told } = await answer({
      before: throwing('Module', '', 'seen.sizes = [...(seen.sizes ?? []), bytes.length], false'),
      loaded: `lanewise.chacha20poly1305(new Uint8Array(32), new Uint8Array(12)).encrypt(new Uint8Array(64));
seen.first = seen.sizes;`,
    });
    expect(seen['first']).toEqual([expect.toSatisfy((size) => size < 2000), expect.toSatisfy((size) => size > 4000)]);
    expect(told).toEqual({ engine: 'simd', relaxed: true });
  });
});

suite('select', { concurrent: true }, () => {
  const attempt = (engine: string): string =>
    `try { lanewise.select(${engine}); seen.error = 'none'; } catch (error) { seen.error = \`\${error.name}: \${error.message}\`; }\n`;

  it('an engine: describe says so, and auto goes back', async () => {
    const { seen, told } = await answer({
      used: `seen.all = ['js', 'scalar', 'simd', 'auto'].map((engine) => {
  lanewise.select(engine);
  { ${use} }
  return lanewise.describe();
});`,
    });
    expect(told.engine).toBe('simd');
    expect(seen['all']).toEqual([
      { engine: 'js', relaxed: false, reason: 'selected' },
      { engine: 'scalar', relaxed: false, reason: 'selected' },
      { engine: 'simd', relaxed: true },
      { engine: 'simd', relaxed: true },
    ]);
  });

  it.each(['simd', 'scalar'])(
    '%s where it is not available: an error with the reason, and nothing changes',
    async (name) => {
      const { seen, told } = await answer({
        flags: ['--jitless'],
        loaded: attempt(`'${name}'`),
        used: `lanewise.select('js');
try { lanewise.select('${name}'); } catch {}
seen.after = lanewise.describe();`,
      });
      expect(seen['error']).toBe(`Error: "engine" ${name} is not available: there is no WebAssembly`);
      expect(told).toEqual({ engine: 'js', relaxed: false, reason: MISSING });
      expect(seen['after']).toEqual(told);
    },
  );

  it('what is no engine: a TypeError, and nothing changes', async () => {
    const wrong = `undefined, null, '', 'SIMD', 'toString', 3, {}, ['js'], Symbol('js')`;
    const { seen } = await answer({
      used: `lanewise.select('scalar');
seen.errors = [${wrong}].map((engine) => {
  try { lanewise.select(engine); return 'none'; } catch (error) { return error.name; }
});
${attempt(`'SIMD'`)}
seen.after = lanewise.describe();`,
    });
    expect(new Set(seen['errors'] as string[])).toEqual(new Set(['TypeError']));
    expect(seen['error']).toBe('TypeError: "engine" expected native, simd, scalar, js or auto, got SIMD');
    expect(seen['after']).toEqual({ engine: 'scalar', relaxed: false, reason: 'selected' });
  });

  it('an engine that can run no kernel: its error, no other engine, until auto', async () => {
    const { seen, told } = await answer({
      before: throwing('Module', 'too big', 'bytes.length > 200'),
      loaded: `lanewise.select('simd');
try { lanewise.chacha20(new Uint8Array(32), new Uint8Array(12), new Uint8Array(1000)); } catch (error) { seen.error = error.message; }
lanewise.select('auto');`,
    });
    expect(seen['error']).toBe('too big');
    expect(told.engine).toBe('js');
  });

  it('in the midst of a stream: it goes on', async () => {
    const { seen } = await answer({
      used: `
const stream = lanewise.xchacha20.stream(range(1, 32), range(2, 24));
const mac = lanewise.poly1305.create(range(1, 32));
const parts = [];
for (const [i, engine] of ['js', 'simd', 'scalar', 'js', 'auto'].entries()) {
  lanewise.select(engine);
  const part = long.subarray(i * 777, (i + 1) * 777);
  parts.push(stream.update(part));
  mac.update(part);
}
const whole = long.subarray(0, 5 * 777);
seen.stream = hex(Buffer.concat(parts)) === hex(lanewise.xchacha20(range(1, 32), range(2, 24), whole));
seen.mac = hex(mac.digest()) === hex(lanewise.poly1305(whole, range(1, 32)));`,
    });
    expect(seen).toEqual({ stream: true, mac: true });
  });
});
