/**
 * `npm run bench:submit`: compares durable submissions with a bare Fastify server that only parses the body and replies, and with one
 * that stores the body durably before it replies. The servers run in processes of their own and receive the load in turns.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXAMPLE, EXAMPLE_JSON } from './support/example.ts';
import { bound, spread } from './support/figures.ts';
import { GENERATOR, load } from './support/generator.ts';
import { CONNECTIONS, type LoadResult } from './support/load.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { cpuSeconds, mainThreadSeconds } from './support/processes.ts';
import { replySize } from './support/reply-size.ts';
import { startBenchService } from './support/service.ts';
import { startBareServer, startDurableServer } from './support/start-bare-server.ts';

const ROUNDS = 9;
const SECONDS = 4;
/** How long V8 takes to optimise the code of a submission. */
const WARM_UP_SECONDS = 12;

interface Side {
  readonly url: string;
  readonly pid: number;
}

interface Round extends LoadResult {
  /** The processor time of the server per request. */
  readonly cpuMicroseconds: number;
  /** The processor time of the main thread, which runs the event loop, per request. */
  readonly loopMicroseconds: number;
}

async function round({ url, pid }: Side, seconds = SECONDS): Promise<Round> {
  const before = { cpu: cpuSeconds(pid), loop: mainThreadSeconds(pid) };
  const result = await load({ url, headers, body: EXAMPLE_JSON, seconds });
  return {
    ...result,
    cpuMicroseconds: ((cpuSeconds(pid) - before.cpu) * 1e6) / result.requests,
    loopMicroseconds: ((mainThreadSeconds(pid) - before.loop) * 1e6) / result.requests,
  };
}

const folder = benchFolder('submit');
printMachine(folder);
const service = await startBenchService({ folder, args: ['--no-worker'] });
// Create the input: the reply for a missing input has a warning, and the ordinary reply is measured.
const input = join(service.mediaRoot, EXAMPLE.input);
mkdirSync(dirname(input), { recursive: true });
writeFileSync(input, '');
/** The header fields for both servers. The bare server ignores the token. */
const headers = { 'content-type': 'application/json', authorization: `Bearer ${service.token}` };
const ours: Side = { url: `${service.url}/api/conversion`, pid: service.pid };
const wanted = await replySize(ours.url, headers, EXAMPLE_JSON);
const { message } = JSON.parse(wanted.body) as { message: string };
const unpadded = await startBareServer(message, '');
const short = wanted.bytes - (await replySize(`${unpadded.address}/api/conversion`, headers, EXAMPLE_JSON)).bytes;
unpadded.child.kill();
// A header field takes four bytes more than its name and its value.
const padding = 'x'.repeat(short - 'x-padding'.length - 4);
const servers = [await startBareServer(message, padding), await startDurableServer(message, padding, folder)] as const;
const [bare, durable] = servers.map(
  ({ child, address }): Side => ({ url: `${address}/api/conversion`, pid: child.pid ?? 0 }),
) as [Side, Side];
try {
  const bytes = (await replySize(bare.url, headers, EXAMPLE_JSON)).bytes;
  console.log(
    `${CONNECTIONS} connections by ${GENERATOR}, ${ROUNDS} rounds of ${SECONDS} s a side; replies of ${wanted.bytes} and ${bytes} bytes`,
  );
  for (const side of [bare, durable, ours]) await round(side, WARM_UP_SECONDS);
  const rounds: { bare: Round; durable: Round; ours: Round }[] = [];
  for (let i = 0; i < ROUNDS; i++)
    rounds.push({ bare: await round(bare), durable: await round(durable), ours: await round(ours) });
  for (const name of ['bare', 'durable', 'ours'] as const) {
    const of = (figure: keyof Round): number[] => rounds.map((one) => one[name][figure]);
    console.log(
      `${(name === 'ours' ? 'telecine' : name).padEnd(8)}  ${spread(of('perSecond'))} a second, ` +
        `p50 ${spread(of('p50Ms'), 1)} ms, p99 ${spread(of('p99Ms'), 1)} ms, ` +
        `${spread(of('cpuMicroseconds'), 1)} µs of processor a request, ` +
        `${spread(of('loopMicroseconds'), 1)} of them in the event loop; ` +
        `load generator: ${spread(of('generator'), 2)} of a core`,
    );
  }
  const share = rounds.map((one) => one.ours.perSecond / one.bare.perSecond);
  const work = rounds.map((one) => one.bare.cpuMicroseconds / one.ours.cpuMicroseconds);
  const loop = rounds.map((one) => one.bare.loopMicroseconds / one.ours.loopMicroseconds);
  console.log(
    `share of the submissions a second: ${spread(share, 3)}; by the servers' own processor time: ${spread(work, 3)}, ` +
      `by that of their event loops: ${spread(loop, 3)}`,
  );
  bound('durable submissions a second, of the bare server', share, '>=', 0.4, 3);
  bound(
    'durable submissions a second, of the bare server that stores them',
    rounds.map((one) => one.ours.perSecond / one.durable.perSecond),
    '>=',
    0.85,
  );
  bound(
    'µs of the event loop a submission',
    rounds.map((one) => one.ours.loopMicroseconds),
    '<=',
    85,
    1,
  );
  bound(
    'p99 of a submission in ms, of the bare server',
    rounds.map((one) => one.ours.p99Ms / one.bare.p99Ms),
    '<=',
    3,
  );
} finally {
  for (const { child } of servers) child.kill();
  await service.stop();
}
