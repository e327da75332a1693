/** A proxy in front of redis-server with the faults of networks and busy servers. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface RedisProxy {
  readonly url: string;
  /** Bytes sent over the current connections go nowhere, in both directions; new ones work. */
  swallow(): void;
  /** Every command is answered by this error, until it is called without one. */
  refuse(message?: string): void;
  stop(): Promise<void>;
}

/** A command that no server knows: its answer comes in order, and is replaced. */
const NOTHING = 'LANEWISE-NOTHING';

/** Where a command ends that begins here, and its name; undefined if it has not come whole. */
function commandAt(text: string, from: number): { end: number; name: string } | undefined {
  const line = (at: number): { value: number; end: number } | undefined => {
    const end = text.indexOf('\r\n', at);
    return end < 0 ? undefined : { value: Number(text.slice(at + 1, end)), end: end + 2 };
  };
  const head = line(from);
  if (!head) return undefined;
  let at = head.end;
  let name = '';
  for (let i = 0; i < head.value; i++) {
    const bulk = line(at);
    if (!bulk || text.length < bulk.end + bulk.value + 2) return undefined;
    if (i === 0) name = text.slice(bulk.end, bulk.end + bulk.value).toUpperCase();
    at = bulk.end + bulk.value + 2;
  }
  return { end: at, name };
}

export async function startRedisProxy(port: number): Promise<RedisProxy> {
  const sockets = new Set<Socket>();
  const swallowed = new WeakSet<Socket>();
  let refusal: string | undefined;
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    let sent = '';
    let inTransaction = false;
    client.on('data', (data) => {
      if (swallowed.has(client)) return;
      sent += data.toString('latin1');
      let forward = '';
      let at = 0;
      for (let command; (command = commandAt(sent, at)); at = command.end) {
        const { name, end } = command;
        const refused = refusal !== undefined && !inTransaction;
        forward += refused ? `*1\r\n$${NOTHING.length}\r\n${NOTHING}\r\n` : sent.slice(at, end);
        if (!refused && /^(MULTI|EXEC|DISCARD)$/.test(name)) inTransaction = name === 'MULTI';
      }
      sent = sent.slice(at);
      upstream.write(forward, 'latin1');
    });
    upstream.on('data', (data) => {
      if (swallowed.has(client)) return;
      const text = data.toString('latin1');
      const shown = text.replaceAll(
        /-ERR unknown command [^\r]*LANEWISE-NOTHING[^\r]*\r\n/g,
        () => `-${refusal ?? 'LOADING Redis is loading the dataset in memory'}\r\n`,
      );
      client.write(shown, 'latin1');
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => {
      if (!swallowed.has(client)) client.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallow() {
      for (const socket of sockets) swallowed.add(socket);
    },
    refuse(message) {
      refusal = message;
    },
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
