import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runFfprobe } from '../../../scripts/lib/probe.ts';
import { samplePath } from '../../../scripts/lib/samples.ts';
import type { Program } from '../../../scripts/lib/service.ts';
import { command } from '../../../scripts/setup/command.ts';
import { NO_RATE_LIMITS } from '../../support/no-rate-limits.ts';
import { type ServiceFolders, temporaryFolderEnv } from '../service-state.ts';
import type { Programs } from './verify.ts';
import { CLIPS, type ClipName } from './workload.ts';

/** What was measured of a clip. */
export interface ClipFacts {
  readonly seconds: number;
  /** undefined: it has no video. */
  readonly videoFrames: number | undefined;
}

/** The folders, programs and settings of a soak. */
export interface SoakSetup extends ServiceFolders {
  readonly programs: Programs;
  readonly program?: Program | undefined;
  readonly clips: Readonly<Record<ClipName, ClipFacts>>;
  /** Environment variables of the service. */
  readonly env: Readonly<Record<string, string>>;
}

/** Creates the folders in the empty `folder` and cuts the clips from samples. */
export async function createSoakSetup(folder: string, programs: Programs): Promise<SoakSetup> {
  const real = await realpath(folder);
  const [dataDir, mediaRoot, tmpDir] = [join(real, 'data'), join(real, 'media'), join(real, 'tmp')];
  for (const each of [dataDir, tmpDir]) await mkdir(each);
  await mkdir(join(mediaRoot, 'out'), { recursive: true });
  const clips: Partial<Record<ClipName, ClipFacts>> = {};
  for (const name of Object.keys(CLIPS) as ClipName[]) {
    const { sample, seconds, options } = CLIPS[name];
    const target = join(mediaRoot, name);
    await mkdir(dirname(target), { recursive: true });
    const args = ['-v', 'error', '-nostdin', '-i', samplePath(sample), '-t', `${seconds}`, ...options, target];
    const { ok, text } = await command(programs.ffmpegPath, args);
    if (!ok) throw new Error(`ffmpeg could not cut ${name}: ${text}`);
    const { durationSeconds = 0, videoFrames } = await runFfprobe(programs.ffprobePath, target);
    clips[name] = { seconds: durationSeconds, videoFrames };
  }
  const env = {
    ...temporaryFolderEnv({ dataDir, mediaRoot, tmpDir }),
    FFMPEG_PATH: programs.ffmpegPath,
    FFPROBE_PATH: programs.ffprobePath,
    TELECINE_CONCURRENCY: '2',
    ...NO_RATE_LIMITS,
    TELECINE_DRAIN_SECONDS: '2',
    TELECINE_MIN_FREE_DISK: '1M',
  };
  return { dataDir, mediaRoot, tmpDir, programs, clips: clips as Record<ClipName, ClipFacts>, env };
}
