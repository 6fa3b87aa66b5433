/**
 * `tools/call get_job` against the same library with an empty tool: `npm run bench:mcp`. Both run as processes of their
 * own and are loaded in turn by this one. Also what the first MCP request adds to the memory of an idle service.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bound, median, spread } from './support/figures.ts';
import { CONNECTIONS, type LoadResult, load } from './support/load.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { cpuSeconds, residentMegabytes } from './support/processes.ts';
import { startBenchService } from './support/service.ts';

const ROUNDS = 9;
const SECONDS = 3;
const WARM_UP_SECONDS = 3;
const VERSION = '2026-07-28';

interface Side {
  readonly url: string;
  readonly pid: number;
}

interface Round extends LoadResult {
  /** Processor time of the server for one request. */
  readonly cpuMicroseconds: number;
}

const folder = benchFolder('mcp');
printMachine(folder);
const service = await startBenchService({ folder, args: ['--no-worker'] });
const authorization = `Bearer ${service.token}`;
const json = { 'content-type': 'application/json', authorization };

const submitted = await fetch(`${service.url}/api/conversion`, {
  method: 'POST',
  headers: json,
  body: JSON.stringify({ input: 'a.mp4', output: 'b.mp4', parameters: { 'c:v': 'libx264' } }),
});
const { jobId } = (await submitted.json()) as { jobId: string };

const headers = {
  ...json,
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': VERSION,
  'mcp-method': 'tools/call',
  'mcp-name': 'get_job',
};
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'get_job',
    arguments: { jobId },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

async function round({ url, pid }: Side, seconds = SECONDS): Promise<Round> {
  const before = cpuSeconds(pid);
  const result = await load({ url, headers, body, seconds });
  return { ...result, cpuMicroseconds: ((cpuSeconds(pid) - before) * 1e6) / result.requests };
}

/** The bytes of a first answer, which must be a success. */
async function first({ url }: Side): Promise<number> {
  const reply = await fetch(url, { method: 'POST', headers, body });
  const text = await reply.text();
  if (!text.includes('"result"') || text.includes('"isError"')) throw new Error(`${url} answers ${text}`);
  return text.length;
}

const child = spawn(process.execPath, [join(import.meta.dirname, 'support/bare-mcp.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
const bare: Side = { url: `${address}/mcp`, pid: child.pid ?? 0 };
const ours: Side = { url: `${service.url}/mcp`, pid: service.pid };
try {
  const idle = residentMegabytes(service.pid);
  const bytes = { ours: await first(ours), bare: await first(bare) };
  const added = residentMegabytes(service.pid) - idle;
  console.log(`the first MCP call adds ${added.toFixed(1)} MB to ${idle.toFixed(1)} MB`);
  console.log(
    `${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s a side; answers of ${bytes.ours} and ${bytes.bare} bytes`,
  );
  for (const side of [bare, ours]) await round(side, WARM_UP_SECONDS);
  const rounds: { bare: Round; ours: Round }[] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push({ bare: await round(bare), ours: await round(ours) });
  for (const name of ['bare', 'ours'] as const) {
    const of = (figure: keyof Round): number[] => rounds.map((one) => one[name][figure]);
    console.log(
      `${name === 'ours' ? 'telecine' : 'bare    '}  ${spread(of('perSecond'))} a second, ` +
        `p50 ${spread(of('p50Ms'), 1)} ms, p99 ${spread(of('p99Ms'), 1)} ms, ` +
        `${spread(of('cpuMicroseconds'), 1)} µs of processor a call`,
    );
  }
  const share = rounds.map((one) => one.ours.perSecond / one.bare.perSecond);
  const work = rounds.map((one) => one.bare.cpuMicroseconds / one.ours.cpuMicroseconds);
  console.log(
    `share of the calls a second: ${spread(share, 3)}; by the servers' own processor time: ${spread(work, 3)}`,
  );
  bound('calls of get_job a second, of the empty tool', median(share), '>=', 0.8, 3);
} finally {
  child.kill();
  await service.stop();
}
