/** Ports of commands that build and then serve: whether they are free is known before anything is built. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** An argument or a port that cannot be used: one line is enough. */
class PortError extends Error {}

/**
 * The ports of a command, by their options: `--port`, or PORT in the environment; `--app-port`, or APP_PORT.
 *
 * @throws Error if an option is none of these, or not a port.
 */
export function portsOf<Name extends string>(
  given: readonly string[],
  usual: Readonly<Record<Name, number>>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<Name, number> {
  const names = Object.keys(usual) as Name[];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  let values: Partial<Record<string, string | boolean>>;
  try {
    ({ values } = parseArgs({ args: [...given], options }));
  } catch (error) {
    throw new PortError((error as Error).message);
  }
  const entries = names.map((name) => {
    const text = (values[name] as string | undefined) ?? environment[name.toUpperCase().replaceAll('-', '_')];
    if (text === undefined) return [name, usual[name]] as const;
    if (!/^\d{1,5}$/.test(text) || Number(text) > 65535)
      throw new PortError(`"--${name}" expected a port from 0 to 65535, got "${text}"`);
    return [name, Number(text)] as const;
  });
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** Throws unless the port can be had: by binding it for a moment. */
export async function checkFree(name: string, port: number, command: string): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'in use' : `not to be had (${code})`;
    throw new PortError(`port ${port} is ${why}; \`${command} -- --${name} ${port + 10}\` takes another`);
  }
  await new Promise((resolve) => server.close(resolve));
}

/** As `npm run build`, which leaves unchanged packages. */
export function buildLibrary(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: join(import.meta.dirname, '../..'), stdio: 'inherit' });
}

/** Checks the ports, then builds and serves. A port that cannot be had is one line. */
export async function servePorts<Name extends string>(
  command: string,
  usual: Readonly<Record<Name, number>>,
  serve: (ports: Readonly<Record<Name, number>>) => Promise<void>,
): Promise<void> {
  try {
    const ports = portsOf(process.argv.slice(2), usual, process.env);
    for (const name of Object.keys(usual) as Name[]) if (ports[name] !== 0) await checkFree(name, ports[name], command);
    await serve(ports);
  } catch (error) {
    if (!(error instanceof PortError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
