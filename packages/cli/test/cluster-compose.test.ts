/** The example of Docker Compose: its YAML, and the arguments of its services. Docker itself is not run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { queueFrom } from '../src/cluster/queue.ts';
import { readWorkerOptions } from '../src/cluster/worker-options.ts';

const folder = join(import.meta.dirname, '../../../examples/cluster');

interface Service {
  readonly image: string;
  readonly command?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly deploy?: { readonly replicas: number };
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
}

const { services, volumes, secrets } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, unknown>>;
};

it('the queue keeps what is in it', () => {
  expect(services['valkey'].command).toContain('--maxmemory-policy noeviction');
  expect(services['valkey'].command).toContain('--appendonly yes');
});

it('there are two workers, and their options are right', () => {
  const { command, environment, deploy } = services['worker'];
  expect(deploy?.replicas).toBe(2);
  const [name, ...values] = command!.trim().split(/\s+/);
  expect(name).toBe('worker');
  const queue = ['--queue', environment!['LANEWISE_QUEUE']];
  expect(readWorkerOptions([...values, ...queue].map((text) => ({ text, path: text })))).toMatchObject({
    allow: ['s3://objects/'],
    allowWrite: ['s3://objects/'],
    identityFile: '/run/secrets/identity',
    health: { host: '127.0.0.1', port: 8080 },
  });
});

it('names of services, volumes, secrets and passwords fit together', () => {
  for (const [name, service] of Object.entries(services)) {
    for (const other of Object.keys(service.depends_on ?? {})) expect(services, name).toHaveProperty(other);
    for (const volume of service.volumes ?? []) expect(volumes, name).toHaveProperty(volume.split(':')[0]);
    for (const secret of service.secrets ?? []) expect(secrets, name).toHaveProperty(secret);
    // Only this machine reaches them.
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  }
  const { worker, lanewise, s3 } = services;
  expect(lanewise.environment).toEqual(worker.environment);
  const its = worker.environment!;
  expect(services).toHaveProperty(new URL(queueFrom({ queue: its['LANEWISE_QUEUE'] }).address).hostname);
  expect(services).toHaveProperty(new URL(its['AWS_ENDPOINT_URL_S3']).hostname);
  expect(its['AWS_ACCESS_KEY_ID']).toBe(s3.environment!['ROOT_ACCESS_KEY']);
  expect(its['AWS_SECRET_ACCESS_KEY']).toBe(s3.environment!['ROOT_SECRET_KEY']);
});

it('the guide has the same passwords', () => {
  const guide = readFileSync(join(folder, '../../docs/guide/cluster.md'), 'utf8');
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = services['worker'].environment!;
  expect(guide).toContain(`user = "${id}:${secret}"`);
  // Other users of a machine see command lines.
  expect(guide).not.toMatch(/--user |\s-u /);
});

it('the image installs what the command asks for', () => {
  const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8');
  for (const name of ['@lanewise/cli@', '@lanewise/cluster@', 'ioredis@']) expect(dockerfile).toContain(name);
});
