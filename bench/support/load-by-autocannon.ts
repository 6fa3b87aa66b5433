import autocannon from 'autocannon';
import { percentile } from './figures.ts';
import { CONNECTIONS, type Load, type LoadResult } from './load.ts';

export async function loadByAutocannon({ url, headers, body, seconds }: Load): Promise<LoadResult> {
  const milliseconds: number[] = [];
  const start = performance.now();
  const before = process.cpuUsage();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(
      { url, method: 'POST', connections: CONNECTIONS, duration: seconds, headers: { ...headers }, body },
      (error, done) => (error ? reject(error) : resolve(done)),
    );
    running.on('response', (_client, _status, _bytes, ms) => milliseconds.push(ms));
  });
  const took = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} replies were not successful.`);
  return {
    perSecond: milliseconds.length / took,
    p50Ms: percentile(milliseconds, 0.5),
    p99Ms: percentile(milliseconds, 0.99),
    requests: milliseconds.length,
    generator: (user + system) / 1e6 / took,
  };
}
