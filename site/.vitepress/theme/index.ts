/** VitePress's theme without its fonts, which would be further files to load, and with the colours and the footer of this project. */
import type { Theme } from 'vitepress';
import Default from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { searchOptions } from '../../src/search.ts';
import Footer from './footer.ts';
import { missing } from './missing.ts';
import './style.css';

export default {
  extends: Default,
  Layout: () => h(Default.Layout, null, { 'layout-bottom': () => h(Footer), 'not-found': missing }),
  enhanceApp({ siteData }) {
    // Here and not in the configuration, whose functions would come as text, which the pages' policy does not let anybody evaluate.
    const { search } = siteData.value.themeConfig as { search: { options?: object } };
    search.options = { ...search.options, miniSearch: { searchOptions: searchOptions(siteData.value.base) } };
  },
} satisfies Theme;
