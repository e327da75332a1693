/**
 * The health line of a worker, on request: `GET /health` on a port, of loopback unless another address is given. A port, and not a signal,
 * because a request has an answer, also in containers, where the orchestrator asks from outside or by a program within, and on Windows.
 */
import type { Health } from '@lanewise/cluster';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../command.ts';
import type { HealthAddress } from './worker-options.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';

/** Answers 200 while the worker takes jobs, otherwise 503, with one line of JSON. Returns the address and a function that ends it. */
export async function answerHealth(
  { host, port }: HealthAddress,
  health: () => Health,
): Promise<{ readonly url: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    request.resume();
    const known = request.url === '/health';
    const allowed = request.method === 'GET' || request.method === 'HEAD';
    if (!known || !allowed) {
      response.writeHead(known ? 405 : 404, { 'content-type': 'text/plain' }).end('GET /health\n');
      return;
    }
    const now = health();
    response
      .writeHead(now.state === 'ready' ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(`${JSON.stringify(now)}\n`);
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Failure(`--health: ${host === '127.0.0.1' ? '' : `${host}, `}port ${port}: ${systemMessage(error)}`, {
      cause: error,
    });
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/health`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
