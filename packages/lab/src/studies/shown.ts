/** The pictures of a page: each is shown where it is made, and left out if there is nothing to draw. */
export type Shown = (name: string, alternative: string, svg: string | undefined) => string | undefined;

export function shownIn(id: string): { readonly shown: Shown; readonly pictures: ReadonlyMap<string, string> } {
  const pictures = new Map<string, string>();
  return {
    pictures,
    shown(name, alternative, svg) {
      if (svg === undefined) return undefined;
      pictures.set(`${id}-${name}.svg`, svg);
      return `![${alternative}](${id}-${name}.svg)`;
    },
  };
}
