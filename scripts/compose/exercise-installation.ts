import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { call, getJob, isFinal, must, type TokenReply } from '../lib/api.ts';
import { samplePath } from '../lib/samples.ts';

export interface Installation {
  readonly url: string;
  readonly prometheus: string;
  readonly adminSecret: string;
  /** Runs `docker compose up` with more arguments, and waits until all containers are healthy. */
  readonly up: (...args: readonly string[]) => Promise<void>;
  /** Runs a command of `docker compose` and returns its output. */
  readonly composed: (...args: readonly string[]) => Promise<string>;
  /** When the containers were started for the first time, by `performance.now()`. */
  readonly startedAt: number;
}

/** How long a new installation may take to be ready. */
const READY_MS = 60_000;
const PATIENCE_MS = 600_000;
const JOBS = 12;
const REQUEST = { input: 'in.mp4', parameters: { t: '4', 'c:v': 'libx264', preset: 'veryfast', 'c:a': 'aac' } };

/** Uses an installation as clients do, while its parts are killed, stopped and added. Throws if something is wrong. */
export async function exerciseInstallation(installation: Installation): Promise<void> {
  const { url, adminSecret, up, composed, prometheus, startedAt } = installation;
  const readyMs = await untilReady(url, startedAt);
  console.log(`✓ a new installation is ready ${(readyMs / 1000).toFixed(1)} s after its containers were started`);
  await up();
  console.log('✓ all containers are healthy');
  const { accessToken: token } = await must<TokenReply>(`${url}/api/auth/token`, {
    body: { clientId: 'admin', clientSecret: adminSecret },
  });
  const uploaded = await fetch(`${url}/api/files/in.mp4`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: await readFile(samplePath('480p')),
  });
  check(uploaded.status === 201, `the upload answers 201, not ${uploaded.status}: ${await uploaded.text()}`);

  const submit = async (name: string): Promise<string> =>
    (
      await must<{ jobId: string }>(`${url}/api/conversion`, {
        token,
        body: { ...REQUEST, output: `out/${name}.mp4` },
      })
    ).jobId;
  const finished = async (jobId: string): Promise<JobView> => {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(250)) {
      const job = await getJob(url, token, jobId);
      if (isFinal(job)) return job;
    }
    throw new Error(`Job ${jobId} did not end.`);
  };
  const allCompleted = async (jobIds: readonly string[]): Promise<void> => {
    for (const jobId of jobIds) {
      const job = await finished(jobId);
      check(job.status === 'COMPLETED', `job ${jobId} is COMPLETED, not ${job.status}: ${JSON.stringify(job.error)}`);
    }
  };

  const first = await submit('first');
  await allCompleted([first]);
  const output = await fetch(`${url}/api/conversion/${first}/output`, {
    headers: { authorization: `Bearer ${token}` },
  });
  check(output.status === 200, `the download answers 200, not ${output.status}`);
  const bytes = new Uint8Array(await output.arrayBuffer());
  check(new TextDecoder().decode(bytes.subarray(4, 8)) === 'ftyp', 'the output is an MP4 file');
  console.log('✓ uploads, converts and downloads through the proxy');

  const jobs: string[] = [];
  for (let i = 0; i < JOBS; i++) jobs.push(await submit(`killed-${i}`));
  await composed('kill', '--signal', 'KILL', 'worker');
  await up('--no-recreate');
  await allCompleted(jobs);
  console.log('✓ jobs of killed workers are completed by others');

  const stopping = new AbortController();
  const requests = keepAsking(`${url}/api/conversion?limit=1`, token, stopping.signal);
  try {
    await composed('up', '--no-build', '--detach', '--scale', 'api=1', '--no-recreate');
    await up('--no-recreate', '--scale', 'api=2');
  } finally {
    stopping.abort();
  }
  const { answered, failed } = await requests;
  check(failed.length === 0, `no request fails while an API server is replaced: ${failed.slice(0, 3).join('; ')}`);
  console.log(`✓ an API server is replaced without a failed request (${answered} answered)`);

  await composed('exec', '-T', 'api', 'node', 'bin/telecine.js', 'client', 'add', 'shop', '--root', 'shop');
  console.log('✓ a client is added in a container');

  for (const end = Date.now() + PATIENCE_MS; ; await sleep(1000)) {
    const targets = await must<{ data: { result: { value: [number, string] }[] } }>(
      `${prometheus}/api/v1/query?query=${encodeURIComponent('count(up{job="telecine"} == 1)')}`,
    );
    const reached = Number(targets.data.result[0]?.value[1] ?? 0);
    if (reached === 5) break;
    check(Date.now() < end, `Prometheus reads 5 processes, not ${reached}`);
  }
  check((await call(`${url}/metrics`)).status === 404, 'the proxy hides the metrics');
  console.log('✓ Prometheus reads all API servers and workers');
}

/** Waits until the proxy has an API server that is ready. Returns how long that took, in milliseconds. */
async function untilReady(url: string, startedAt: number): Promise<number> {
  for (; performance.now() - startedAt < READY_MS; await sleep(250)) {
    const reply = await call(`${url}/ready`).catch(() => undefined);
    if (reply?.status === 200) return performance.now() - startedAt;
  }
  throw new Error(`${url}/ready did not answer 200 within ${READY_MS / 1000} s.`);
}

async function keepAsking(
  url: string,
  token: string,
  stop: AbortSignal,
): Promise<{ answered: number; failed: readonly string[] }> {
  const failed: string[] = [];
  let answered = 0;
  while (!stop.aborted) {
    try {
      const { status } = await call(url, { token });
      if (status === 200) answered++;
      else failed.push(`status ${status}`);
    } catch (error) {
      failed.push(String(error));
    }
    await sleep(20);
  }
  return { answered, failed };
}

function check(isTrue: boolean, expectation: string): asserts isTrue {
  if (!isTrue) throw new Error(`Expected that ${expectation}.`);
}
