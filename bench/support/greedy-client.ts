/**
 * A client at its limits: reads, events, previews, probes, uploads, downloads, measurements and submissions at once, each with the maximum
 * number of simultaneous calls. Repeats a rejected call after a tenth of a second. Its settings are the JSON of the first argument. It runs
 * until its standard input ends, and then prints the number of calls for each status.
 */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

interface Settings {
  readonly url: string;
  readonly token: string;
  /** A job that does not end, for reads of its status. */
  readonly jobId: string;
  readonly kinds: readonly string[];
}

const { url, token, jobId, kinds } = JSON.parse(process.argv[2] ?? '') as Settings;
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const counts: Record<string, Record<string, number>> = {};
const RETRY_MS = 100;
const UPLOAD = Buffer.alloc(256 * 1024, 'x');
let calls = 0;

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call when the reply has this text. */
  readonly until?: string;
}

/** Sends one request, and reads and drops its reply. Resolves to the status. */
function send({ method = 'GET', path, body, headers: more, until }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      ...more,
    };
    const sent = httpRequest(`${url}${path}`, { agent, method, headers }, (reply) => {
      const { statusCode = 0 } = reply;
      let tail = '';
      reply.on('data', (data: Buffer) => {
        if (until === undefined) return;
        tail = `${tail}${data.toString('latin1')}`.slice(-data.length - until.length);
        if (tail.includes(until)) reply.destroy();
      });
      reply.on('error', () => {});
      reply.on('close', () => resolve(statusCode));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** For each kind of call: the number of simultaneous calls, and a function that returns the next call. */
const KINDS: Readonly<Record<string, { readonly atOnce: number; readonly next: (i: number) => Call }>> = {
  statuses: { atOnce: 20, next: () => ({ path: `/api/conversion/${jobId}` }) },
  lists: { atOnce: 20, next: () => ({ path: '/api/conversion?limit=200' }) },
  events: { atOnce: 40, next: () => ({ path: '/api/events', until: 'event: ready' }) },
  previews: {
    atOnce: 32,
    next: (i) => ({ path: `/api/files/movie.mp4?view=sheet&columns=4&rows=4&width=${400 + (i % 1200)}` }),
  },
  manifests: {
    atOnce: 4,
    next: (i) => ({ path: `/api/files/long.m3u8?view=frame&at=${i % 8}&width=${100 + (i % 900)}` }),
  },
  probes: {
    atOnce: 8,
    next: () => ({ method: 'POST', path: '/api/probe', body: JSON.stringify({ input: 'movie.mp4' }) }),
  },
  uploads: { atOnce: 16, next: (i) => ({ method: 'PUT', path: `/api/files/up/${i % 64}.bin`, body: UPLOAD }) },
  downloads: { atOnce: 8, next: () => ({ path: '/api/files/large.bin' }) },
  measurements: {
    atOnce: 8,
    next: () => ({
      method: 'POST',
      path: '/api/analyze',
      body: JSON.stringify({ input: 'movie.mp4', measure: ['loudness'] }),
    }),
  },
  calls: {
    atOnce: 200,
    next: () => ({
      method: 'POST',
      path: '/mcp',
      headers: { accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'wait_for_job', arguments: { jobId, timeoutSeconds: 0 } },
      }),
    }),
  },
  submissions: {
    atOnce: 8,
    next: (i) => ({
      method: 'POST',
      path: '/api/conversion',
      body: JSON.stringify({ input: 'movie.mp4', output: `out/${i}.mkv`, parameters: { c: 'copy', y: '' } }),
    }),
  },
};

async function repeat(kind: string): Promise<void> {
  const { next } = KINDS[kind] ?? {};
  if (next === undefined) throw new Error(`unknown kind ${kind}`);
  counts[kind] ??= {};
  const found = counts[kind];
  for (;;) {
    const status = await send(next(calls++)).catch(() => 0);
    found[status] = (found[status] ?? 0) + 1;
    if (status < 200 || status > 299) await sleep(RETRY_MS);
  }
}

for (const kind of kinds) for (let i = 0; i < (KINDS[kind]?.atOnce ?? 1); i++) void repeat(kind);
process.stdin.resume().once('end', () => {
  process.stdout.write(JSON.stringify(counts), () => process.exit(0));
});
