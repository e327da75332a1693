/** Changes of single values in package.json and pnpm-workspace.yaml, which leave all else in these files as it is. */
import { applyEdits, modify, parseTree, findNodeAtLocation, getNodeValue, type FormattingOptions } from 'jsonc-parser';
import { isMap, parseDocument } from 'yaml';

export interface Edit {
  /** The file, from the root. */
  readonly file: string;
  /** The keys that lead to the value. */
  readonly path: readonly string[];
  readonly value: string;
  /** The value before, if there was one. */
  readonly before?: string;
}

const isYaml = (file: string): boolean => file.endsWith('.yaml');

/** How a text is indented. */
function formatOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function setIn(file: string, text: string, path: readonly string[], value: string | undefined): string {
  if (!isYaml(file)) return applyEdits(text, modify(text, [...path], value, { formattingOptions: formatOf(text) }));
  const document = parseDocument(text);
  if (document.errors.length > 0) throw new Error(`${file} is not YAML: ${document.errors[0].message}`);
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, value);
  return document.contents === null || (isMap(document.contents) && document.contents.items.length === 0)
    ? ''
    : document.toString({ lineWidth: 0 });
}

/** The value at a path of a file, if there is one. */
export function valueIn(file: string, text: string, path: readonly string[]): unknown {
  if (isYaml(file)) {
    const value = parseDocument(text).getIn(path);
    return isMap(value) ? (value.toJSON() as unknown) : value;
  }
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, [...path]);
  return node && (getNodeValue(node) as unknown);
}

/** The text of a file after the edits that are for it. */
export const applied = (file: string, text: string, edits: readonly Edit[]): string =>
  edits.filter((edit) => edit.file === file).reduce((its, { path, value }) => setIn(file, its, path, value), text);

/** The text of a file without the edits that are for it. A value that was edited since stays. */
export function withdrawn(file: string, text: string, edits: readonly Edit[]): string {
  let its = text;
  for (const { path, value, before } of edits.filter((edit) => edit.file === file)) {
    if (valueIn(file, its, path) !== value) continue;
    its = setIn(file, its, path, before);
    // Objects that hold nothing any more go, too.
    for (let length = path.length - 1; before === undefined && length > 0; length--) {
      const parent = valueIn(file, its, path.slice(0, length));
      if (typeof parent !== 'object' || parent === null || Object.keys(parent).length > 0) break;
      its = setIn(file, its, path.slice(0, length), undefined);
    }
  }
  return its;
}
