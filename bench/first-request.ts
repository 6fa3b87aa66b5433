/**
 * `npm run bench:first`: measures the first start of a fresh installation, and its first requests. Compares them with
 * the same requests sent again.
 * Each start has its own data folder.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXAMPLE } from './support/example.ts';
import { bound, spread } from './support/figures.ts';
import { Connection } from './support/http.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { residentMegabytes } from './support/processes.ts';
import { startBenchService } from './support/service.ts';

const STARTS = 7;
/** How long to wait for the work that a service postpones at its start. */
const SETTLE_MS = 3000;

const OTHER = {
  input: 'a.mkv',
  output: 'b.webm',
  parameters: {
    ...{ 'c:v': 'libvpx-vp9', crf: '31', 'row-mt': '1', 'cpu-used': '4', vf: 'scale=1280:-2,fps=25,drawbox=w=10:h=10' },
    ...{ 'c:a': 'libopus', 'b:a': '96k', map_metadata: '-1', force_key_frames: 'expr:gte(t,n_forced*2)' },
  },
};

const folder = benchFolder('first');
printMachine(folder);
const figures: Record<'ready' | 'first' | 'other' | 'again' | 'memory', number[]> = {
  ready: [],
  first: [],
  other: [],
  again: [],
  memory: [],
};
for (let i = 0; i < STARTS; i++) {
  const service = await startBenchService({ folder: join(folder, String(i)) });
  const connection = new Connection(service.url, service.token);
  try {
    const submit = async (body: object): Promise<number> => {
      const from = performance.now();
      const { text } = await connection.send('/api/conversion', JSON.stringify(body));
      if (!text.includes('"PENDING"')) throw new Error(text);
      return performance.now() - from;
    };
    figures.ready.push(service.readyMs);
    figures.first.push(await submit(EXAMPLE));
    figures.other.push(await submit(OTHER));
    figures.again.push(await submit(EXAMPLE));
    await sleep(SETTLE_MS);
    figures.memory.push(residentMegabytes(service.pid));
  } finally {
    connection.close();
    await service.stop();
  }
}
console.log(`start to ready             ${spread(figures.ready)} ms`);
console.log(`first request              ${spread(figures.first)} ms`);
console.log(`first, other options       ${spread(figures.other)} ms`);
console.log(`first request again        ${spread(figures.again, 1)} ms`);
bound('milliseconds from a first start to ready', figures.ready, '<=', 600, 0);
bound('milliseconds of a first request', figures.first, '<=', 40, 0);
bound('milliseconds of the first request with other options', figures.other, '<=', 40, 0);
bound('idle memory in MB, after four requests', figures.memory, '<=', 110, 0);
