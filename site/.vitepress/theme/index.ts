/** VitePress's theme without its fonts, which would be further files to load, and with the colours of this project. */
import Theme from 'vitepress/theme-without-fonts';
import './style.css';

export default Theme;
