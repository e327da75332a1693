/** Native code: `@lanewise/native`, which npm installs with this package where it can. Each thread that works loads it for itself. */

/** In the words of Node and of Bun: other messages are of a package that is there, and broken. */
const NOT_INSTALLED = /^Cannot find (?:package|module) ['"]@lanewise\/native['"]/;

/**
 * Loads it in this thread. Where that fails, the work goes on in WebAssembly.
 *
 * @returns why a package that is installed cannot be loaded.
 */
export async function loadNative(): Promise<string | undefined> {
  try {
    await import('@lanewise/native');
    return undefined;
  } catch (error) {
    // A package can throw anything.
    const [line] = String((error as Error | undefined)?.message ?? error).split('\n', 1);
    if (NOT_INSTALLED.test(line)) return undefined;
    const reason = `@lanewise/native cannot be loaded: ${line}`;
    // Callers that submit works load this file as well, and need no engine.
    const { offerNative } = await import('lanewise/engine.js');
    offerNative({ reason });
    return reason;
  }
}
