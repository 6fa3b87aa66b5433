import { expect, test } from 'vitest';
import { scopesText } from './scopes-text.ts';

test('what a client may do is in words', () => {
  expect(scopesText(['jobs:read', 'admin'])).toBe('Everything');
  expect(scopesText(['jobs:read', 'jobs:write', 'files:read', 'files:write'])).toBe('Jobs and files');
  expect(scopesText(['jobs:read', 'jobs:write', 'files:read'])).toBe('Run jobs, read files');
  expect(scopesText(['jobs:read'])).toBe('See jobs');
  expect(scopesText(['files:write'])).toBe('Write files');
  expect(scopesText([])).toBe('Nothing');
});
