// @module-tag long
// @module-tag part
import { expect, inject } from 'vitest';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';
import { soak } from './soak/soak.ts';

const ROUNDS = 6;

/** Repeat with `SOAK_SEED=… npm exec -- vitest run --project faults soak`. */
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1e9);

needs('ffmpeg', 'linux')(
  `killed ${ROUNDS} times under load, the service keeps every promise (seed ${seed})`,
  async () => {
    const lines: string[] = [];
    const say = (line: string): number => lines.push(line);
    const folder = await testFolder('soak');
    const [program, catalogues] = [inject('program'), inject('catalogues')];
    const report = await soak({ folder, rounds: ROUNDS, seed, programs: tools(), program, catalogues, say });
    expect(report.faults, `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
  },
);
