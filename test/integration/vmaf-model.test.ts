import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { openFfmpeg } from '../../packages/ffmpeg/src/library/open-ffmpeg.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

/** What a static build with libvmaf 2.3 printed for a model that it lacks, with the name of the default model. */
const NO_MODEL = `libvmaf WARNING no such built-in model: "vmaf_v0.6.1"
[Parsed_libvmaf_2 @ 0x275a4d40] could not load libvmaf model with version: vmaf_v0.6.1
[AVFilterGraph @ 0x275a1c80] Error processing filtergraph: Invalid argument
`;

/**
 * The installed ffmpeg, with the filter libvmaf in its list, because no ffmpeg of the tests has it. A run with the filter prints the file
 * `answer`. `start` opens it with such an answer, and returns the errors of a request with VMAF.
 */
async function withLibvmaf() {
  const mediaRoot = await testFolder('vmaf');
  const folder = await testFolder('ffmpeg-with-libvmaf');
  const [path, answer, cacheFolder] = [join(folder, 'ffmpeg'), join(folder, 'answer'), join(folder, 'catalogues')];
  const { ffmpegPath } = tools();
  const script = `#!/bin/sh
case "$*" in
*-filters*) '${ffmpegPath}' "$@" && echo ' ... libvmaf           VV->V      Calculate the VMAF between two video streams.' ;;
*libvmaf*) cat '${answer}' >&2; exit 1 ;;
*) exec '${ffmpegPath}' "$@" ;;
esac
`;
  await writeFile(path, script, { mode: 0o755 });
  return async (text: string) => {
    await writeFile(answer, text);
    // Without a sandbox, which does not show the shell that runs the script.
    const ffmpeg = await openFfmpeg({ mediaRoot, path, sandbox: 'off', cacheFolder });
    onTestFinished(() => ffmpeg.close());
    const request = { input: 'in.mp4', output: 'a.mp4', parameters: {}, quality: { target: 95 } };
    return (await ffmpeg.plan(request)).errors.map(({ field, message }) => `${field} ${message}`);
  };
}

needs('ffmpeg')('VMAF is rejected while libvmaf has no model, and offered once another is installed', async () => {
  const start = await withLibvmaf();
  expect(await start(NO_MODEL)).toEqual([
    '/quality/target The installed ffmpeg cannot measure VMAF: its libvmaf was built without a model.',
  ]);
  expect(await start('')).toEqual([]);
});

needs('ffmpeg')('VMAF is offered if libvmaf fails for another reason', { tags: 'long' }, async () => {
  const start = await withLibvmaf();
  expect(await start('[Parsed_libvmaf_2 @ 0x1] problem during vmaf_read_pictures.\n')).toEqual([]);
});
