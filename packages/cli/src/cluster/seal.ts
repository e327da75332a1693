/** `lanewise encrypt` and `decrypt` of objects, by the workers of a queue. */
import { checkRecipient } from '../age/keys.ts';
import type { QueueSeal } from '../age/options.ts';
import { Failure, UsageError } from '../command.ts';
import { print, printable } from '../terminal.ts';
import { follow, withCluster, type Following } from './follow.ts';
import { isAboutArgument, reasonFor } from './library.ts';

/** Whose file it is. */
export type Keys =
  | { readonly kind: 'encrypt'; readonly recipients: readonly string[] }
  | { readonly kind: 'decrypt'; readonly identities: readonly string[] };

export async function sealObject(who: string, remote: QueueSeal, keys: Keys): Promise<number> {
  const { queue, source, target, partChunks, detach } = remote;
  const workers = remote.workers.map((recipient) => checkRecipient(recipient, '--worker-recipient'));
  const common = { workers, ...(partChunks !== undefined && { partChunks }) };
  if (detach) {
    const id = await withCluster(queue, (cluster) =>
      keys.kind === 'encrypt'
        ? cluster.submit({ kind: 'encrypt', source, target, options: { recipients: keys.recipients, ...common } })
        : cluster.submit({ kind: 'decrypt', source, target, options: { identities: keys.identities, ...common } }),
    );
    await print(`${id}\n`);
    return 0;
  }
  const farewell = `cancelled; ${printable(target)} is as it was`;
  await follow(who, printable(source), queue, farewell, async ({ cluster, following }) => {
    const running: Following = following();
    try {
      await (keys.kind === 'encrypt'
        ? cluster.encrypt(source, target, { recipients: keys.recipients, ...common, ...running })
        : cluster.decrypt(source, target, { identities: keys.identities, ...common, ...running }));
    } catch (error) {
      running.signal.throwIfAborted();
      const reason = reasonFor(source, error, queue, target);
      throw isAboutArgument(error) ? new UsageError(reason, { cause: error }) : new Failure(reason, { cause: error });
    }
  });
  return 0;
}
