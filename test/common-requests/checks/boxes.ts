import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Check } from '../common-request.ts';

/** The top-level boxes of an MP4, in order. */
export const boxes =
  (...wanted: readonly string[]): Check =>
  async ({ file }) => {
    const bytes = await readFile(file);
    const found: string[] = [];
    for (let at = 0; at + 8 <= bytes.length; at += Math.max(8, bytes.readUInt32BE(at)))
      found.push(bytes.toString('latin1', at + 4, at + 8));
    expect(found).toEqual(wanted);
  };
