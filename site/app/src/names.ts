/** Names of files, which anybody may have chosen: as they are shown, and as results are saved. */

/** Controls, and invisible formats: one of these turns the direction of the text after it, so that `exe` may look like `pdf`. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export const shown = (name: string): string => name.replaceAll(UNSEEN, '\ufffd');
export const savedAs = (name: string): string => name.replaceAll(UNSEEN, '_');
