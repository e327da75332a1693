/** The end of every page: which version this is, how far it can be relied on, and where to ask. */
import { useData, withBase } from 'vitepress';
import { defineComponent, h, type VNode } from 'vue';
import type { About } from '../../src/about.ts';

const link = (text: string, address: string): VNode =>
  h('a', { href: address.startsWith('/') ? withBase(address) : address }, text);

export default defineComponent({
  setup() {
    const { version, repository } = (useData().theme.value as { about: About }).about;
    const links: readonly (readonly [string, string])[] = [
      ...(repository === undefined
        ? ([['Security, and how to report a fault', '/security.html']] as const)
        : ([
            ['Source', repository],
            ['Report a fault', `${repository}/issues`],
            ['Security', '/security.html'],
          ] as const)),
      ['Proofs', '/packages/proofs.html'],
      ['Changes', '/changelog.html'],
      ['Contribute', '/contributing.html'],
      ['MIT licence', '/files/LICENSE.html'],
    ];
    return () =>
      // VitePress has a footer of its own on most pages: two would be two landmarks of one name.
      h('section', { class: 'about', 'aria-label': 'About Lanewise' }, [
        h('p', [
          `Lanewise ${version}, unreleased; no one outside the project has audited it: `,
          link('what you can rely on', '/guides/security-model.html'),
          '.',
        ]),
        h(
          'ul',
          links.map(([text, address]) => h('li', [link(text, address)])),
        ),
      ]);
  },
});
