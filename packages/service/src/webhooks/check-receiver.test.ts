import { expect, test } from 'vitest';
import { receiverError } from './check-receiver.ts';

test.each(['mailto:anna@example.org', 'anna@example.org', 'example.org/hook'])('%s is not a URL', (url) => {
  expect(receiverError(() => 'SCHEME', '/callbackUrl', url)?.message).toMatch(/is not an absolute http\(s\) URL\.$/);
});

test.each([
  ['ftp://example.com', 'The URL is not an absolute http(s) URL.'],
  ['https://user:secret@example.com/a', 'The URL "https://(hidden)@example.com/a" is not an absolute http(s) URL.'],
])('the error about %s names the URL as far as it can be shown', (url, message) => {
  expect(receiverError(() => 'SCHEME', '/url', url)).toMatchObject({ field: '/url', message });
});
