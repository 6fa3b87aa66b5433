import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { TEST_EVENT, WEBHOOK_EVENTS } from '../../packages/contract/src/domain/webhook.ts';
import { anchorsOf, linksOf } from '../../scripts/docs/links.ts';
import { GENERATED_PAGES } from '../../scripts/docs/pages.ts';
import { findBlocks, PAGES, readPage } from '../../scripts/test-docs/blocks.ts';

const root = resolve(import.meta.dirname, '../..');

test.each(Object.entries(GENERATED_PAGES))('%s matches the code (npm run docs writes it)', (page, text) => {
  expect(readFileSync(join(root, page), 'utf8')).toBe(text());
});

/** Names that a client could give a file, or that stand for several. */
const EXAMPLES = new Set(['part_000.ts', 'NAME-files.ts']);

test('pages and READMEs name only files that exist', () => {
  const files = globSync('{bench,bin,console,docs,examples,packages,scripts,test}/**/*.{ts,tsx}', { cwd: root });
  const existing = new Set(files.map((path) => basename(path)));
  const pages = globSync(['*.md', '{bench,console,docs,packages,scripts,test}/**/*.md'], { cwd: root });
  const missing = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/`(?:[\w./-]*\/)?([\w-]+(?:\.test)?\.tsx?)`/g)]
      .filter(([, name = '']) => !existing.has(name) && !EXAMPLES.has(name))
      .map(([name]) => `${page}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('each link of a page leads to a file, and to a heading of it', () => {
  const pages = globSync(['*.md', '{bench,console,deploy,docs,examples,packages,scripts,test}/**/*.md'], { cwd: root });
  const broken = pages.flatMap((page) =>
    linksOf(root, page)
      .filter(({ path, anchor }) => {
        if (!existsSync(join(root, path))) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(join(root, path), 'utf8')).has(anchor);
      })
      .map(({ target }) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('messages of the program name only pages and headings that exist', () => {
  const sources = globSync('{console,deploy,packages,scripts}/**/*.{ts,tsx,yaml}', { cwd: root });
  const broken = sources.flatMap((source) =>
    [...readFileSync(join(root, source), 'utf8').matchAll(/\bdocs\/([\w/-]+\.md)(?:#([\w-]+))?/g)]
      .filter(([, page = '', anchor]) => {
        const path = join(root, 'docs', page);
        return !existsSync(path) || (anchor !== undefined && !anchorsOf(readFileSync(path, 'utf8')).has(anchor));
      })
      .map(([name]) => `${source}: ${name}`),
  );
  expect(broken).toEqual([]);
});

test('the index of a folder links to each of its pages', () => {
  for (const folder of ['docs/api', 'docs/operate', 'docs/decisions']) {
    const linked = new Set(linksOf(root, `${folder}/README.md`).map(({ path }) => path));
    expect(
      globSync(`${folder}/*.md`, { cwd: root }).filter((page) => !page.endsWith('README.md') && !linked.has(page)),
    ).toEqual([]);
  }
});

test('the page about webhooks names each type of event', () => {
  const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
  const named = [...page.matchAll(/`((?:job|batch|watch|webhook)\.\w+)`/g)].map(([, type]) => type);
  expect([...new Set(named)].toSorted()).toEqual([...WEBHOOK_EVENTS, TEST_EVENT].toSorted());
});

/** The animation of a WebP file: its size in pixels, and the milliseconds of each frame. */
function readAnimation(file: Buffer): { readonly width: number; readonly frames: readonly number[] } {
  const frames: number[] = [];
  let width = 0;
  for (let at = 12; at < file.length; ) {
    const [name, size] = [file.toString('latin1', at, at + 4), file.readUInt32LE(at + 4)];
    if (name === 'VP8X') width = 1 + file.readUIntLE(at + 12, 3);
    if (name === 'ANMF') frames.push(file.readUIntLE(at + 20, 3));
    at += 8 + size + (size % 2);
  }
  return { width, frames };
}

test('the picture in the README moves for a few seconds, stops at its end, and loads fast', () => {
  const file = readFileSync(join(root, 'docs/pictures/console.webp'));
  const { width, frames } = readAnimation(file);
  expect(width).toBe(960);
  const seconds = frames.reduce((sum, ms) => sum + ms, 0) / 1000;
  expect(seconds).toBeGreaterThan(8);
  expect(seconds).toBeLessThan(16);
  expect(frames.at(-1)).toBeGreaterThan(2000);
  expect(file.length).toBeLessThan(1_500_000);
});

test('the tour of the code names each file by its path', () => {
  const page = readFileSync(join(root, 'docs/code-tour.md'), 'utf8');
  const named = [...page.matchAll(/`([a-z-]+(?:\/[a-z-]+)+\.ts)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(join(root, 'packages', path.replace('/', '/src/'))))).toEqual([]);
});

test.each(PAGES)('every block of %s that a reader runs is run by test:docs, or says why not', async (page) => {
  const unlisted = (await readPage(page)).filter(({ notRun, isRunnable }) => !isRunnable && notRun === undefined);
  expect(unlisted).toEqual([]);
});

test('no other page has blocks that a reader runs', () => {
  const pages = globSync(['*.md', '{bench,docs,examples,packages,scripts,test}/**/*.md'], { cwd: root });
  const withBlocks = pages.filter((page) => findBlocks(readFileSync(join(root, page), 'utf8')).length > 0);
  expect(withBlocks.toSorted()).toEqual([...PAGES].toSorted());
});

test.each([
  ['```\ndocker run x\n```\n', 'a command without a language'],
  ['```sh\nls\n```\n', 'a command of another shell'],
  ['```ini\n[Unit]\n```\n', 'configuration'],
])('%j needs a reason: it is %s', (markdown) => {
  expect(findBlocks(markdown)).toMatchObject([{ line: 2, isRunnable: false, notRun: undefined }]);
  expect(findBlocks(`<!-- not run: because -->\n${markdown}`)).toMatchObject([{ line: 3, notRun: 'because' }]);
});

test('output and data need none', () => {
  expect(findBlocks('```\nclient id  shop\n```\n\n```json\n{"docker": 1}\n```\n')).toEqual([]);
});
