/** `lanewise hash` of objects, by the workers of a queue. */
import type { HashOptions as ClusterHashOptions } from '@lanewise/cluster';
import { UsageError } from '../command.ts';
import { frameOf } from '../hash/checkfile.ts';
import type { HashOptions, QueueHash } from '../hash/options.ts';
import { print, printable, printableOnTerminal, say } from '../terminal.ts';
import { follow, withCluster } from './follow.ts';
import type { Queue } from './queue.ts';
import { isAboutArgument, reasonFor } from './library.ts';

const WHO = 'lanewise hash';
/** So many objects are in the queue at a time: the next ones keep the workers busy when one ends. */
const TOGETHER = 16;
/** Output goes through the queue. */
const MOST_OUTPUT = 65_536n;
const MOST_SEEK = 2n ** 50n;

function wanted({ context, seek, length }: HashOptions, { keyId, leafBytes }: QueueHash) {
  if (length < 1n || length > MOST_OUTPUT)
    throw new UsageError(`--length takes an integer from 1 to ${MOST_OUTPUT} with --queue, not ${length}`);
  if (seek > MOST_SEEK) throw new UsageError(`--seek takes an integer up to 2^50 with --queue, not ${seek}`);
  return {
    ...(keyId !== undefined && { keyId }),
    ...(context !== undefined && { context }),
    ...(leafBytes !== undefined && { leafBytes }),
    ...(length !== 32n && { dkLen: Number(length) }),
    ...(seek !== 0n && { seek: Number(seek) }),
  } satisfies ClusterHashOptions;
}

/** The line of a checksum, as that of a file; raw bytes without a name. */
export function shownHash(name: string, hash: Uint8Array, form: HashOptions['form']): string | Uint8Array {
  if (form === 'raw') return hash;
  const hex = Buffer.from(hash).toString('hex');
  if (form === 'bare') return `${hex}\n`;
  const { before, after } = frameOf(name, form === 'tagged', printableOnTerminal);
  return `${before}${hex}${after}`;
}

/** Says why an object could not be hashed. Returns the exit code: 2 for arguments that cannot be meant. */
function complain(url: string, error: unknown, queue: Queue): number {
  say(WHO, reasonFor(url, error, queue));
  return isAboutArgument(error) ? 2 : 1;
}

/** Puts the work into the queue, and prints the ids. */
async function detach(urls: readonly string[], options: HashOptions, remote: QueueHash): Promise<number> {
  const work = wanted(options, remote);
  return await withCluster(remote.queue, async (cluster) => {
    let status = 0;
    for (const source of urls) {
      try {
        const id = await cluster.submit({ kind: 'blake3', source, options: work });
        await print(`${id}  ${printableOnTerminal(source)}\n`);
      } catch (error) {
        status = Math.max(status, complain(source, error, remote.queue));
      }
    }
    return status;
  });
}

export async function hashObjects(options: HashOptions, remote: QueueHash): Promise<number> {
  const urls = options.files.map(({ text }) => text);
  if (remote.detach) return await detach(urls, options, remote);
  const work = wanted(options, remote);
  const name = urls.length === 1 ? printable(urls[0]) : `${urls.length} objects`;
  return await follow(
    WHO,
    name,
    remote.queue,
    'cancelled; what another caller had asked for before goes on',
    async ({ cluster, signal, following, quiet }) => {
      let status = 0;
      const begun: Promise<Uint8Array>[] = [];
      for (const [i, url] of urls.entries()) {
        for (let next = begun.length; next < Math.min(urls.length, i + TOGETHER); next++) {
          const output = cluster.blake3(urls[next], { ...work, ...following() }).then(({ hash }) => hash);
          // It is waited for in its turn.
          output.catch(() => undefined);
          begun.push(output);
        }
        try {
          const line = shownHash(url, await begun[i], options.form);
          quiet();
          await print(line);
        } catch (error) {
          // Nothing more is tried after a signal.
          signal.throwIfAborted();
          quiet();
          status = Math.max(status, complain(url, error, remote.queue));
        }
      }
      return status;
    },
  );
}
