import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { licences } from '../rolldown.config.ts';

const TREE = resolve(import.meta.dirname, '..');

/** `npm run dev:console` serves the sources and passes the API on to a service at this address. */
const SERVICE = 'http://127.0.0.1:8080';

const EVERYWHERE =
  /node_modules[\\/](?:react|react-dom|scheduler|@tanstack[\\/](?:react-query|query-core|react-router|react-store|router-core|store|history))[\\/]/;

/** The file of the font that has the letters of most pages. Other alphabets are loaded when a page has them. */
const FONT = /assets\/inter-latin-wght-normal-.*\.woff2$/;

/** Lets the browser load the font beside the style sheet that names it, so that no text is drawn twice. */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const file = Object.keys(bundle).find((name) => FONT.test(name));
      if (file === undefined) return [];
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' };
      return [{ tag: 'link', attrs, injectTo: 'head-prepend' }];
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  // The built pages contain code of packages. The licences of these packages require their text.
  plugins: [react(), licences(), preloadFont],
  build: {
    outDir: resolve(TREE, 'dist/console'),
    emptyOutDir: true,
    // Inline no files: the Content-Security-Policy allows no data: URLs of scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Put the libraries that every page needs into one file. They change less often than the pages, so that browsers
      // keep this file after an upgrade. Libraries of some pages only are loaded with these pages.
      output: { codeSplitting: { groups: [{ name: 'libraries', test: EVERYWHERE }] } },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/docs', '/manual', '/openapi.json', '/health', '/ready'].map((path) => [path, SERVICE]),
    ),
  },
});
