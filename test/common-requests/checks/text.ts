import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Check, RequestResult } from '../common-request.ts';

/** The text of the result, or of another file of the media root. */
export const readResultText = (result: RequestResult, path?: string): Promise<string> =>
  readFile(path === undefined ? result.file : result.at(path), 'utf8');

/** The result has all of these lines in this order. There may be other lines between them. */
export const lines =
  (...wanted: readonly (string | RegExp)[]): Check =>
  async (result) => {
    const found = (await readResultText(result)).split(/\r?\n/);
    let from = 0;
    for (const line of wanted) {
      const index = found.findIndex(
        (one, i) => i >= from && (typeof line === 'string' ? one === line : line.test(one)),
      );
      expect(index, `${line} is missing from line ${from + 1} on in:\n${found.join('\n')}`).toBeGreaterThanOrEqual(0);
      from = index + 1;
    }
  };

/** The file contains these texts. Encoders write their settings into it. */
export const containsText =
  (...wanted: readonly string[]): Check =>
  async ({ file }) => {
    const bytes = await readFile(file);
    for (const one of wanted) expect(bytes.includes(one), one).toBe(true);
  };
