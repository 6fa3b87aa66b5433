import { expect, test } from 'vitest';
import { receiverError } from './check-receiver.ts';

test.each([
  ['ftp://example.com', 'The URL is neither http nor https.'],
  ['https://user:secret@example.com/a', 'The URL "https://(hidden)@example.com/a" is neither http nor https.'],
])('the error about %s names the URL as far as it can be shown', (url, message) => {
  expect(receiverError(() => 'SCHEME', '/url', url)).toMatchObject({ field: '/url', message });
});
