/** The elements of the page, and new ones. */
import { shown } from './names.ts';

/** The element with this id, which has this class. */
export function element<Type extends HTMLElement>(id: string, type: abstract new () => Type): Type {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page expected ${type.name} #${id}`);
  return found;
}

export const button = (id: string): HTMLButtonElement => element(id, HTMLButtonElement);
export const input = (id: string): HTMLInputElement => element(id, HTMLInputElement);
export const textArea = (id: string): HTMLTextAreaElement => element(id, HTMLTextAreaElement);
export const part = (id: string): HTMLElement => element(id, HTMLElement);

/** The value of the radio button that is chosen. */
export function chosenValue(name: string): string {
  const chosen = document.querySelector<HTMLInputElement>(`input[name="${name}"]:checked`);
  return chosen?.value ?? '';
}

/** Chooses a radio button, as a person does. */
export function chooseValue(name: string, value: string): void {
  const radio = document.querySelector<HTMLInputElement>(`input[name="${name}"][value="${value}"]`);
  if (!radio || radio.checked) return;
  radio.checked = true;
  radio.dispatchEvent(new Event('change', { bubbles: true }));
}

/** A new element with text and properties. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** The name of a file, which does not change the direction of the text around it. */
export const nameElement = (name: string): HTMLElement => make('bdi', {}, shown(name));

/** Shows a text in an element, or hides the element if there is none. */
export function say(id: string, text: string): void {
  const target = part(id);
  target.textContent = text;
  target.hidden = text === '';
}

/** Tells those who hear the page. Equal texts in a row are spoken again. */
export function announce(text: string): void {
  const live = part('live');
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}
