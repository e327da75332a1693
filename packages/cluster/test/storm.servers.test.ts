/** Everything fails at once: each task is right or ends with one clear error, and nothing is left over. */
import { Encrypter, generateIdentity, identityToRecipient } from '@lanewise/age';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytesFor } from './objects-on-disk.ts';
import { hasServer } from './servers/available.ts';
import { startFaultProxy } from './servers/fault-proxy.ts';
import { temporaryFolder } from './servers/process.ts';
import { startRedis } from './servers/redis.ts';
import { startS3 } from './servers/s3.ts';
import { storm } from './storm.ts';

/** 100 runs are for a long evening: `LANEWISE_STORMS=100 npm run test:cluster -- -t storm`. */
const STORMS = Number(process.env['LANEWISE_STORMS'] ?? 2);

/** Errors that name the fault: a store that fails again and again, or workers that die again and again. */
const CLEAR = [
  /^Error: (ObjectError: )?s3:\/\/\S+: .*, \d+ times in a row$/,
  /^Error: the workers of one of its jobs died or hung 6 times, and the job may be the cause$/,
];

test.skipIf(!hasServer('redis-server') || !hasServer('versitygw'))(
  'works are right through a storm, or end with one clear error',
  async () => {
    const folder = temporaryFolder();
    const identityFile = join(folder.path, 'identity.txt');
    const [identity, own] = [await generateIdentity(), await generateIdentity()];
    writeFileSync(identityFile, `${own}\n`);
    const [redis, s3] = await Promise.all([startRedis(), startS3()]);
    const proxy = await startFaultProxy(s3.endpoint);
    const large = bytesFor('large', 17 * 2 ** 20);
    const recipients = [await identityToRecipient(identity)];
    const encrypter = new Encrypter();
    for (const recipient of recipients) encrypter.addRecipient(recipient);
    await s3.put('large', large);
    await s3.put('large.age', new Uint8Array(await encrypter.encrypt(large)));
    const place = {
      redis,
      s3,
      proxy,
      identity,
      identityFile,
      recipients,
      large,
      given: { plain: `s3://${s3.bucket}/large`, sealed: `s3://${s3.bucket}/large.age` },
      objects: { ...s3.options, endpoint: proxy.url, timeout: 2000, attempts: 4 },
      workers: [await identityToRecipient(own)],
    };
    const tally = new Map<string, number>();
    const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1);
    const unclear: string[] = [];
    try {
      for (let run = 0; run < STORMS; run++) {
        const { faults, ends, left } = await storm(place, `storm-${run}`, run);
        for (const fault of faults) count(fault);
        for (const [kind, end] of Object.entries(ends)) {
          count(end === 'right' ? `${kind}: right` : `${kind}: ${end.replaceAll(`storm-${run}/`, '')}`);
          if (end !== 'right' && !CLEAR.some((each) => each.test(end))) unclear.push(`${run}: ${kind}: ${end}`);
        }
        unclear.push(...left.map((each) => `${run}: left: ${each}`));
        console.log(
          `storm ${run}: ${JSON.stringify(ends)} after ${faults.join(', ')}${left.map((each) => `; left: ${each}`).join('')}`,
        );
      }
    } finally {
      await proxy.stop();
      await Promise.all([redis.stop(), s3.stop()]);
      folder.remove();
    }
    console.log(
      `${STORMS} storms:\n${[...tally]
        .map(([what, times]) => `${times} × ${what}`)
        .sort()
        .join('\n')}`,
    );
    expect(unclear).toEqual([]);
  },
  7_200_000,
);
