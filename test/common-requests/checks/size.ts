import { stat } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Check } from '../common-request.ts';

/** The size of the named output, in bytes. */
export const sizeBetween =
  (least: number, most: number): Check =>
  async ({ file }) => {
    const { size } = await stat(file);
    expect(size).toBeGreaterThanOrEqual(least);
    expect(size).toBeLessThanOrEqual(most);
  };
