/**
 * `npm run bench:stalls`: sends the most expensive bodies that the limits allow, alone and four at a time, while another client requests
 * `/health` and a job every few milliseconds. Prints how long each body delays that client. `-- --only TEXT` sends only bodies whose name
 * contains the text, `--rounds 1` is quick, `--postgres` stores in PostgreSQL.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { must } from '../scripts/lib/api.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { batchBodies } from './support/dear-bodies/batches.ts';
import { conversionBodies } from './support/dear-bodies/conversions.ts';
import type { DearBody } from './support/dear-bodies/dear-body.ts';
import { operationBodies } from './support/dear-bodies/every-operation.ts';
import { manifestBodies } from './support/dear-bodies/manifests.ts';
import { mcpBodies } from './support/dear-bodies/mcp.ts';
import { recipeBodies } from './support/dear-bodies/recipes.ts';
import { DelayWatch } from './support/delay-watch.ts';
import { bound, median } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { startBenchService } from './support/service.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    postgres: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);
/** How many copies of a body are sent together. */
const TOGETHER = 4;
/** The most that a body may delay another client, in milliseconds. */
const MOST_MS = 100;
/** A body that delays by this much is not sent again. */
const HOPELESS_MS = 10 * MOST_MS;
/** The pause after a body, in which its job fails. */
const PAUSE_MS = 30;
/** The number of bodies that are listed again at the end. */
const LISTED = 20;

interface Figures {
  readonly name: string;
  readonly bytes: number;
  readonly status: number;
  /** Milliseconds from the first byte of the body to the last byte of the reply. */
  readonly ownMs: number;
  /** The worst delay of `/health`: the median of the rounds. */
  readonly health: number;
  readonly job: number;
  /** The worst delay of `/health` if the body is sent several times at once: the median of the rounds. */
  readonly healthOfSeveral: number;
}

const folder = benchFolder('stalls');
printMachine(folder);
await using closers = new AsyncDisposableStack();
const postgres = values.postgres ? await startBenchPostgres(closers, folder) : undefined;
await postgres?.sql('CREATE DATABASE telecine');
const env: Readonly<Record<string, string>> =
  postgres === undefined ? {} : { TELECINE_DATABASE_URL: postgres.url('telecine') };
const service = await startBenchService({ folder, env });
const { url, token } = service;
const agent = new Agent({ keepAlive: true });

/** Sends a request, and returns its status and how long it took. A connection that is closed counts as status 0. */
const send = ({ method, path, body, headers }: Omit<DearBody, 'name'>): Promise<{ status: number; ms: number }> =>
  new Promise((resolve) => {
    const from = performance.now();
    const end = (status: number): void => resolve({ status, ms: performance.now() - from });
    const type =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(`${url}${path}`, {
      agent,
      method,
      headers: { authorization: `Bearer ${token}`, ...type, ...headers },
    });
    sent.on('error', () => end(0));
    sent.once('response', (response) => {
      const close = (): void => end(response.statusCode ?? 0);
      response.once('close', close).on('error', close).resume();
    });
    sent.end(body);
  });

async function measure(watch: DelayWatch, one: DearBody): Promise<Figures> {
  for (const before of one.before ?? []) await send(before);
  const rounds: { status: number; ms: number; health: number; job: number; several: number }[] = [];
  // The first round warms up. It counts only if its delay is hopeless.
  for (let i = -1; i < ROUNDS; i++) {
    await sleep(PAUSE_MS);
    await watch.take();
    const answer = await send(one);
    const alone = await watch.take();
    if (alone.health < HOPELESS_MS) await Promise.all(Array.from({ length: TOGETHER }, () => send(one)));
    const several = await watch.take();
    rounds.push({ ...answer, ...alone, several: Math.max(alone.health, several.health) });
    if (alone.health >= HOPELESS_MS) break;
    if (i < 0) rounds.length = 0;
  }
  const of = (figure: Exclude<keyof (typeof rounds)[number], 'status'>) => median(rounds.map((round) => round[figure]));
  return {
    name: one.name,
    bytes: Buffer.byteLength(one.body ?? one.before?.at(-1)?.body ?? one.path),
    status: rounds[0]?.status ?? 0,
    ownMs: of('ms'),
    health: of('health'),
    job: of('job'),
    healthOfSeveral: of('several'),
  };
}

const row = ({ name, bytes, status, ownMs, health, job, healthOfSeveral }: Figures): string =>
  `${health.toFixed(1).padStart(8)} ms /health ${job.toFixed(1).padStart(8)} ms job  ` +
  `${healthOfSeveral.toFixed(1).padStart(8)} ms with ${TOGETHER}  own ${ownMs.toFixed(1).padStart(8)} ms  ${status}  ` +
  `${String(bytes).padStart(7)} bytes  ${name}`;

const conversions = conversionBodies();
const bodies = [
  ...conversions,
  ...batchBodies(),
  ...recipeBodies(),
  ...manifestBodies(),
  ...mcpBodies(conversions),
  ...operationBodies(),
].filter(({ name }) => name.includes(values.only));
try {
  const job = { input: 'missing.mp4', output: 'never.mp4' };
  const { jobId } = await must<{ jobId: string }>(`${url}/api/conversion`, { token, body: job });
  const watch = new DelayWatch(url, `/api/conversion/${jobId}`, token);
  const found: Figures[] = [];
  for (const one of bodies) {
    const figures = await measure(watch, one);
    found.push(figures);
    console.log(row(figures));
  }
  await watch.close();
  const worst = (figure: 'health' | 'healthOfSeveral') => found.toSorted((a, b) => b[figure] - a[figure]);
  console.log(`\n${found.length} bodies; those that delay others most:`);
  for (const figures of worst('health').slice(0, LISTED)) console.log(row(figures));
  const [alone] = worst('health');
  const [several] = worst('healthOfSeveral');
  console.log();
  bound(`ms that "${alone?.name}" delays /health`, alone?.health ?? 0, '<=', MOST_MS, 1);
  bound(`ms that ${TOGETHER} of "${several?.name}" delay /health`, several?.healthOfSeveral ?? 0, '<=', MOST_MS, 1);
} finally {
  agent.destroy();
  await service.stop();
}
