/**
 * `npm run bench:convert`: compares real conversions in the sandbox of the service with the same ffmpeg commands, run
 * directly with the same parallelism. Both sides run in blocks, in turns.
 */
import { join } from 'node:path';
import type { DryRunView } from '../packages/contract/src/wire/dry-run.ts';
import { must } from '../scripts/lib/api.ts';
import { copySample } from '../scripts/lib/samples.ts';
import { bareConversions } from './support/bare-conversions.ts';
import { bound, spread } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { startBenchService } from './support/service.ts';
import { serviceBlock } from './support/service-block.ts';
import { startDelays } from './support/start-delays.ts';

const BLOCKS = 8;
const BLOCK = 25;
const PARALLEL = 2;
const SAMPLES = 40;

/** A conversion that takes about half a second on two cores. */
const REQUEST = {
  input: 'in.mp4',
  format: 'mp4',
  parameters: { t: '3', 'c:v': 'libx264', preset: 'veryfast', 'c:a': 'aac' },
};

const folder = benchFolder('convert');
printMachine(folder);
const input = await copySample('480p', join(folder, 'media/in.mp4'));
const service = await startBenchService({
  folder,
  env: { TELECINE_CONCURRENCY: String(PARALLEL), TELECINE_SANDBOX: 'required' },
});
try {
  const plan = await must<DryRunView>(`${service.url}/api/conversion?dryRun=true`, {
    token: service.token,
    body: { ...REQUEST, output: 'out/x.mp4' },
  });
  const argv = plan.argv[0] ?? [];
  const bareBlock = (): Promise<number> =>
    bareConversions({ argv, input, count: BLOCK, parallel: PARALLEL, folder: join(folder, 'bare') });
  console.log(
    `${BLOCKS} blocks of ${BLOCK} conversions a side, ${PARALLEL} at a time: ${argv.join(' ').slice(0, 60)}…`,
  );
  await bareBlock();
  await serviceBlock(service, REQUEST, BLOCK, '-1');
  const blocks: { bare: number; ours: number }[] = [];
  for (let i = 0; i < BLOCKS; i++)
    blocks.push({ bare: await bareBlock(), ours: await serviceBlock(service, REQUEST, BLOCK, String(i)) });
  const of = (side: 'bare' | 'ours'): number[] => blocks.map((block) => block[side]);
  const total = (side: 'bare' | 'ours'): number => of(side).reduce((sum, seconds) => sum + seconds, 0);
  console.log(`bare      ${spread(of('bare'), 2)} s a block, ${total('bare').toFixed(1)} s in all`);
  console.log(`telecine  ${spread(of('ours'), 2)} s a block, ${total('ours').toFixed(1)} s in all`);
  const ratios = blocks.map(({ bare, ours }) => ours / bare);
  console.log(`ratio     ${spread(ratios, 3)} by blocks, ${(total('ours') / total('bare')).toFixed(3)} in all`);
  bound('wall time of conversions, of the bare commands', ratios, '<=', 1.05, 3);
} finally {
  await service.stop();
}

for (const [sandbox, limit] of [
  ['off', 15],
  ['required', 25],
] as const) {
  const delays = await startDelays({ folder: join(folder, sandbox), sandbox, samples: SAMPLES });
  console.log(`202 to ffmpeg's start, sandbox ${sandbox}: ${spread(delays, 1)} ms in ${delays.length} samples`);
  bound(`milliseconds from 202 to ffmpeg's start, sandbox ${sandbox}`, delays, '<=', limit, 1);
}
