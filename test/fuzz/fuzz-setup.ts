import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { samplePath } from '../../scripts/lib/samples.ts';
import { command } from '../../scripts/setup/command.ts';
import { type ServiceFolders, temporaryFolderEnv } from '../faults/service-state.ts';
import type { Programs } from '../faults/soak/verify.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import type { MutantMaterial } from './mutant.ts';
import { generateSources } from './sources.ts';

/** The folders of a service, canaries outside of them, and a listener that nothing may connect to. */
export interface FuzzSetup extends ServiceFolders {
  readonly folder: string;
  readonly material: MutantMaterial;
  readonly env: Readonly<Record<string, string>>;
  /** The number of connections to the listener. */
  connections(): number;
  /** The folder for mutants that caused an error. */
  readonly failedMutants: string;
  close(): void;
}

/** The content of the canaries. No reply or file of the service may contain it. */
export const CANARY = 'the-canary-sings-at-dawn';

/** Time limits of a conversion and a probe. */
const JOB_SECONDS = 10;
const PROBE_SECONDS = 10;

/** Values of `TELECINE_SANDBOX`. */
export const FUZZ_SANDBOXES = ['auto', 'required', 'off'] as const;

export type FuzzSandbox = (typeof FUZZ_SANDBOXES)[number];

/** @param folder An empty folder. */
export async function createFuzzSetup(folder: string, programs: Programs, sandbox: FuzzSandbox): Promise<FuzzSetup> {
  const real = await realpath(folder);
  const [dataDir, mediaRoot, tmpDir] = [join(real, 'data'), join(real, 'media'), join(real, 'tmp')];
  const [outside, failedMutants] = [join(real, 'outside'), join(real, 'kept')];
  for (const each of [join(mediaRoot, 'in'), tmpDir, outside, failedMutants]) await mkdir(each, { recursive: true });
  const sources = await generateSources(join(real, 'sources'), programs.ffmpegPath);

  const canaries = { movie: join(outside, 'canary.ts'), text: join(outside, 'canary.txt') };
  const args = ['-v', 'error', '-i', samplePath('480p'), '-t', '0.5', '-s', '64x36', '-metadata', `title=${CANARY}`];
  const { ok, text } = await command(programs.ffmpegPath, [
    ...args,
    '-metadata',
    `service_name=${CANARY}`,
    canaries.movie,
  ]);
  if (!ok) throw new Error(`ffmpeg could not generate the canaries: ${text}`);
  await writeFile(canaries.text, `${CANARY}\n`);
  const sibling = sources.find(({ name }) => name === 'h264-aac.ts') ?? sources[0];
  if (sibling === undefined) throw new Error('There are no sources.');
  await writeFile(join(mediaRoot, 'in/sibling.ts'), sibling.bytes);
  await writeFile(join(mediaRoot, 'in/list.m3u8'), '#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nsibling.ts\n');
  await writeFile(join(mediaRoot, 'in/list.ffconcat'), "ffconcat version 1.0\nfile 'sibling.ts'\n");

  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const listener = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folders = { dataDir, mediaRoot, tmpDir };
  return {
    ...folders,
    folder: real,
    failedMutants,
    material: { sources, targets: { ...canaries, sibling: 'sibling.ts', listener } },
    env: {
      ...temporaryFolderEnv(folders),
      FFMPEG_PATH: programs.ffmpegPath,
      FFPROBE_PATH: programs.ffprobePath,
      TELECINE_CONCURRENCY: '2',
      ...NO_RATE_LIMITS,
      TELECINE_MIN_FREE_DISK: '1M',
      TELECINE_CLIENT_LIMITS: `submissions=none,pending=none,time=${JOB_SECONDS}`,
      TELECINE_STALL_TIMEOUT_SECONDS: String(JOB_SECONDS),
      TELECINE_PROBE_TIMEOUT_SECONDS: String(PROBE_SECONDS),
      TELECINE_SANDBOX: sandbox,
    },
    connections: () => connections,
    close: () => void server.close(),
  };
}
