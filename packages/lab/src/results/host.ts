/** Facts about this machine and the sources for a result: no host name, no user, no path. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { lab, versionOf } from '../host.ts';
import { asName } from './names.ts';
import { processorIn } from './processor.ts';
import { SCHEMA, type Header, type Host } from './schema.ts';

/** Features of the processor that affect compilers of WebAssembly and native rivals. */
const TELLING =
  /^(hypervisor|sse[0-9_]+|ssse3|avx[0-9_a-z]*|aes|vaes|pclmulqdq|vpclmulqdq|sha_ni|bmi[12]|adx|gfni|neon|asimd|sha[0-9]+|sve[0-9]*)$/;

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // Linux only
  }
}

function allFlags(): string[] {
  const line = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(contentOf('/proc/cpuinfo') ?? '')?.[1] ?? '';
  return line.split(/\s+/).filter((flag) => TELLING.test(flag));
}

/** Windows has no load average, and Node reports 0. */
export const load = (): number | undefined => (process.platform === 'win32' ? undefined : loadavg()[0]);

export function thisHost(): Host {
  const flags = allFlags();
  const governor = contentOf('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor')?.trim();
  const processor = processorIn(contentOf('/proc/cpuinfo') ?? '');
  const loadBefore = load();
  return {
    cpu: asName(cpus()[0]?.model ?? ''),
    ...(processor && { processor }),
    flags: flags.filter((flag) => flag !== 'hypervisor').sort(),
    vcpus: availableParallelism(),
    architecture: process.arch,
    platform: process.platform,
    kernel: release(),
    memoryBytes: totalmem(),
    ...(loadBefore !== undefined && { loadBefore }),
    ...(governor !== undefined && { governor }),
    ...(flags.length > 0 && { virtual: flags.includes('hypervisor') }),
  };
}

function git(...words: string[]): string | undefined {
  try {
    return execFileSync('git', words, { cwd: lab, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined; // not a checkout, or no git
  }
}

/** The header of a run. */
export function beginning({ kind, seed, plan, command }: Pick<Header, 'kind' | 'seed' | 'plan' | 'command'>): Header {
  const startedAt = new Date().toISOString();
  const commit = git('rev-parse', 'HEAD');
  const changes = git('status', '--porcelain', '--untracked-files=no');
  return {
    schema: SCHEMA,
    id: startedAt.replaceAll(/[:.]/g, '-'),
    startedAt,
    lab: {
      version: versionOf('lanewise'),
      ...(commit !== undefined && { commit }),
      ...(changes !== undefined && { dirty: changes !== '' }),
    },
    host: thisHost(),
    kind,
    seed,
    plan,
    ...(command !== undefined && { command }),
  };
}
