/** Saves a file of the page's memory by a link, as a click does. */
import { make } from '../elements.ts';

export function saveFile(file: File): void {
  const link = make('a', { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
