/** The form at the top of the page, which chooses contests. */
import type { Axis, ContestDescription, Kind } from '../client/messages.ts';
import { byId, element } from './elements.ts';

type PageKind = Extract<Kind, 'quick' | 'default'>;
export type Catalogues = Readonly<Record<PageKind, readonly ContestDescription[]>>;

const AXES: Readonly<Record<Exclude<Axis, 'studies'>, string>> = {
  platforms: 'side by side',
  direction: 'open and refuse',
  length: 'short and long',
  cold: 'cold starts',
  boundary: 'kernel and API',
  kernels: 'kernel variants',
  alignment: 'alignment',
  keys: 'many keys',
  many: 'many messages',
  streams: 'streams',
  context: 'in company',
  parallel: 'parallel',
};

export interface Chosen {
  readonly kind: PageKind;
  readonly sessions: number;
  readonly contests: readonly string[];
}

export interface Choice {
  read(): Chosen;
  /** The parameters of the page's address. */
  set(kind: string | null, only: string | null, sessions: string | null): void;
  disable(disabled: boolean): void;
}

const isKind = (value: unknown): value is PageKind => value === 'quick' || value === 'default';

function boxes(fieldset: string, items: readonly (readonly [value: string, text: string])[]): HTMLInputElement[] {
  return items.map(([value, text]) => {
    const input = element('input', { type: 'checkbox', value, checked: true });
    byId(fieldset).append(element('label', {}, input, text));
    return input;
  });
}

export function choiceOf(catalogues: Catalogues): Choice {
  const everything = catalogues.default.concat(catalogues.quick);
  const only = byId('only', HTMLInputElement);
  const sessions = byId('sessions', HTMLInputElement);
  const form = byId('choice', HTMLFormElement);
  // Contests about all primitives are chosen by their axis alone.
  const named = [...new Set(everything.map(({ primitive }) => primitive))].filter((name) => name !== 'all');
  const primitives = boxes(
    'primitives',
    named.map((name) => [name, name]),
  );
  const used = new Set(everything.map(({ axis }) => axis));
  const axes = boxes(
    'axes',
    Object.entries(AXES).filter(([axis]) => used.has(axis as Axis)),
  );

  const kind = (): PageKind => {
    const value = new FormData(form).get('kind');
    return isKind(value) ? value : 'quick';
  };
  const contests = (): readonly ContestDescription[] => {
    const off = (inputs: readonly HTMLInputElement[]): Set<string> =>
      new Set(inputs.filter(({ checked }) => !checked).map(({ value }) => value));
    const [withoutPrimitives, withoutAxes] = [off(primitives), off(axes)];
    const text = only.value.trim().toLowerCase();
    return catalogues[kind()].filter(
      ({ id, title, primitive, axis }) =>
        !withoutPrimitives.has(primitive) && !withoutAxes.has(axis) && `${id} ${title.toLowerCase()}`.includes(text),
    );
  };
  const count = (): void => {
    const there = new Set(catalogues[kind()].map(({ axis }) => axis));
    for (const box of axes) box.disabled = !there.has(box.value as Axis);
    const { length } = contests();
    byId('count').textContent = length === 1 ? '1 contest' : `${length} contests`;
  };
  form.addEventListener('input', count);
  count();

  return {
    read: () => ({ kind: kind(), sessions: sessions.valueAsNumber || 1, contests: contests().map(({ id }) => id) }),
    set(wantedKind, text, times) {
      if (isKind(wantedKind)) form.querySelector<HTMLInputElement>(`[name=kind][value=${wantedKind}]`)!.checked = true;
      if (text !== null) only.value = text;
      if (times !== null && /^\d+$/.test(times)) sessions.value = times;
      count();
    },
    disable(disabled) {
      for (const fieldset of form.querySelectorAll('fieldset')) fieldset.disabled = disabled;
      only.disabled = disabled;
    },
  };
}
