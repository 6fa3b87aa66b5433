import theme from 'vitepress/theme-without-fonts';

/** The default theme without its fonts: pages use the fonts of the system. */
export default theme;
