import autocannon from 'autocannon';
import { percentile } from './figures.ts';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly seconds: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
}

export const CONNECTIONS = 64;

/** Posts the same body again and again over 64 connections. Throws unless every answer is a 202. */
export async function load({ url, headers, body, seconds }: Load): Promise<LoadResult> {
  const milliseconds: number[] = [];
  const start = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(
      { url, method: 'POST', connections: CONNECTIONS, duration: seconds, headers: { ...headers }, body },
      (error, done) => (error ? reject(error) : resolve(done)),
    );
    running.on('response', (_client, _status, _bytes, ms) => milliseconds.push(ms));
  });
  const took = (performance.now() - start) / 1000;
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} answers were no success.`);
  return {
    perSecond: milliseconds.length / took,
    p50Ms: percentile(milliseconds, 0.5),
    p99Ms: percentile(milliseconds, 0.99),
    requests: milliseconds.length,
  };
}
