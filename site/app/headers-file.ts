/**
 * A file `_headers`, as Cloudflare Pages and Netlify read it: a path, maybe with `*` at its end, and below it `name: value`; `! name` takes
 * away what an earlier path has set. Our own servers send these headers, so the tests see the headers that are served.
 */

export type Headers = Readonly<Record<string, string>>;

interface Rule {
  readonly pattern: string;
  readonly lines: readonly string[];
}

const fits = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;

/** The headers of a file by its path, such as `/index.html`. */
export function headersIn(text: string): (path: string) => Headers {
  const rules: Rule[] = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const rule = rules.at(-1);
    if (!line.startsWith(' ')) rules.push({ pattern: line, lines: [] });
    else if (!rule) throw new Error(`_headers expected a path before "${line.trim()}"`);
    else rules[rules.length - 1] = { ...rule, lines: [...rule.lines, line.trim()] };
  }
  return (path) => {
    const found = new Map<string, string>();
    for (const { lines } of rules.filter(({ pattern }) => fits(pattern, path)))
      for (const line of lines) {
        const [, removed, name, value] = /^(?:! (\S+)|([^:\s]+): (.+))$/.exec(line) ?? [];
        if (removed !== undefined) found.delete(removed.toLowerCase());
        else if (name === undefined) throw new Error(`_headers expected "name: value", got "${line}"`);
        else found.set(name.toLowerCase(), value);
      }
    return Object.fromEntries(found);
  };
}

/** A rule of the file: `more` has names that are taken away before the headers are set. */
export const rule = (pattern: string, headers: Headers, removed: readonly string[] = []): string =>
  [
    pattern,
    ...removed.map((name) => `  ! ${name}`),
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
    '',
  ].join('\n');
