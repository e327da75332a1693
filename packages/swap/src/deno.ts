/** Imports of originals in `deno.json`, which this command names and leaves: `overrides` don't reach them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type ParseError } from 'jsonc-parser';
import { seats, targetOf } from '../../drop-ins/src/lines.ts';
import type { Project } from './project.ts';

export interface DenoImport {
  /** The file, from the root. */
  readonly file: string;
  /** The specifier: `npm:@noble/ciphers@^2.0.0/chacha.js`. */
  readonly specifier: string;
  /** Why it is left, and the text to write there. */
  readonly because: string;
}

function importsOf(file: string, text: string): DenoImport[] {
  const errors: ParseError[] = [];
  const settings = parse(text, errors, { allowTrailingComma: true }) as { imports?: unknown } | undefined;
  if (errors.length > 0) throw new Error(`${file} is not JSON, from its character ${errors[0].offset} on`);
  const { imports } = settings ?? {};
  if (typeof imports !== 'object' || imports === null) return [];
  return Object.values(imports).flatMap((specifier: unknown) => {
    const [, original, range = '', path = ''] =
      /^npm:\/?((?:@[^@/]+\/)?[^@/]+)(?:@([^/]+))?(\/.*)?$/.exec(String(specifier)) ?? [];
    if (!seats.some((line) => line.original === original)) return [];
    const major = /^\D*(\d+)/.exec(range)?.[1];
    const line = seats.find((its) => its.original === original && String(its.major) === major);
    const because = line
      ? `no line reaches it; write ${targetOf(line)}${path} there`
      : major === undefined
        ? 'it names no version'
        : 'no package of ours takes the place of this version';
    return [{ file, specifier: String(specifier), because }];
  });
}

/** The imports of originals in the `deno.json` or `deno.jsonc` of the root and of the program's other packages. */
export function denoImports({ root, manager, members }: Project): readonly DenoImport[] {
  if (manager !== 'deno') return [];
  return ['', ...members].flatMap((member) => {
    const file = ['deno.json', 'deno.jsonc']
      .map((name) => join(member, name))
      .find((name) => existsSync(join(root, name)));
    return file === undefined ? [] : importsOf(file, readFileSync(join(root, file), 'utf8').replace(/^\uFEFF/, ''));
  });
}
