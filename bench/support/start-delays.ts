import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getJob, isFinal } from '../../scripts/lib/api.ts';
import { copySample } from '../../scripts/lib/samples.ts';
import { Connection, wallClock } from './http.ts';
import { startBenchService } from './service.ts';

const processes = (): readonly string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

/** The name and the parent of a process. Returns neither if the process has ended. */
function readProcess(pid: string): { readonly name?: string | undefined; readonly parent?: string | undefined } {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { name, parent };
  } catch {
    return {};
  }
}

const isBelow = (pid: string | undefined, service: string): boolean =>
  pid === service || (pid !== undefined && isBelow(readProcess(pid).parent, service));

const PATIENCE_MS = 5000;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/**
 * Waits until a process below the service that did not exist `before` becomes ffmpeg, and returns the time. Polls all
 * processes, which takes about 0.3 ms: that is the maximum error.
 */
function ffmpegSeen(service: string, before: ReadonlySet<string>): number {
  for (const end = wallClock() + PATIENCE_MS; wallClock() < end; Atomics.wait(PAUSE, 0, 0, 0.1))
    for (const pid of processes()) {
      if (before.has(pid)) continue;
      const { name, parent } = readProcess(pid);
      if (name === 'ffmpeg' && isBelow(parent, service)) return wallClock();
    }
  throw new Error('No ffmpeg was seen.');
}

/**
 * The milliseconds from the time at which a client receives a 202 until ffmpeg runs, on an idle service. Linux only.
 */
export async function startDelays(options: {
  readonly folder: string;
  readonly sandbox: 'off' | 'required';
  readonly samples: number;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<readonly number[]> {
  const { folder, sandbox, samples, env } = options;
  await copySample('480p', join(folder, 'media/in.mp4'));
  const service = await startBenchService({ folder, env: { ...env, TELECINE_SANDBOX: sandbox } });
  const connection = new Connection(service.url, service.token);
  const delays: number[] = [];
  try {
    for (let i = -3; i < samples; i++) {
      const body = JSON.stringify({ input: 'in.mp4', output: `${i}.mp4`, parameters: { t: '1', preset: 'ultrafast' } });
      const before = new Set(processes());
      const { text, headAt } = await connection.send('/api/conversion', body);
      const delay = ffmpegSeen(String(service.pid), before) - headAt;
      // Discard the first samples, for which files are not in the page cache yet.
      if (i >= 0) delays.push(delay);
      const { jobId } = JSON.parse(text) as { jobId: string };
      let job = await getJob(service.url, service.token, jobId);
      for (; !isFinal(job); job = await getJob(service.url, service.token, jobId)) await sleep(20);
      if (job.status !== 'COMPLETED') throw new Error(`Job ${jobId}: ${JSON.stringify(job.error)}`);
      // Vary the pause, so that it is not synchronous with the worker, which polls once a second.
      await sleep(100 + ((i * 37) % 90));
    }
  } finally {
    connection.close();
    await service.stop();
  }
  return delays;
}
