import { expect, test } from 'vitest';
import { scopesText } from './scopes-text.ts';

test('what a client may do is in words', () => {
  expect(scopesText(['jobs:read', 'admin'])).toBe('Everything');
  expect(scopesText(['jobs:read', 'jobs:write', 'files:read', 'files:write'])).toBe('Jobs, files');
  expect(scopesText(['jobs:read', 'jobs:write', 'files:read'])).toBe('Jobs, files (read only)');
  expect(scopesText(['files:write'])).toBe('Files (write only)');
  expect(scopesText([])).toBe('Nothing');
});
