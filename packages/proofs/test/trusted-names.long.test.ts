/** What lints and claims take for granted by its name: where wiping begins, and that comparers look at every byte. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterEach, describe, expect, it } from 'vitest';
import { SETS, secretsFrom, STAGE } from '../../lanewise/src/keystream/map.ts';
import { Failure } from '../src/claims/claim.ts';
import { kernelOf } from '../src/kernels.ts';
import { chachaEveryLength } from '../src/rooms/chacha/every-length.ts';
import { secretboxEveryLength } from '../src/rooms/salsa/every-length.ts';
import { forgetTerms } from '../src/terms/term.ts';

afterEach(forgetTerms);

describe('secretsFrom', () => {
  const open = (name: string, from: (length: number) => number) => {
    const kernel = kernelOf(name);
    const claims =
      kernel.family === 'chacha' ? chachaEveryLength(kernel, from) : secretboxEveryLength(kernel, 'salsa', from);
    return claims.find(({ claim }) => claim.startsWith('every length: open'))!;
  };

  it.each(['chacha long scalar', 'chacha long relaxed', 'salsa long swizzle'])(
    'of %s, changed at one length, is refuted',
    (name) => {
      expect(() => open(name, secretsFrom).prove()).not.toThrow();
      expect(() => open(name, (length) => (length === 6007 ? STAGE : secretsFrom(length))).prove()).toThrow(Failure);
    },
  );

  it('is where sets begin, for a message that has any', () => {
    expect(() => open('chacha long relaxed', (length) => (length === 6007 ? SETS + 1024 : SETS)).prove()).toThrow(
      'is not wiped by the caller',
    );
  });
});

/** The nodes of a function that could end it, or take less time, before it has seen every byte. */
function shortcuts(file: string, name: string, afterLoop = false): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = source.statements.find(
    (statement): statement is ts.FunctionDeclaration =>
      ts.isFunctionDeclaration(statement) && statement.name?.text === name,
  )!;
  const loops = found.body!.statements.filter((statement) => ts.isForStatement(statement));
  expect(loops).toHaveLength(1);
  const kinds: string[] = [];
  const visit = (node: ts.Node): void => {
    const isShort =
      ts.isReturnStatement(node) ||
      ts.isBreakOrContinueStatement(node) ||
      ts.isIfStatement(node) ||
      ts.isThrowStatement(node) ||
      ts.isConditionalExpression(node) ||
      ts.isCallExpression(node) ||
      (ts.isBinaryExpression(node) && ['&&', '||', '??'].includes(node.operatorToken.getText()));
    if (isShort) kinds.push(node.getText());
    ts.forEachChild(node, visit);
  };
  const [loop] = loops;
  // How often the loop runs depends on a number alone.
  expect(loop.condition!.getText()).toMatch(/^i <=? (length|BLOCK_BYTES)$/);
  visit(loop.statement);
  if (afterLoop) for (const statement of found.body!.statements) if (statement !== loop) visit(statement);
  return kinds;
}

describe('comparers look at every byte', () => {
  const library = join(import.meta.dirname, '../../lanewise/src');
  it('equalBytes', () => {
    expect(shortcuts(join(library, 'calls/bytes.ts'), 'equalBytes')).toEqual([]);
  });
  it('the padding of CBC', () => {
    expect(shortcuts(join(library, 'serpent/blocks.ts'), 'paddingAt', true)).toEqual(['return count & ~wrong;']);
  });
});
