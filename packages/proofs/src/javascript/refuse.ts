// Refuses syntax that the text must not contain.
import type ts from 'typescript';
import { Failure } from '../claims/claim.ts';

/** The line of a node, counted from 1 as in editors. */
export function lineOf(node: ts.Node): number {
  const file = node.getSourceFile();
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

/** Thrown for syntax that is not in the white-list. */
export class Refused extends Failure {}

export function refuse(node: ts.Node, what: string): never {
  const [text] = node.getText().split('\n');
  throw new Refused(`line ${lineOf(node)}: ${what} is outside the language of the generated text: ${text}`);
}
