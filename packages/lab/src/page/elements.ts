/** Access to elements of the document. */

/** Throws if the element is missing or of another type. */
export function byId(id: string): HTMLElement;
export function byId<E extends HTMLElement>(id: string, type: new () => E): E;
export function byId(id: string, type: new () => HTMLElement = HTMLElement): HTMLElement {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`there is no #${id}`);
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const result = Object.assign(document.createElement(name), properties);
  result.append(...children);
  return result;
}
