/** How objects are named to people. */

/** A URL of a job, which anybody may have written, without user and password. */
export const shownUrl = (url: string): string => url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1***@');
