/** Both packages in both formats, beside their originals, and the descriptions of calls in tests. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { distOf } from '../../drop-ins/src/folders.ts';
import { lines } from '../../drop-ins/src/lines.ts';

export type Call = (...values: unknown[]) => unknown;
export type Sodium = Record<string, Call> & { ready: Promise<void>; libsodium: { HEAPU8: Uint8Array } };

const require = createRequire(import.meta.url);
const its = lines.filter((line) => line.entries);
export const pairs = (
  await Promise.all(
    its.map(async (line) => {
      const folder = distOf(line);
      const module = (await import(pathToFileURL(join(folder, line.entries!.esm)).href)) as Record<string, unknown>;
      // States are addresses in its memory, which each copy has for itself.
      const inside = (format: 'esm' | 'cjs'): string => join(folder, 'original', line.entries![format]);
      const original = (await import(pathToFileURL(inside('esm')).href)) as Record<string, unknown>;
      return [
        {
          title: `${line.original}, import`,
          ours: module.default,
          theirs: original.default,
          modules: [module, original],
        },
        {
          title: `${line.original}, require`,
          modules: [],
          ours: require(join(folder, line.entries!.cjs)) as unknown,
          theirs: require(inside('cjs')) as unknown,
        },
      ] as { title: string; ours: Sodium; theirs: Sodium; modules: Record<string, unknown>[] }[];
    }),
  )
).flat();

/** Bytes without a pattern. */
export const bytes = (length: number, first = 1): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (first + Math.imul(i + first, 0x9e3779b1)) >>> 24);

/** An array without its buffer. */
export function detached(): Uint8Array {
  const view = bytes(32);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

/** Hexadecimal digits of short bytes, and of a digest of long ones: thousands of digits in a message help no reader. */
export const digitsOf = (value: Uint8Array): string =>
  value.length > 512
    ? `${value.length} bytes ${createHash('sha256').update(value).digest('hex')}`
    : Buffer.from(value).toString('hex');

/** The result or error of a call, with bytes as digits. */
export function outcomeOf(call: () => unknown): unknown {
  const readable = (value: unknown): unknown =>
    value instanceof Uint8Array
      ? // A result is an array of its own.
        `${value.constructor.name} ${value.byteLength === value.buffer.byteLength} ${digitsOf(value)}`
      : typeof value === 'object' && value !== null
        ? Object.entries(value).map(([name, part]) => [name, readable(part)])
        : typeof value === 'string' && value.length > 512
          ? digitsOf(Buffer.from(value))
          : value;
  try {
    return readable(call());
  } catch (error) {
    return error instanceof Error ? `${error.constructor.name}: ${error.message}` : ['thrown', readable(error)];
  }
}
