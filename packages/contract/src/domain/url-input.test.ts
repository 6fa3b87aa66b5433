import { expect, test } from 'vitest';
import type { UrlInputs } from './media-root.ts';
import { hideUrlSecrets, MAX_URL_LENGTH, parseInputPath, redactUrl } from './url-input.ts';

const ANY: UrlInputs = { check: () => undefined };
const parse = (text: string, urls: UrlInputs | undefined = ANY) =>
  parseInputPath(text, { pathPrefix: '/', grants: [], urls });

test.each([
  ['https://example.org/a/film.mp4', 'https://example.org/a/film.mp4'],
  ['HTTPS://Example.ORG:443/film.mp4', 'https://example.org/film.mp4'],
  ['https://user:password@example.org:8443/film.mp4?sig=secret#t=1', 'https://example.org:8443/film.mp4'],
  ['http://example.org', 'http://example.org/'],
  ['https://example.org/a film.mp4', 'https://example.org/a%20film.mp4'],
  ['https://example.org/x/../film.mp4', 'https://example.org/film.mp4'],
  // Hide the link of another Telecine, because it opens the outputs of a job.
  [
    'https://example.org/api/conversion/J/links/a~1~2~k~sig/o.mp4',
    'https://example.org/api/conversion/J/links/(hidden)/o.mp4',
  ],
])('%s is an input, of which messages contain %s', (text, path) => {
  expect(parse(text)).toEqual({ path, url: new URL(text).href });
});

test('a path is not a URL', () => {
  expect(parse('film.mp4')).toEqual({ path: 'film.mp4' });
  expect(parse('./http:/film.mp4')).toEqual({ path: 'http:/film.mp4' });
  expect(parse('http: the film.mp4')).toEqual({ path: 'http: the film.mp4' });
  expect(parse('s3://bucket/film.mp4')).toMatchObject({ path: { code: 'STORAGE_NOT_ALLOWED' } });
});

test.each([
  ' https://user:password@example.org/a.mp4',
  'http:/user:password@example.org/a.mp4',
  'https:\\\\user:password@example.org\\a.mp4',
  'file:https://user:password@example.org/a.mp4',
  'cache:async:https://user:password@example.org/a.mp4',
])('%s is no URL, and no path whose messages would show the password', (text) => {
  const { path } = parse(text);
  expect(path).toMatchObject({ code: 'INVALID_URL' });
  expect(JSON.stringify(path)).not.toContain('password');
});

test('rejects URLs if the service fetches none, and what the policy rejects', () => {
  const scope = { pathPrefix: '/', grants: [] };
  expect(parseInputPath('https://example.org/a', scope)).toMatchObject({ path: { code: 'STORAGE_NOT_ALLOWED' } });
  const none: UrlInputs = { check: () => ({ code: 'HOST_NOT_ALLOWED', message: 'No.' }) };
  expect(parse('https://example.org/a', none)).toEqual({ path: { code: 'HOST_NOT_ALLOWED', message: 'No.' } });
});

test.each([
  ['TOO_LONG', `https://example.org/${'a'.repeat(MAX_URL_LENGTH)}`],
  ['CONTROL_CHARACTER', 'https://example.org/a\r\nx: y'],
  ['CONTROL_CHARACTER', 'https://\texample.org/a'],
  ['BAD_ENCODING', 'https://example.org/\ud800'],
])('%s: a URL that no one means', (code, text) => {
  expect(parse(text)).toMatchObject({ path: { code } });
});

test.each([
  ['https://user:password@example.org/a.mp4?sig=secret#t', 'https://(hidden)@example.org/a.mp4?(hidden)'],
  ['https://user@example.org/a.mp4', 'https://(hidden)@example.org/a.mp4'],
  ['https://example.org/a.mp4?', 'https://example.org/a.mp4'],
  ['https://example.org/a.mp4', 'https://example.org/a.mp4'],
  ['https://user:password@', '(hidden)'],
  ['films/a.mp4?x', 'films/a.mp4?x'],
  [
    'https://example.org/api/conversion/J/links/a~1~2~k~sig/o.mp4',
    'https://example.org/api/conversion/J/links/(hidden)/o.mp4',
  ],
])('a view shows %s as %s', (text, shown) => {
  expect(hideUrlSecrets(text)).toBe(shown);
});

test.each([
  ['https://example.org/hooks/a', 'https://example.org/hooks/a'],
  ['https://example.org:8443/a?key=1&x=2#part', 'https://example.org:8443/a?(hidden)'],
  ['https://user:pass@example.org/', 'https://(hidden)@example.org/'],
  ['https://user@example.org', 'https://(hidden)@example.org/'],
  ['https://[fd00::1]:8080/x', 'https://[fd00::1]:8080/x'],
  ['user:pass@example.org', '(hidden)'],
  ['not a url', '(hidden)'],
])('%j is shown as %j', (text, shown) => {
  expect(redactUrl(text)).toBe(shown);
});
