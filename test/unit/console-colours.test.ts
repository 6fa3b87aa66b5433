import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const CONSOLE = resolve(import.meta.dirname, '../../console');

test('colours are named in the theme and nowhere else, so that each has a light and a dark value', () => {
  const files = globSync('**/*.css', { cwd: CONSOLE, exclude: ['ui/theme.css'] });
  expect(files.length).toBeGreaterThan(20);
  const own = files.filter((file) =>
    /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i.test(readFileSync(join(CONSOLE, file), 'utf8')),
  );
  expect(own).toEqual([]);
});
