/** The options of a caller, checked. */
import { kindOf } from '../calls/checks.ts';
import { floor, hasOwn } from '../engine/intrinsics.ts';

/** What somebody put into Object.prototype is no option. */
export function optionsOf<Name extends string>(
  options: unknown,
  names: readonly Name[],
): { readonly [N in Name]?: unknown } {
  const found = { __proto__: null } as { [N in Name]?: unknown };
  if (options === undefined) return found;
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`"options" expected object, got ${kindOf(options)}`);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (hasOwn(options, name)) found[name] = (options as Record<Name, unknown>)[name];
  }
  return found;
}

/** An integer from `least` up. */
export function sizeOf(value: unknown, name: string, least: number): number {
  if (typeof value !== 'number') throw new TypeError(`"${name}" expected integer, got ${kindOf(value)}`);
  if (!(value >= least && value < 2 ** 53) || floor(value) !== value)
    throw new RangeError(`"${name}" expected integer from ${least} up, got ${value}`);
  return value;
}

/** The number of whole pages in so many bytes. */
export function countPages(length: number, pageSize: number): number {
  if (length % pageSize)
    throw new RangeError(`"buffer" expected whole pages of ${pageSize} bytes, got length=${length}`);
  return length / pageSize;
}
