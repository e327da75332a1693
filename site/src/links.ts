/** Links of a Markdown file of the repository: those to files are given to a function that says where they lead on the site. */
import { posix } from 'node:path';

/** A link of a Markdown file, apart from addresses of other hosts and links within the file. */
export interface Link {
  /** The file or folder in the repository, without the ending slash of a folder. */
  readonly target: string;
  /** With `#`, or empty. */
  readonly fragment: string;
  readonly isImage: boolean;
}

/** Fenced blocks, comments and code spans, which hold no links; then links and images whose addresses have no blanks. */
const PARTS =
  /^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1 *$|<!--[\s\S]*?-->|(`+)(?!`)[\s\S]*?[^`]\2(?!`)|(!?)(\[(?:[^[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)/gm;

/**
 * Replaces each link by the result of `lead`: the address, followed by the text after the closing bracket. Links within the file, to other hosts
 * and to pages that the site alone has (`/api/`) stay as they are.
 */
export function withLinks(text: string, file: string, lead: (link: Link) => string): string {
  const replace = (image: string, label: string, address: string): string => {
    const kept = `${image}${label}(${address})`;
    if (/^(?:[a-z][a-z\d+.-]*:|#|\/)/i.test(address)) return kept;
    const [path, ...fragment] = address.split('#');
    const target = posix.normalize(posix.join(posix.dirname(file), decodeURI(path))).replace(/\/$/, '');
    const link = { target, fragment: fragment.length > 0 ? `#${fragment.join('#')}` : '', isImage: image !== '' };
    return `${image}${label}${lead(link)}`;
  };
  return text.replaceAll(PARTS, (whole, _fence, _span, image?: string, label?: string, address?: string) =>
    label === undefined ? whole : replace(image ?? '', withLinks(label, file, lead), address!),
  );
}
