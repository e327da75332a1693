/** The comparisons of tests, and the files that they use. */

export function expect(what: string, got: unknown, expected: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(expected))
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
}

export function expectText(what: string, got: string, expected: RegExp): void {
  if (!expected.test(got)) throw new Error(`${what}: expected ${String(expected)}, got ${JSON.stringify(got)}`);
}

/** A file whose bytes depend on their place. */
export function sample(name: string, size: number): File {
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = Math.imul(i, 2654435761) >>> 24;
  return new File([bytes], name);
}

/** The SHA-256 of a file in hexadecimal. */
export async function sha256(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A test in the page. It throws if something is wrong, and may give a note for the report. */
export interface Test {
  readonly name: string;
  /** The browsers that can run it; by default all. */
  readonly in?: readonly string[];
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- most give no note
  test(): Promise<string | void>;
}
