import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getJob, isFinal } from '../../scripts/lib/api.ts';
import { copySample } from '../../scripts/lib/samples.ts';
import { Connection, wallClock } from './http.ts';
import { startBenchService } from './service.ts';

/** Where the shim leaves the time, beside the output: the one folder that a sandboxed ffmpeg can write to. */
const MARK = 'started';

/**
 * Stands for ffmpeg: writes down the time, to the microsecond and without starting another program, and becomes
 * ffmpeg. Asked outside of a job (`-version` and so on) it finds no `out/` and writes nothing.
 */
function writeShim(path: string): void {
  const ffmpeg = execFileSync('sh', ['-c', 'command -v ffmpeg'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/bash\n{ echo $EPOCHREALTIME > out/${MARK}; } 2> /dev/null\nexec ${ffmpeg} "$@"\n`;
  writeFileSync(path, script, { mode: 0o755 });
}

const markOf = (folder: string): number => Number(readFileSync(join(folder, MARK), 'utf8')) * 1000;

/** Milliseconds from asking the kernel for the shim to the time that it writes: what of a delay may be its own. */
async function shimAlone(shim: string, folder: string): Promise<number> {
  mkdirSync(join(folder, 'out'), { recursive: true });
  const start = wallClock();
  await once(spawn(shim, ['-version'], { cwd: folder, stdio: 'ignore' }), 'close');
  return markOf(join(folder, 'out')) - start;
}

/** Milliseconds from a 202, as its client sees it, to ffmpeg's first instruction, each on a service that is idle. */
export async function startDelays(options: {
  /** Fresh. */
  readonly folder: string;
  readonly sandbox: 'off' | 'required';
  readonly samples: number;
}): Promise<{ readonly delays: readonly number[]; readonly shim: readonly number[] }> {
  const { folder, sandbox, samples } = options;
  const shimPath = join(folder, 'ffmpeg');
  mkdirSync(folder, { recursive: true });
  writeShim(shimPath);
  await copySample('480p', join(folder, 'media/in.mp4'));
  const service = await startBenchService({ folder, env: { TELECINE_SANDBOX: sandbox, FFMPEG_PATH: shimPath } });
  const connection = new Connection(service.url, service.token);
  const delays: number[] = [];
  const shim: number[] = [];
  try {
    for (let i = -3; i < samples; i++) {
      const output = `${i}/out.mp4`;
      const body = JSON.stringify({ input: 'in.mp4', output, parameters: { t: '0.2', c: 'copy' } });
      const { text, headAt } = await connection.send('/api/conversion', body);
      const { jobId } = JSON.parse(text) as { jobId: string };
      let job = await getJob(service.url, service.token, jobId);
      for (; !isFinal(job); job = await getJob(service.url, service.token, jobId)) await sleep(20);
      if (job.status !== 'COMPLETED') throw new Error(`Job ${jobId}: ${JSON.stringify(job.error)}`);
      const shimMs = await shimAlone(shimPath, join(folder, 'alone'));
      // The first ones find cold files.
      if (i >= 0) {
        delays.push(markOf(join(service.mediaRoot, String(i))) - headAt);
        shim.push(shimMs);
      }
      // Of no fixed relation to the worker's own look, once a second.
      await sleep(100 + ((i * 37) % 90));
    }
  } finally {
    connection.close();
    await service.stop();
  }
  return { delays, shim };
}
