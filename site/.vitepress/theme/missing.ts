/** What stands at an address that has no page. */
import { withBase } from 'vitepress';
import { h, type VNode } from 'vue';

const LINKS = [
  ['The start page', '/'],
  ['Which part of Lanewise for which task', '/guides/choosing.html'],
  ['The API', '/api/'],
] as const;

export const missing = (): VNode =>
  h('main', { class: 'vp-doc missing' }, [
    h('h1', 'There is no such page'),
    h('p', 'It may have been moved. The search at the top finds all pages; these are good places to begin:'),
    h(
      'ul',
      LINKS.map(([text, address]) => h('li', [h('a', { href: withBase(address) }, text)])),
    ),
  ]);
