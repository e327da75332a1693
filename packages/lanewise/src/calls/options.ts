/**
 * The reader of all options. It takes plain objects only, as other libraries do: an option that an object inherits is refused
 * with the object, so that none is lost, and Object.prototype, which others may have polluted, is never read.
 */
import { typeOf } from './checks.ts';
import { getPrototypeOf, hasOwn, objectPrototype } from '../engine/intrinsics.ts';

/** The options of a call, 1 for each; for options of other calls, a hint for the error message. */
export type Grammar = { readonly __proto__: null } & Readonly<Record<string, 1 | string | null>>;

/** Options whose names are checked; their values are not. */
export type Options<G extends Grammar> = { readonly [Name in keyof G]?: unknown };

/**
 * Checks that options are a plain object, or undefined, with no other names than these. The values are still to be read, each
 * once, by {@link optionOf}. Symbols aren't names.
 *
 * @param wanted - The expectation in error messages, in front of the names.
 */
export function optionsOf<G extends Grammar>(options: unknown, grammar: G, wanted?: string): Options<G> {
  if (options === undefined) return { __proto__: null };
  if (!isPlain(options)) throw unexpected(typeOf(options), grammar, wanted);
  for (const name in options)
    // Enumerable properties of Object.prototype are listed, too.
    if (grammar[name] !== 1 && hasOwn(options, name)) refuse(name, grammar, wanted);
  return options;
}

/** A function of its own, because engines inline the loop only if it is small. */
function refuse(name: string, grammar: Grammar, wanted: string | undefined): never {
  throw unexpected(`{ ${name} }${grammar[name] ? `: ${grammar[name]}` : ''}`, grammar, wanted);
}

/** The value of an option; undefined if it is not given. */
export const optionOf = <O extends object>(options: O, name: keyof O & string): unknown =>
  hasOwn(options, name) ? options[name] : undefined;

/** The value of an option; `otherwise` if it is not given, or undefined. */
export function optionOr<O extends object>(options: O, name: keyof O & string, otherwise: unknown): unknown {
  const value = optionOf(options, name);
  return value === undefined ? otherwise : value;
}

/** The value of an option that is true or false; `otherwise` if it is not given, or undefined. */
export function flagOf<O extends object>(options: O, name: keyof O & string, otherwise: boolean): boolean {
  const value = optionOr(options, name, otherwise);
  if (typeof value !== 'boolean') throw new TypeError(`"${name}" expected boolean, got ${typeOf(value)}`);
  return value;
}

/** The error for a value that is not an object with these options. */
export function unexpected(got: string, grammar: Grammar, wanted = '"options" expected plain object'): TypeError {
  let names = '';
  for (const name in grammar) if (grammar[name] === 1) names += `${names && ','} ${name}`;
  return new TypeError(`${wanted} {${names} }, got ${got}`);
}

/** Whether a value is an object without a prototype, or with the Object.prototype of any realm. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = getPrototypeOf(value);
  return prototype === objectPrototype || prototype === null || hasOwn(prototype, 'isPrototypeOf');
}
