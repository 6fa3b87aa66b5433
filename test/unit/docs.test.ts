import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findBlocks, PAGES, readPage } from '../../scripts/test-docs/blocks.ts';
import { manual } from '../../src/config/manual.ts';
import { rulesManual } from '../../src/ffmpeg/rules/rules-manual.ts';
import { recipesManual } from '../../src/recipes/manual.ts';

test('docs/configuration.md matches the code (npm run docs writes it)', () => {
  expect(readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')).toBe(manual());
});

test('docs/recipes.md matches the catalogue (npm run docs writes it)', () => {
  expect(readFileSync(new URL('../../docs/recipes.md', import.meta.url), 'utf8')).toBe(recipesManual());
});

test('docs/rules.md matches the rules (npm run docs writes it)', () => {
  expect(readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8')).toBe(rulesManual());
});

/** Names that a client could give a file, or that stand for several. */
const EXAMPLES = new Set(['part_000.ts', 'NAME-files.ts']);

test('pages and READMEs name only files that exist', () => {
  const root = resolve(import.meta.dirname, '../..');
  const files = globSync('{bench,bin,console,docs,examples,scripts,src,test}/**/*.{ts,tsx}', { cwd: root });
  const existing = new Set(files.map((path) => basename(path)));
  const pages = globSync(['*.md', '{bench,console,docs,scripts,src,test}/**/*.md'], { cwd: root });
  const missing = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/`(?:[\w./-]*\/)?([\w-]+(?:\.test)?\.tsx?)`/g)]
      .filter(([, name = '']) => !existing.has(name) && !EXAMPLES.has(name))
      .map(([name]) => `${page}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('the tour of the code names each file by its path', () => {
  const root = resolve(import.meta.dirname, '../..');
  const page = readFileSync(join(root, 'docs/code-tour.md'), 'utf8');
  const named = [...page.matchAll(/`([a-z-]+(?:\/[a-z-]+)+\.ts)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(join(root, 'src', path)))).toEqual([]);
});

test.each(PAGES)('every block of %s that a reader runs is run by test:docs, or says why not', async (page) => {
  const unlisted = (await readPage(page)).filter(({ notRun, isRunnable }) => !isRunnable && notRun === undefined);
  expect(unlisted).toEqual([]);
});

test('no other page has blocks that a reader runs', () => {
  const root = resolve(import.meta.dirname, '../..');
  const pages = globSync(['*.md', '{bench,docs,examples,scripts,src,test}/**/*.md'], { cwd: root });
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
