import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { seededChoices } from '../faults/soak/seeded-choices.ts';
import type { ApiClient } from '../support/api-client.ts';
import { conversionOf } from './conversions.ts';
import { CANARY, type FuzzSetup } from './fuzz-setup.ts';
import type { Mutant } from './mutant.ts';
import { checkJob, checkProbe, type SecretWords } from './reply-checks.ts';

/** The result of one mutant. */
export interface MutantResult {
  readonly mutant: Mutant;
  readonly job: JobView;
  readonly probe: string;
  readonly seconds: number;
  readonly faults: readonly string[];
}

/** The maximum wait: longer than a job and a probe may take, also on a busy machine. */
const MAX_WAIT_SECONDS = 120;

/** Converts and probes a mutant, checks all replies and outputs, and removes its files from the media root. */
export async function convertMutant(
  setup: FuzzSetup,
  api: ApiClient,
  seed: number,
  mutant: Mutant,
): Promise<MutantResult> {
  const secrets: SecretWords = { words: [setup.folder, CANARY] };
  const input = `in/${mutant.name}`;
  const output = `out/${mutant.number}`;
  await writeFile(join(setup.mediaRoot, input), mutant.bytes);
  const start = performance.now();
  const request = conversionOf(seededChoices(seed ^ mutant.number), input, `${output}/made`);
  const jobId = await api.accept(request);
  const probed = await api.request<unknown>('/api/probe', { body: { input } });
  const job = await api.wait(jobId, undefined, MAX_WAIT_SECONDS);
  const seconds = (performance.now() - start) / 1000;
  const faults = [
    ...checkJob(job, await api.log(jobId), secrets, input),
    ...checkProbe(probed.status, probed.body, secrets, input),
    ...(mutant.family === 'reference' && (job.outputs ?? []).some(holdsMedia) ? ['ffmpeg followed a reference'] : []),
    ...(await faultsOfOutputs(setup, job)),
  ];
  if (faults.length > 0) await keep(setup, mutant, { request, job, faults });
  await rm(join(setup.mediaRoot, input));
  await rm(join(setup.mediaRoot, output), { recursive: true, force: true });
  const probe = probed.status === 200 ? '200' : (probed.body as { code: string }).code;
  return { mutant, job, probe, seconds, faults };
}

/** Whether a reference was followed: the targets are video and audio. The text of a list itself may pass as subtitles. */
const holdsMedia = ({ streams = [] }: NonNullable<JobView['outputs']>[number]): boolean =>
  streams.some(({ type }) => type === 'video' || type === 'audio');

async function faultsOfOutputs(setup: FuzzSetup, job: JobView): Promise<readonly string[]> {
  const all = (job.outputs ?? []).map(async ({ path, sizeBytes }) => {
    const bytes = await readFile(join(setup.mediaRoot, path)).catch(() => undefined);
    if (bytes?.length !== sizeBytes) return [`${path} is ${bytes?.length} bytes long, not ${sizeBytes}`];
    return bytes.includes(CANARY) ? [`${path} contains the canary`] : [];
  });
  return (await Promise.all(all)).flat();
}

async function keep(setup: FuzzSetup, mutant: Mutant, about: object): Promise<void> {
  const folder = join(setup.failedMutants, String(mutant.number));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'mutant'), mutant.bytes);
  const { bytes: _, ...rest } = mutant;
  await writeFile(join(folder, 'about.json'), JSON.stringify({ ...rest, ...about }, null, 2));
}
