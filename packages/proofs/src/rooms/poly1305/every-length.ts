// Claims about Poly1305's functions at every length that a call may have. RFC 8439 §2.5
import { KEY, STAGE, STAGE_BYTES, STATE, TAG } from '../../../../lanewise/src/poly1305/map.ts';
import type { Claim } from '../../claims/claim.ts';
import type { Kernel } from '../../kernels.ts';
import {
  atEveryLength,
  decoded,
  functionIn,
  lastParts,
  merged,
  textAt,
  type Setting,
} from '../keystream/at-every-length.ts';
import { calleesOf } from '../keystream/every-length.ts';
import { absorbInduction } from '../keystream/mac-induction.ts';

const TAG_BYTES = 16;
const NONE = -1;

function settingOf(kernel: Kernel): Setting {
  const module = decoded(kernel);
  const [absorb] = calleesOf(functionIn(module, 'absorb'));
  const finishMac = calleesOf(functionIn(module, 'finish')).at(-1)!;
  const startMac = functionIn(module, 'start').index;
  const leaves = { start: NONE, blocks: [], startMac, absorb, finishMac, verify: NONE, woven: undefined };
  return { kernel, module, leaves, mac: STATE, macKey: STATE + KEY };
}

/** The tag of a message, or of its last bytes. */
function proveTag(setting: Setting, name: 'mac' | 'finish'): void {
  atEveryLength(setting, STAGE_BYTES, (sealing, length, c) => {
    if (name === 'finish') sealing.absorbing();
    sealing.outline.call(name, length);
    sealing.expectAbsorbed(merged(sealing, c, lastParts(c, textAt(STAGE), length)), sealing.tagged, name);
    sealing.memory.expect(TAG, TAG + TAG_BYTES, { kind: 'tag', delta: c.sub(0, TAG) }, 'tag');
    const end = c.add(STAGE, length);
    sealing.memory.expect(TAG + TAG_BYTES, end, { kind: 'before', delta: 0 }, 'the message');
    const padded = c.add(STAGE, c.and(c.add(length, 15), -16 >>> 0));
    sealing.memory.expect(padded, setting.kernel.memoryBytes, { kind: 'before', delta: 0 }, 'behind the padding');
  });
}

function proveAbsorb(setting: Setting): void {
  atEveryLength(setting, STAGE_BYTES / 16, (sealing, blocks, c) => {
    sealing.absorbing().outline.call('absorb', blocks);
    const expected = [{ from: 0, to: c.mul(16, blocks), content: textAt(STAGE), top: 1 }];
    sealing.expectAbsorbed(expected, sealing.absorbed, 'absorb');
    sealing.expectKept(0, 0);
  });
}

export function poly1305EveryLength(kernel: Kernel): Claim[] {
  const claim = (text: string, prove: (setting: Setting) => void): Claim => ({
    kernel: kernel.name,
    claim: text,
    prove: () => {
      prove(settingOf(kernel));
    },
  });
  return [
    claim('induction: Poly1305, any number of blocks at any address', ({ leaves }) => {
      for (const top of [0, 1] as const) absorbInduction(kernel, leaves.absorb, STATE, top);
    }),
    claim(`every length: mac and finish, 0 to ${STAGE_BYTES} bytes; absorb, as many in blocks`, (setting) => {
      proveTag(setting, 'mac');
      proveTag(setting, 'finish');
      proveAbsorb(setting);
    }),
  ];
}
