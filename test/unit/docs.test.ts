import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { manual } from '../../src/config/manual.ts';

test('docs/configuration.md matches the code (npm run docs writes it)', () => {
  expect(readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')).toBe(manual());
});
