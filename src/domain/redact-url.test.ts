import { expect, test } from 'vitest';
import { redactUrl } from './redact-url.ts';

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
