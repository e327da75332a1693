/** Prepares a realm before vitest and the test files are loaded. */
const globals = globalThis as unknown as Record<string, unknown>;

/** Without cross-origin isolation the constructor has no name, but it is there. */
if (!('SharedArrayBuffer' in globals)) {
  const { buffer } = new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true });
  Object.defineProperty(globals, 'SharedArrayBuffer', {
    value: buffer.constructor,
    configurable: true,
    writable: true,
  });
}

// workerd has no timers while a module is loaded, where vitest looks whether they work.
const { setTimeout: start } = globalThis;
globals['setTimeout'] = (...values: Parameters<typeof start>): unknown => {
  try {
    return start(...values);
  } catch {
    return undefined;
  }
};

let generation = 0;
/** Counts the calls of `vi.resetModules`. */
export const currentGeneration = (): number => generation;

/** The part of the configuration that vitest's runner reads. */
export const config = {
  root: '/',
  allowOnly: false,
  hookTimeout: 600_000,
  testTimeout: 600_000,
  maxConcurrency: 1,
  sequence: { shuffle: false, hooks: 'stack' },
  setupFiles: [],
  expect: {},
};

globals['__vitest_worker__'] = {
  config,
  ctx: { pool: 'browser' },
  // `vi.resetModules` goes through them.
  evaluatedModules: { idToModuleMap: { forEach: () => generation++ } },
};
