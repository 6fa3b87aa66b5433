import { withAdvice } from '@telecine/contract/domain/hint.ts';
import { httpHint } from '@telecine/contract/wire/hint-text.ts';
import { expect, test } from 'vitest';
import { receiverError } from './check-receiver.ts';

test.each(['mailto:anna@example.org', 'anna@example.org'])('%s says that no mail is sent', (url) => {
  const { message, fix = '' } = receiverError(() => 'SCHEME', '/callbackUrl', url) ?? {};
  expect(message).toMatch(/is an e-mail address\.$/);
  expect(httpHint(fix)).toBe(
    'Leave it out: no mail is sent. For the end of the job: GET /api/conversion/JOB_ID with "Prefer: wait=30".',
  );
  expect(httpHint(withAdvice(fix, 'Or poll.'))).toBe(`${httpHint(fix)} Or poll.`);
  expect(receiverError(() => 'SCHEME', '/url', url)).toMatchObject({ fix: 'Send an http(s) URL: no mail is sent.' });
});

test.each([
  ['ftp://example.com', 'The URL is neither http nor https.'],
  ['https://user:secret@example.com/a', 'The URL "https://(hidden)@example.com/a" is neither http nor https.'],
])('the error about %s names the URL as far as it can be shown', (url, message) => {
  expect(receiverError(() => 'SCHEME', '/url', url)).toMatchObject({ field: '/url', message });
});
