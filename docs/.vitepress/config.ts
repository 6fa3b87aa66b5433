import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { defineConfig, type MarkdownOptions } from 'vitepress';
import { licences } from '../../rolldown.config.ts';
import { headingSlug } from '../../scripts/docs/links.ts';
import { classesForStyles, codeTheme } from './code-colours.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

const DOCS = join(import.meta.dirname, '..');

const titleOf = (page: string): string => /^# (.*)$/m.exec(readFileSync(join(DOCS, page), 'utf8'))?.[1] ?? page;

/** The pages that the index of a folder links to, in its order. */
function pagesIn(folder: string): readonly { text: string; link: string }[] {
  const index = readFileSync(join(DOCS, folder, 'README.md'), 'utf8');
  const names = new Set(Array.from(index.matchAll(/\]\(([\w-]+\.md)\)/g), ([, name = '']) => name));
  return [...names].map((name) => ({ text: titleOf(`${folder}/${name}`), link: `/${folder}/${name}` }));
}

/** A page in the sidebar. The README of a folder is its index. */
const page = (name: string) => ({ text: titleOf(name), link: `/${name.replace(/README\.md$/, '')}` });

const SIDEBAR = [
  { text: 'Start', items: [page('README.md'), page('features.md')] },
  { text: 'API', collapsed: false, items: [page('api/README.md'), ...pagesIn('api')] },
  { text: 'Operate', collapsed: false, items: [page('operate/README.md'), ...pagesIn('operate')] },
  { text: 'Clients', items: ['watches.md', 'cli.md', 'client.md', 'mcp.md', 'webhooks.md'].map(page) },
  { text: 'Reference', items: ['configuration.md', 'recipes.md', 'rules.md', 'glossary.md'].map(page) },
  { text: 'The code', items: ['code-tour.md', 'decisions/README.md'].map(page) },
];

/** The page that a link of the sidebar leads to. */
const builtPage = (link: string): string => link.replace(/\/$/, '/index.html').replace(/\.md$/, '.html');

/**
 * Shows links that leave the docs, such as to a source file, as text: the site has only the docs. Links to the README of a folder lead
 * to its index.
 */
function linksOfSite(md: MarkdownIt): void {
  md.core.ruler.push('outside-links', ({ tokens, env }) => {
    const folder = dirname(env.relativePath);
    for (const { children } of tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href') ?? '';
          isOutside = !/^[a-z]+:/.test(href) && normalize(join(folder, href)).startsWith('..');
          token.attrSet('href', href.replace(/README\.md(?=#|$)/, 'index.md'));
        }
        if (isOutside && (token.type === 'link_open' || token.type === 'link_close')) {
          isOutside = token.type === 'link_open';
          token.type = 'text';
          token.content = '';
        }
      }
    }
  });
}

/** Shows `{{name}}` in a text as it is written. Vue would take it for an expression. */
function withoutExpressions(md: MarkdownIt): void {
  const shown = (text: string): string => escapeHtml(text).replaceAll('{', '&#123;');
  md.renderer.rules['code_inline'] = (tokens, index) => `<code>${shown(tokens[index]?.content ?? '')}</code>`;
  md.renderer.rules['text'] = (tokens, index) => shown(tokens[index]?.content ?? '');
}

export default defineConfig({
  title: 'Telecine',
  description: 'Self-hosted media conversion.',
  base: '/manual/',
  // Without an icon, browsers ask for /favicon.ico.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  outDir: '../dist/manual',
  ignoreDeadLinks: 'localhostLinks',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  // One file with the facts about all pages, so that no script is written into a page.
  metaChunk: true,
  // Its switch needs a script in each page.
  appearance: false,
  // The policy of the service allows neither scripts nor styles in a page. These show the keys of a Mac, and what the style sheet has too.
  transformHtml: (html) =>
    html
      .replace(/<script id="check-mac-os">.*?<\/script>/, '')
      .replaceAll(/ style="(?:position:relative|--vp-vh:0px);"/g, ''),
  // The table of settings needs the width of the outline.
  transformPageData: ({ relativePath, frontmatter }) =>
    relativePath === 'configuration.md' ? { frontmatter: { ...frontmatter, aside: false } } : {},
  // VitePress checks the links of pages, but not those of the sidebar.
  buildEnd: ({ outDir }) => {
    const links = SIDEBAR.flatMap(({ items }) => items.map(({ link }) => link));
    const dead = links.filter((link) => !existsSync(join(outDir, builtPage(link))));
    if (dead.length > 0) throw new Error(`The sidebar links to pages that are not built: ${dead.join(', ')}`);
  },
  markdown: {
    theme: codeTheme,
    codeTransformers: [classesForStyles],
    anchor: { slugify: headingSlug },
    config: (md) => {
      linksOfSite(md);
      withoutExpressions(md);
    },
  },
  // The built pages contain packages, whose licences ask for their text.
  vite: { plugins: [licences()] },
  themeConfig: {
    search: {
      provider: 'local',
      // Users look for what to do. The decisions, which say why, would hide it.
      options: {
        _render: (text, env, md) => (env.relativePath.startsWith('decisions/') ? '' : md.renderAsync(text, env)),
      },
    },
    outline: [2, 3],
    sidebar: SIDEBAR,
  },
});
