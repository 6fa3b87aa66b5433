import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureTools, type Tools } from '../../scripts/setup/tools.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** undefined: no ffmpeg can be had on this machine. */
    tools: Tools | undefined;
    /** Folder of the clips that tests share in one run. */
    clips: string;
  }
}

/** Once a run, by the first of its projects: makes sure of the tools and hands them on. */
export default async function setUp({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('tools' in vitest.getProvidedContext()) return undefined;
  // Processes that are given a temporary folder of their own find what Node compiled for others all the same.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
  const tools = await found();
  vitest.provide('tools', tools);
  if (tools !== undefined) {
    // Test processes, and the services that they start, take their ffmpeg from here.
    process.env['FFMPEG_PATH'] = tools.ffmpegPath;
    process.env['FFPROBE_PATH'] = tools.ffprobePath;
  }
  const clips = await mkdtemp(join(tmpdir(), 'telecine-clips-'));
  vitest.provide('clips', clips);
  return () => rm(clips, { recursive: true, force: true });
}

async function found(): Promise<Tools | undefined> {
  const said: string[] = [];
  try {
    const tools = await ensureTools((line) => said.push(line));
    if (!tools.supported || !tools.bubblewrap) process.stderr.write(`${said.join('\n')}\n`);
    return tools;
  } catch (error) {
    process.stderr.write(`${[...said, error].join('\n')}\n`);
    return undefined;
  }
}
