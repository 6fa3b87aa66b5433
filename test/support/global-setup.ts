import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import {
  ensureCompiler,
  ensureCurl,
  ensureJq,
  ensurePromtool,
  ensureRsync,
  ensureSqlite3,
  ensureTools,
  type Tools,
} from '../../scripts/setup/tools.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** undefined: this machine has no ffmpeg, and none can be installed. */
    tools: Tools | undefined;
    /** Folder of the clips that all tests of a run share. */
    clips: string;
  }
}

/** Installs missing tools and provides their paths to the tests. The first project of a run does this for all. */
export default async function setUp({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('tools' in vitest.getProvidedContext()) return undefined;
  const tools = await installTools();
  vitest.provide('tools', tools);
  if (tools !== undefined) {
    // Test processes and the services that they start use this ffmpeg.
    process.env['FFMPEG_PATH'] = tools.ffmpegPath;
    process.env['FFPROBE_PATH'] = tools.ffprobePath;
  }
  const clips = await mkdtemp(join(tmpdir(), 'telecine-clips-'));
  vitest.provide('clips', clips);
  // A service that has just been killed may still write to it.
  return () => rm(clips, { recursive: true, force: true, maxRetries: 3 });
}

/** `needs` skips or fails the tests that need a tool which cannot be installed. */
async function installTools(): Promise<Tools | undefined> {
  const lines: string[] = [];
  const say = (line: string): number => lines.push(line);
  try {
    const tools = await ensureTools(say);
    const isInstalled = [(await ensurePromtool(say)) !== undefined];
    for (const ensure of [ensureCurl, ensureCompiler, ensureJq, ensureRsync, ensureSqlite3])
      isInstalled.push(await ensure(say));
    if (!tools.supported || !tools.bubblewrap || isInstalled.includes(false))
      process.stderr.write(`${lines.join('\n')}\n`);
    return tools;
  } catch (error) {
    process.stderr.write(`${[...lines, error].join('\n')}\n`);
    return undefined;
  }
}
