/**
 * The functions of the language that the library calls while it handles bytes. The library takes them when it is loaded, so this
 * module must be loaded before: `await vi.hoisted(() => import('./support/steps.ts'))`. Then a test can act before each call.
 */
const prototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const names = ['set', 'fill', 'copyWithin', 'byteLength', 'byteOffset', 'buffer'];
const originals = Object.getOwnPropertyDescriptors(prototype) as Record<string, PropertyDescriptor>;
const { apply } = Reflect;

let before: ((self: unknown, values: readonly unknown[]) => void) | undefined;

const watched = (method: (...values: never[]) => unknown) =>
  function (this: unknown, ...values: never[]): unknown {
    before?.(this, values);
    return apply(method, this, values) as unknown;
  };

for (const name of names) {
  const { get, value } = originals[name] as { get?: () => unknown; value?: () => unknown };
  Object.defineProperty(prototype, name, {
    ...originals[name],
    ...(get ? { get: watched(get) } : { value: watched(value!) }),
  });
}

/** To be called once the library is loaded: tests go on with the language's own functions. */
export function restoreLanguage(): void {
  for (const name of names) Object.defineProperty(prototype, name, originals[name]);
}

/** Does something before each step of `work`. */
export function eachStep<T>(does: (self: unknown, values: readonly unknown[]) => void, work: () => T): T {
  before = does;
  try {
    return work();
  } finally {
    before = undefined;
  }
}
