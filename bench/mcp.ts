/**
 * `npm run bench:mcp`: compares `tools/call wait_for_job` with an empty tool of the same library. Both servers run in processes
 * of their own and receive the load in turns. Also measures the memory that the first MCP request adds to an idle service.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithTests } from '../test/support/end-with-tests.ts';
import { bound, spread } from './support/figures.ts';
import { GENERATOR, load } from './support/generator.ts';
import { CONNECTIONS, type LoadResult } from './support/load.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { cpuSeconds, residentMegabytes } from './support/processes.ts';
import { startBenchService } from './support/service.ts';

const ROUNDS = 7;
const SECONDS = 3;
const WARM_UP_SECONDS = 3;
const VERSION = '2026-07-28';

/** The labels of the sides. `method` is the lower limit: a handler of `tools/call` without a tool. */
const WHAT = {
  tool: 'empty tool ',
  method: 'bare method',
  ours: 'telecine   ',
  olderTool: 'empty tool, older revision',
  older: 'telecine, older revision  ',
} as const;

interface Side {
  readonly url: string;
  readonly pid: number;
  /** The request to send. Default: a request of the newest revision of MCP. */
  readonly message?: typeof MESSAGE;
}

interface Round extends LoadResult {
  /** The processor time of the server per request. */
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

const older = { ...json, accept: 'application/json, text/event-stream' };
const headers = {
  ...older,
  'mcp-protocol-version': VERSION,
  'mcp-method': 'tools/call',
  'mcp-name': 'wait_for_job',
};
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'wait_for_job',
    arguments: { jobId, timeoutSeconds: 0 },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

const MESSAGE: { readonly headers: Readonly<Record<string, string>>; readonly body: string } = { headers, body };
const OLDER: typeof MESSAGE = {
  headers: older,
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'wait_for_job', arguments: { jobId, timeoutSeconds: 0 } },
  }),
};

async function round({ url, pid, message = MESSAGE }: Side, seconds = SECONDS): Promise<Round> {
  const before = cpuSeconds(pid);
  const result = await load({ url, ...message, seconds });
  return { ...result, cpuMicroseconds: ((cpuSeconds(pid) - before) * 1e6) / result.requests };
}

/** Sends one request, and returns the number of bytes of the reply. Throws if the reply is an error. */
async function first({ url, message = MESSAGE }: Side): Promise<number> {
  const reply = await fetch(url, { method: 'POST', ...message });
  const text = await reply.text();
  if (!text.includes('"result"') || text.includes('"isError"')) throw new Error(`${url} answers ${text}`);
  return text.length;
}

async function startBare(kind: 'tool' | 'method'): Promise<Side & { readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support/bare-mcp.ts'), kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithTests(child);
  const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url: `${address}/mcp`, pid: child.pid ?? 0, child };
}

const tool = await startBare('tool');
const method = await startBare('method');
const ours: Side = { url: `${service.url}/mcp`, pid: service.pid };
try {
  const idle = residentMegabytes(service.pid);
  const sides = {
    ...{ tool, method, ours },
    ...{ olderTool: { ...tool, message: OLDER }, older: { ...ours, message: OLDER } },
  };
  const bytes = await first(ours);
  const added = residentMegabytes(service.pid) - idle;
  console.log(`the first MCP call adds ${added.toFixed(1)} MB to ${idle.toFixed(1)} MB`);
  for (const side of Object.values(sides)) await first(side);
  console.log(
    `${CONNECTIONS} connections by ${GENERATOR}, ${ROUNDS} rounds of ${SECONDS} s a side; answers of ${bytes} bytes`,
  );
  for (const side of Object.values(sides)) await round(side, WARM_UP_SECONDS);
  const rounds: Record<keyof typeof sides, Round>[] = [];
  for (let i = 0; i < ROUNDS; i++)
    rounds.push({
      tool: await round(tool),
      method: await round(method),
      ours: await round(ours),
      olderTool: await round(sides.olderTool),
      older: await round(sides.older),
    });
  for (const [name, what] of Object.entries(WHAT) as [keyof typeof sides, string][]) {
    const of = (figure: keyof Round): number[] => rounds.map((one) => one[name][figure]);
    console.log(
      `${what}  ${spread(of('perSecond'))} a second, p50 ${spread(of('p50Ms'), 1)} ms, p99 ${spread(of('p99Ms'), 1)} ms, ` +
        `${spread(of('cpuMicroseconds'), 1)} µs of processor a call`,
    );
  }
  for (const other of ['tool', 'method'] as const) {
    const share = rounds.map((one) => one.ours.perSecond / one[other].perSecond);
    const work = rounds.map((one) => one[other].cpuMicroseconds / one.ours.cpuMicroseconds);
    console.log(
      `of ${WHAT[other]}: ${spread(share, 3)} of the calls; by the servers' own processor time ${spread(work, 3)}`,
    );
  }
  const share = rounds.map((one) => one.ours.perSecond / one.tool.perSecond);
  bound('calls of wait_for_job a second, of the empty tool', share, '>=', 0.8, 3);
  const olderShare = rounds.map((one) => one.older.perSecond / one.olderTool.perSecond);
  console.log(`of the empty tool, older revision: ${spread(olderShare, 3)} of the calls`);
  bound('the same for clients of older revisions of the protocol', olderShare, '>=', 0.8, 3);
} finally {
  for (const { child } of [tool, method]) child.kill();
  await service.stop();
}
