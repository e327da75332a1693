/** Why a program of others failed. */

/**
 * In one line, which is never empty: some of the lines that the program wrote to standard error, or if it wrote none, the first of
 * the error's message, which ends with a line break then; and the signal that ended it, as at the end of its time.
 */
export function failureOf(error: unknown, from: number, to?: number): string {
  const { stderr, message, signal } = error as { stderr?: string; message?: string; signal?: string | null };
  const lines = (text: string | undefined): string[] => text?.split('\n').filter((line) => line.trim() !== '') ?? [];
  const said = lines(stderr).slice(from, to).join(' ') || lines(message)[0] || String(error);
  return signal ? `${said} (ended by ${signal})` : said;
}
