/** The description of this browser and this machine in a result, as far as a page can know it. */
import type { HelloMessage, Plan, Task } from '../client/messages.ts';
import { SCHEMA, type EngineRecord, type Header } from '../results/schema.ts';

/** Defined by the bundler. */
declare const LANEWISE_VERSION: string;

interface MoreNavigator {
  readonly deviceMemory?: number;
  readonly userAgentData?: { readonly platform?: string };
}

const UNKNOWN = 'unknown';

export function headerOf(kind: Task['kind'], seed: number, plan: Plan): Header {
  const startedAt = new Date().toISOString();
  const { deviceMemory, userAgentData } = navigator as MoreNavigator;
  return {
    schema: SCHEMA,
    id: startedAt.replaceAll(/[:.]/g, '-'),
    startedAt,
    lab: { version: LANEWISE_VERSION },
    host: {
      cpu: UNKNOWN,
      flags: [],
      vcpus: navigator.hardwareConcurrency || 0,
      architecture: UNKNOWN,
      platform: userAgentData?.platform || platformIn(navigator.userAgent),
      kernel: UNKNOWN,
      memoryBytes: (deviceMemory ?? 0) * 2 ** 30,
    },
    kind,
    seed,
    plan: { ...plan, rounds: [...plan.rounds] },
  };
}

function platformIn(agent: string): string {
  const names = ['Android', 'iPhone', 'iPad', 'Mac OS X', 'Windows', 'CrOS', 'Linux', 'FreeBSD', 'OpenBSD'];
  return names.find((name) => agent.includes(name)) ?? UNKNOWN;
}

/** The first match decides, because most browsers also contain the names of others. */
const browsers = [
  ['edge', 'Edge', /Edg\/([\d.]+)/],
  ['opera', 'Opera', /OPR\/([\d.]+)/],
  ['firefox', 'Firefox', /Firefox\/([\d.]+)/],
  ['chromium', 'Chromium', /(?:Headless)?Chrom(?:e|ium)\/([\d.]+)/],
  ['webkit', 'WebKit', /Version\/([\d.]+).*Safari/],
  ['webkit', 'WebKit', /AppleWebKit\/([\d.]+)/],
] as const;

export function engineOf({ userAgent, notes }: HelloMessage): EngineRecord {
  const common = {
    arguments: [],
    environment: {},
    preferences: {},
    remarks: ['Measured by its user, in a page.', ...notes],
  };
  for (const [id, name, pattern] of browsers) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return { id, name, version, ...common };
  }
  return { id: 'browser', name: 'Browser', version: '0', ...common };
}
