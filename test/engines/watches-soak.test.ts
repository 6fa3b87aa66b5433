// @module-tag part
import { chmod } from 'node:fs/promises';
import { expect, inject } from 'vitest';
import { soakWatches } from '../faults/watches-soak/watch-soak.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

/** Repeat with `SOAK_SEED=… npm run test:engines -- watches-soak`. */
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1e9);

const ROUNDS = ['s3-resets', 'service-kill', 's3-cut'] as const;

needs(
  'ffmpeg',
  'PostgreSQL',
  'linux',
  'an S3 server',
)(
  `objects that land in watched folders at ${ROUNDS.join(', ')} are converted once and whole (seed ${seed})`,
  { timeout: 600_000 },
  async () => {
    const lines: string[] = [];
    const folder = await testFolder('watches');
    // PostgreSQL runs as a user of its own, and must reach its folder.
    await chmod(folder, 0o711);
    const report = await soakWatches({
      ...{ folder, rounds: ROUNDS, seed, programs: tools(), program: inject('program') },
      ...{ catalogues: inject('catalogues'), store: inject('s3') },
      say: (line) => lines.push(line),
    });
    expect(report.faults, lines.join('\n')).toEqual([]);
  },
);
