// The default theme without its fonts: pages use the fonts of the system.
export { default } from 'vitepress/theme-without-fonts';
