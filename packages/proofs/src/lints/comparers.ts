/** The functions of JavaScript that compare secrets look at every byte, whatever they have seen. */
import ts from 'typescript';

/** What in the text of a function could end it, or take less time, before it has seen every byte. */
export function shortcuts(text: string, name: string, afterLoop = false): string[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const found = source.statements.find(
    (statement): statement is ts.FunctionDeclaration =>
      ts.isFunctionDeclaration(statement) && statement.name?.text === name,
  )!;
  const loops = found.body!.statements.filter((statement) => ts.isForStatement(statement));
  if (loops.length !== 1) return [`${loops.length} loops`];
  const shorts: string[] = [];
  const visit = (node: ts.Node): void => {
    const isShort =
      ts.isReturnStatement(node) ||
      ts.isBreakOrContinueStatement(node) ||
      ts.isIfStatement(node) ||
      ts.isThrowStatement(node) ||
      ts.isConditionalExpression(node) ||
      ts.isCallExpression(node) ||
      (ts.isBinaryExpression(node) && ['&&', '||', '??'].includes(node.operatorToken.getText()));
    if (isShort) shorts.push(node.getText());
    ts.forEachChild(node, visit);
  };
  const [loop] = loops;
  // How often the loop runs depends on a number alone.
  if (!/^i <=? (length|BLOCK_BYTES)$/.test(loop.condition!.getText())) shorts.push(loop.condition!.getText());
  visit(loop.statement);
  if (afterLoop) for (const statement of found.body!.statements) if (statement !== loop) visit(statement);
  return shorts;
}
