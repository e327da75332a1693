/** TypeScript on files of the tests, with the options of the package. */
import { dirname, join } from 'node:path';
import ts from 'typescript';

export const root = join(import.meta.dirname, '../../');

function optionsOf(file: string): ts.CompilerOptions {
  const read = ts.readConfigFile(file, (path) => ts.sys.readFile(path));
  if (read.error) throw new Error(ts.flattenDiagnosticMessageText(read.error.messageText, '\n'));
  return ts.parseJsonConfigFileContent(read.config, ts.sys, dirname(file)).options;
}

/** A program of files; those in `texts` need not exist. */
export function program(files: readonly string[], texts: ReadonlyMap<string, string> = new Map()): ts.Program {
  // No state is kept from one program to the next.
  const options = { ...optionsOf(join(root, 'tsconfig.json')), incremental: false };
  const host = ts.createCompilerHost(options);
  return ts.createProgram([...files], options, {
    ...host,
    fileExists: (file) => texts.has(file) || host.fileExists(file),
    readFile: (file) => texts.get(file) ?? host.readFile(file),
    getSourceFile: (file, ...rest) => {
      const text = texts.get(file);
      return text === undefined ? host.getSourceFile(file, ...rest) : ts.createSourceFile(file, text, rest[0]);
    },
  });
}

/** TypeScript's errors in a file of a program, a line each. */
export function errorsOf(from: ts.Program, file: string): string[] {
  const source = from.getSourceFile(file);
  if (!source) throw new Error(`${file} is no file of the program`);
  return ts.getPreEmitDiagnostics(from, source).map(({ start = 0, messageText }) => {
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
