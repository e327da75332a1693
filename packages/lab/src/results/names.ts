/**
 * Names of processors, engines, contests and cases. Anybody can send a result, and its names become parts of pages: so they consist of
 * characters that aren't markup in Markdown, HTML, templates or terminals.
 */

const OTHERS = /[^A-Za-z0-9 .,:()@+'/-]+/g;
/** Markdown makes links of these without a bracket; `www.` is one on GitHub (GitHub Flavored Markdown §6.9). */
const ADDRESS = /\/\/|\S@\S|\bwww\./i;

export const isName = (text: string): boolean => text.replaceAll(OTHERS, '') === text && !ADDRESS.test(text);

/** A text that a system or a program calls itself, with blanks for the characters that no name may have. */
export const asName = (text: string): string =>
  text
    .replaceAll(OTHERS, ' ')
    .replaceAll('//', '/ ')
    .replaceAll(/(?<=\S)@(?=\S)/g, ' ')
    .replaceAll(/\bwww\./gi, 'www ')
    .trim() || 'unknown';

/** Names of files with results, as the pages show them. */
export const isFileName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9.+-]*$/.test(text);

/** Line ends and tabs stay; other controls, and characters that change the direction of a line, become signs. */
const CONTROLS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text of a result or of an engine, for a terminal or a page: nothing in it moves the cursor or reorders a line. */
export const printable = (text: string): string => text.replaceAll(CONTROLS, '\ufffd');
