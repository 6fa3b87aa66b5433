import { Problem } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import type { NamedFile } from '../../files/named-files.ts';
import { MAX_LISTED, problemPage, sharePage } from './share-page.ts';

const file = (name: string, sizeBytes = 1_500_000): NamedFile => ({
  name,
  sizeBytes,
  open: async () => {
    throw new Error('A page opens no file.');
  },
});

const page = (...names: readonly string[]) =>
  sharePage({
    ...{ title: 'film', count: names.length, sizeBytes: names.length * 1_500_000 },
    files: names.slice(0, MAX_LISTED).map((name) => file(name)),
    ...{ link: 'tcl_x', expiresAt: '2026-02-07T12:00:00.000Z', origins: ['https://media.example.org'] },
  });

test('the page of one file has its name, its size, a player and the download', () => {
  const { html, policy } = page('film.mp4');
  expect(html).toContain('<h1>film.mp4</h1>');
  expect(html).toContain('1.5 MB');
  expect(html).toContain('Sat, 07 Feb 2026 12:00 UTC');
  // The page is not a download, and its button is one.
  expect(html).toContain('<video src="tcl_x/files/film.mp4?page=true"');
  expect(html).toContain('<a class="button" href="tcl_x/files/film.mp4">Download</a>');
  expect(policy).toContain("media-src 'self' https://media.example.org");
  expect(policy).toContain("default-src 'none'");
});

test('the page of several files lists them, plays the first that browsers know, and has a zip', () => {
  const { html } = page('hls/index.m3u8', 'a b/poster.jpg', 'sound.mp3');
  expect(html).toContain('3 files, 4.5 MB');
  expect(html).toContain('href="tcl_x/files.zip"');
  expect(html).toContain('<img src="tcl_x/files/a%20b/poster.jpg?page=true"');
  expect(html.match(/<li>/g)).toHaveLength(3);
  const many = page(...Array.from({ length: 250 }, (_, i) => `${i}.ts`)).html;
  expect(many.match(/<li>/g)).toHaveLength(200);
  expect(many).toContain('and 50 more in the zip');
});

test.each([
  '"><script>alert(1)</script>.mp4',
  "'onerror='x'.png",
  '<img src=x>.mp3',
  '\u202e4pm.mp4',
  '\u061ca.mp4',
  '&amp;.mp4',
])('a name of a file never becomes a part of the page: %j', (name) => {
  const { html } = page(name);
  const [, body = ''] = html.split('<body>');
  const tags = [...body.matchAll(/<(\w+)/g)].map(([, tag]) => tag).filter((tag) => tag !== 'main');
  expect(new Set(tags)).toEqual(
    new Set(['h1', 'p', 'time', 'a', { png: 'img', mp3: 'audio' }[name.split('.').at(-1) ?? ''] ?? 'video']),
  );
  expect(body).not.toMatch(/\p{Bidi_Control}|<script|src=x>/u);
});

test('the page of a link that has ended says so', () => {
  const { html } = problemPage(new Problem('LINK_EXPIRED', 'The link has expired & is gone.')) ?? { html: '' };
  expect(html).toContain('<h1>This link opens nothing</h1>');
  expect(html).toContain('<p>The link has expired &amp; is gone.</p>');
});

test.each(['RATE_LIMITED', 'TOO_MANY_CONNECTIONS', 'UNAVAILABLE'] as const)(
  'a link that cannot be opened now (%s) says that it still works, and when to try again',
  (code) => {
    const { html } = problemPage(new Problem(code, 'Too many.', { retryAfterSeconds: 1.5 })) ?? { html: '' };
    expect(html).toContain('<h1>Try again soon</h1>');
    expect(html).toContain('The link still works: try again in 2 seconds.');
    expect(html).not.toContain('opens nothing');
  },
);

test('a failure of the service and a wrong request have no page', () => {
  expect(problemPage(new Problem('INTERNAL', 'A defect.'))).toBeUndefined();
  expect(problemPage(new Problem('RANGE_NOT_SATISFIABLE', 'Past the end.'))).toBeUndefined();
});
