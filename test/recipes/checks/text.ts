import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Check, RecipeResult } from '../recipe.ts';

/** The whole text of the result, or of a file beside it. */
export const text = (made: RecipeResult, path?: string): Promise<string> =>
  readFile(path === undefined ? made.file : made.at(path), 'utf8');

/** All of these lines are in it, in this order. */
export const lines =
  (...wanted: readonly (string | RegExp)[]): Check =>
  async (made) => {
    const found = (await text(made)).split(/\r?\n/);
    let from = 0;
    for (const line of wanted) {
      const at = found.findIndex((one, i) => i >= from && (typeof line === 'string' ? one === line : line.test(one)));
      expect(at, `${line} is missing from line ${from + 1} on in:\n${found.join('\n')}`).toBeGreaterThanOrEqual(0);
      from = at + 1;
    }
  };

/** The bytes of the file hold this text: what encoders say of their settings. */
export const holds =
  (...wanted: readonly string[]): Check =>
  async ({ file }) => {
    const bytes = await readFile(file);
    for (const one of wanted) expect(bytes.includes(one), one).toBe(true);
  };
