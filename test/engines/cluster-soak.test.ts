// @module-tag part
import { chmod } from 'node:fs/promises';
import { expect, inject } from 'vitest';
import { soakCluster } from '../faults/cluster/cluster-soak.ts';
import { FAULTS, type Fault, type FaultName } from '../faults/cluster/faults.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const ROUNDS = 2;

/** Repeat with `SOAK_SEED=… npm run test:engines -- cluster-soak`. */
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1e9);

// Pauses and full disks take minutes or root: `npm run soak:cluster`.
const FAULTS_TO_TEST: readonly FaultName[] = [
  ...(['service-kill', 'worker-kill', 'postgres-kill', 'network-cut', 'connections-end'] as const),
  ...(['s3-throttle', 's3-resets', 's3-cut'] as const),
];

for (const fault of FAULTS_TO_TEST) {
  const { disturbsStore }: Fault = FAULTS[fault];
  const test = needs('ffmpeg', 'PostgreSQL', 'linux', ...(disturbsStore ? (['an S3 server'] as const) : []));
  test(`two services and a worker keep every promise: ${fault}, ${ROUNDS} times under load (seed ${seed})`, {
    timeout: 400_000,
  }, async () => {
    const lines: string[] = [];
    const folder = await testFolder('cluster');
    // PostgreSQL runs as a user of its own, and must reach its folder.
    await chmod(folder, 0o711);
    const report = await soakCluster({
      folder,
      rounds: Array.from({ length: ROUNDS }, () => fault),
      seed,
      programs: tools(),
      program: inject('program'),
      catalogues: inject('catalogues'),
      store: inject('s3'),
      say: (line) => lines.push(line),
    });
    expect(report.faults, lines.join('\n')).toEqual([]);
  });
}
