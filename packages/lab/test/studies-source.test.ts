/** The sources of the pages: no sentence has a number of its own, also in branches that today's results do not take. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { strayDigit } from '../src/studies/prose.ts';

const folder = join(import.meta.dirname, '../src/studies');
const WRITERS = new Set(['paragraph', 'bullets', 'heading', 'table']);

/** The texts that reach a page without a value: parts of `say` templates, and strings that are given to the writers of a page. */
function textsIn(source: ts.SourceFile): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node, written: boolean): void => {
    if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag)) {
      if (node.tag.text === 'say') {
        const { template } = node;
        if (ts.isNoSubstitutionTemplateLiteral(template)) texts.push(template.text);
        else texts.push(template.head.text, ...template.templateSpans.map(({ literal }) => literal.text));
      }
      ts.forEachChild(node, (child) => visit(child, false));
      return;
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const writes = WRITERS.has(node.expression.text);
      for (const argument of node.arguments) visit(argument, writes);
      return;
    }
    if (written && (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))) texts.push(node.text);
    // Keys, comparisons and elements of other objects are no text of the page.
    const through = ts.isArrayLiteralExpression(node) || ts.isSpreadElement(node) || ts.isConditionalExpression(node);
    ts.forEachChild(node, (child) => visit(child, written && through));
  };
  visit(source, false);
  return texts;
}

const parsed = (name: string, text: string): ts.SourceFile =>
  ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

test('there is text, and none of it has a digit', () => {
  const texts = files.flatMap((name) =>
    textsIn(parsed(name, readFileSync(join(folder, name), 'utf8'))).map((text) => ({ name, text })),
  );
  expect(texts.length).toBeGreaterThan(100);
  const wrong = texts.filter(({ text }) => strayDigit(text) !== undefined);
  expect(wrong).toEqual([]);
});

test('digits are found wherever a page takes text from', () => {
  const found = (code: string): (string | undefined)[] =>
    textsIn(parsed('page.ts', code)).map((text) => strayDigit(text));
  expect(found('say`It is 3 times ${value} and 4`')).toEqual(['3', '4']);
  expect(found("paragraph(often ? 'Once.' : 'About 5 times.')")).toEqual([undefined, '5']);
  expect(found("table(['a', '6 B'], [['7', x]])")).toEqual([undefined, '6', '7']);
  expect(found("heading('Chunks of 8', 3)")).toEqual(['8']);
  expect(found("paragraph(say`x ${given(64, '§2')}`)").filter(Boolean)).toEqual([]);
});
