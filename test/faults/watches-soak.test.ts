// @module-tag long
// @module-tag part
import { chmod } from 'node:fs/promises';
import { expect, inject } from 'vitest';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';
import { soakWatches } from './watches-soak/watch-soak.ts';

/** Repeat with `SOAK_SEED=… npm exec -- vitest run --project faults watches-soak`. */
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1e9);

const ROUNDS = ['service-kill', 'worker-kill', 'postgres-kill'] as const;

needs('ffmpeg', 'PostgreSQL', 'linux')(
  `files that land in watched folders at ${ROUNDS.join(', ')} are converted once and whole (seed ${seed})`,
  // Nothing is measured, so a busy machine may take as long as it needs.
  { timeout: 600_000 },
  async () => {
    const lines: string[] = [];
    const folder = await testFolder('watches');
    // PostgreSQL runs as a user of its own, and must reach its folder.
    await chmod(folder, 0o711);
    const report = await soakWatches({
      ...{ folder, rounds: ROUNDS, seed, programs: tools(), program: inject('program') },
      catalogues: inject('catalogues'),
      say: (line) => lines.push(line),
    });
    expect(report.faults, lines.join('\n')).toEqual([]);
  },
);
