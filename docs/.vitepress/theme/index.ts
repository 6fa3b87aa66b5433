import theme from 'vitepress/theme-without-fonts';
import './code-colours.css';
import './tables.css';

/** The default theme without its fonts: pages use the fonts of the system. */
export default theme;
