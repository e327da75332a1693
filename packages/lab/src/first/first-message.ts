/** The exports of a room's `first-message.ts`: programs that import a library and make one call, the first of their process. */
export interface FirstMessage {
  readonly primitive: string;
  /** The fate of the message: sealed, hashed. */
  readonly done: string;
  /** By library: an ES module, for a message of so many bytes. The library's name is the last part of what it imports from. */
  readonly programs: Readonly<Record<'lanewise' | 'noble', (length: number) => string>>;
}
