// @module-tag long
// @module-tag part
import { expect, inject } from 'vitest';
import { fuzz } from '../fuzz/fuzz.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

/** The number of files; the test takes some four seconds. `npm run soak:media` runs thousands. */
const COUNT = 16;
const SEED = 100;

needs('sandbox', 'linux')(
  `the service survives ${COUNT} malformed files (seed ${SEED})`,
  async () => {
    const lines: string[] = [];
    const folder = await testFolder('media');
    const say = (line: string): number => lines.push(line);
    const program = inject('program');
    const report = await fuzz({
      folder,
      count: COUNT,
      seed: SEED,
      programs: tools(),
      program,
      say,
      sandbox: 'required',
    });
    expect(report.faults, `kept in ${folder}/kept\n${lines.join('\n')}`).toEqual([]);
    // All families occurred, and the results were mixed. With so few files, `fuzz` expects that of this seed alone.
    expect(Object.keys(report.families)).toHaveLength(5);
    expect(report.states['COMPLETED']).toBeGreaterThan(COUNT / 5);
    expect(report.states['FAILED']).toBeGreaterThan(COUNT / 5);
  },
  180_000,
);
