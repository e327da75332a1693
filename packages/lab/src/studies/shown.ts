/** The pictures of a page: each is shown where it is made, and left out if there is nothing to draw. */
import { shortProcessor, type Machine } from './machine.ts';
import type { Picture } from '../charts/picture.ts';

/** The foot names the machine and the unit of the values, unless the picture says something else itself. */
export type Shown = (
  name: string,
  alternative: string,
  picture: Picture | undefined,
  foot?: string,
) => string | undefined;

export function shownIn(
  id: string,
  { processor }: Pick<Machine, 'processor'>,
): { readonly shown: Shown; readonly pictures: ReadonlyMap<string, string> } {
  const pictures = new Map<string, string>();
  return {
    pictures,
    shown(name, alternative, picture, foot = `${shortProcessor(processor)}; medians over fresh processes`) {
      if (picture === undefined) return undefined;
      pictures.set(`${id}-${name}.svg`, picture(foot));
      return `![${alternative}](${id}-${name}.svg)`;
    },
  };
}

/** The foot of a picture that has a series for each processor. */
export const MEDIANS = 'medians over fresh processes';
