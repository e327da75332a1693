// The refusal of everything that the text must not contain.
import type ts from 'typescript';
import { Failure } from '../claims/claim.ts';

/** Counted from 1, as editors do. */
export function lineOf(node: ts.Node): number {
  const file = node.getSourceFile();
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

/** Syntax that is outside the white-list. */
export class Refused extends Failure {}

export function refuse(node: ts.Node, what: string): never {
  const [text] = node.getText().split('\n');
  throw new Refused(`line ${lineOf(node)}: ${what} is outside the language of the generated text: ${text}`);
}
