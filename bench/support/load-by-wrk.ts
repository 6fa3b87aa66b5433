import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CONNECTIONS, type Load, type LoadResult } from './load.ts';

/** The output of wrk's script at the end. Times are in microseconds, `cpu` is in seconds. */
interface Done {
  readonly requests: number;
  readonly duration: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  readonly errors: number;
  readonly cpu: number;
}

const DONE = `
function done(summary, latency)
  local e = summary.errors
  print(string.format(
    'DONE {"requests":%d,"duration":%d,"p50":%d,"p99":%d,"failed":%d,"errors":%d,"cpu":%f}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), e.status,
    e.connect + e.read + e.write + e.timeout, os.clock()))
end
`;

/** The script for wrk. It contains the token, because other users can read arguments, but not this file. */
const scriptOf = ({ headers, body }: Load): string =>
  [
    'wrk.method = "POST"',
    `wrk.body = ${JSON.stringify(body)}`,
    ...Object.entries(headers).map(
      ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    ),
    DONE,
  ].join('\n');

/** Creates a load generator. `wrk` is the path of the program. */
export const loadByWrk =
  (wrk: string) =>
  async (load: Load): Promise<LoadResult> => {
    const { url, seconds } = load;
    const folder = await mkdtemp(join(tmpdir(), 'telecine-wrk-'));
    try {
      const script = join(folder, 'post.lua');
      await writeFile(script, scriptOf(load), { mode: 0o600 });
      const args = [
        '--threads',
        '1',
        '--connections',
        String(CONNECTIONS),
        '--duration',
        `${seconds}s`,
        '--script',
        script,
      ];
      const { stdout } = await promisify(execFile)(wrk, [...args, url]);
      const { requests, duration, p50, p99, failed, errors, cpu } = doneOf(stdout);
      if (errors > 0 || failed > 0) throw new Error(`${url}: ${errors} errors, ${failed} answers were errors.`);
      const took = duration / 1e6;
      return { perSecond: requests / took, p50Ms: p50 / 1000, p99Ms: p99 / 1000, requests, generator: cpu / took };
    } finally {
      await rm(folder, { recursive: true });
    }
  };

function doneOf(stdout: string): Done {
  const line = stdout.split('\n').find((one) => one.startsWith('DONE '));
  if (line === undefined) throw new Error(`wrk printed no result:\n${stdout}`);
  return JSON.parse(line.slice('DONE '.length)) as Done;
}
