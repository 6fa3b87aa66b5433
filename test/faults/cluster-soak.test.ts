// @module-tag long
// @module-tag part
import { chmod } from 'node:fs/promises';
import { expect, inject } from 'vitest';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { IS_WHOLE } from '../support/sampled.ts';
import { tools } from '../support/tools.ts';
import { soakCluster } from './cluster/cluster-soak.ts';

/** Repeat with `SOAK_SEED=… npm exec -- vitest run --project faults cluster-soak`. */
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1e9);

// The worker first: its lease ends while the others are killed. `npm run soak:cluster` has more faults and rounds.
const FAULTS = ['worker-kill', 'service-kill', 'postgres-kill'] as const;
/** `npm test` has one of the faults, by the seed. */
const rounds = IS_WHOLE ? FAULTS : FAULTS.filter((_, index) => index === seed % FAULTS.length);

needs('ffmpeg', 'PostgreSQL', 'linux')(
  `two services and a worker keep every promise at ${rounds.join(', ')} (seed ${seed})`,
  // Alone it takes half a minute. Nothing is measured, so a busy machine may take as long as it needs.
  { timeout: 600_000 },
  async () => {
    const lines: string[] = [];
    const folder = await testFolder('cluster');
    // PostgreSQL runs as a user of its own, and must reach its folder.
    await chmod(folder, 0o711);
    const report = await soakCluster({
      folder,
      rounds,
      outages: 'short',
      seed,
      programs: tools(),
      program: inject('program'),
      catalogues: inject('catalogues'),
      say: (line) => lines.push(line),
    });
    expect(report.faults, lines.join('\n')).toEqual([]);
  },
);
