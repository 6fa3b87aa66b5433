// @module-tag long
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AttemptDeferred } from '../../packages/contract/src/domain/failure.ts';
import { type Build, identifyBuild } from '../../packages/ffmpeg/src/catalogue/build.ts';
import { ToolsUnusable, toolFault, toolsUnusable } from '../../packages/ffmpeg/src/catalogue/tool-faults.ts';
import type { Toolchain } from '../../packages/ffmpeg/src/toolchain.ts';
import { converter } from '../../packages/service/src/jobs/ffmpeg/conversions.ts';
import { MOVIE, POLICY, planOf, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const program = (version: string) => `#!/bin/sh\necho 'ffmpeg version ${version} Copyright'\n`;

/** An ffmpeg that converts, and prints what `version` prints as its version. */
const converting = (version: string) =>
  `#!/bin/sh\n[ "$*" = -version ] && { ${version}; exit; }\nexec '${tools().ffmpegPath}' "$@"\n`;

/** A build, and a function that replaces its program. */
async function ffmpeg(text = program('7.1')) {
  const path = join(await testFolder('replaced-ffmpeg'), 'ffmpeg');
  const replaceBy = async (text: string): Promise<void> => {
    await writeFile(`${path}.new`, text, { mode: 0o755 });
    await rename(`${path}.new`, path);
  };
  await replaceBy(text);
  const build = await identifyBuild(path);
  return { build, replaceBy };
}

/** Converts with an ffmpeg that is replaced while its first pass runs. */
async function convertWhileReplacedBy(version: string, passes: readonly (readonly string[])[]) {
  const { build, replaceBy } = await ffmpeg(converting("echo 'ffmpeg version 7.1 Copyright'"));
  let replaced: Promise<void> | undefined;
  const result = await convertWith(build, passes, () => {
    replaced ??= replaceBy(converting(version));
  });
  expect(replaced).toBeDefined();
  return result;
}

async function convertWith(build: Build, passes: readonly (readonly string[])[], onProgress: () => void) {
  const dir = await scratch();
  const found = {
    build,
    sandbox: NO_SANDBOX,
    speech: {},
    cgroups: { kind: 'none', reason: 'off' },
  } as unknown as Toolchain;
  const files = { scratchFolder: () => dir, mounts: () => [{ logical: 'in/0.mp4', hostPath: MOVIE }] };
  const convert = converter(Promise.resolve(found), files, { longestRunSeconds: 60, stallTimeoutSeconds: 30 });
  const task = { policy: POLICY, scratch: { name: 'a' }, inputs: [], signal: new AbortController().signal };
  const ignore = () => undefined;
  return convert({
    ...task,
    ...{
      plan: planOf('out/a.mp4', passes),
      onCountable: ignore,
      waitForTurn: async () => {},
      onStart: ignore,
      onFault: ignore,
      onProgress,
    },
  }).catch((error: unknown) => error);
}

const copy = ['-i', 'in/0.mp4', '-t', '2', '-c', 'copy', 'out/a.mp4'];

for (const [what, version] of [
  ['another version, which is being checked', "sleep 3; echo 'ffmpeg version 9.9 Copyright'"],
  ['a program that is not ffmpeg', 'echo rubbish'],
] as const)
  needs('ffmpeg')(`a conversion that began before ffmpeg was replaced by ${what}, counts`, async () => {
    expect(await convertWhileReplacedBy(version, [['-re', ...copy]])).toMatchObject({ ok: true });
  });

const measured = ['-re', '-i', 'in/0.mp4', '-t', '2', '-c', 'copy', '-f', 'null', '-'];

needs('ffmpeg')('a conversion whose last pass another version ran counts, once that was checked', async () => {
  const version = "sleep 2; echo 'ffmpeg version 9.9 Copyright'";
  expect(await convertWhileReplacedBy(version, [measured, copy])).toMatchObject({ ok: true });
});

needs('ffmpeg')('a conversion whose last pass a program ran that is not ffmpeg is repeated', async () => {
  const result = await convertWhileReplacedBy('echo rubbish', [measured, copy]);
  expect(result).toMatchObject({ failure: { code: 'NO_WORKER' } });
  expect(result).toBeInstanceOf(AttemptDeferred);
});

needs('ffmpeg')(
  'a conversion by an ffmpeg that has begun to crash is repeated, and one that fails alone is not',
  async () => {
    const broken = join(await testFolder('library'), 'broken');
    const crash = `[ -e '${broken}' ] && kill -SEGV $$`;
    const text = converting("echo 'ffmpeg version 7.1 Copyright'").replace('\n', () => `\n${crash}\n`);
    const { build } = await ffmpeg(text);
    const impossible = ['-i', 'in/0.mp4', '-c:v', 'copy', '-vf', 'hflip', 'out/a.mp4'];
    const failed = await convertWith(build, [impossible], () => undefined);
    expect(failed).toMatchObject({ ok: false, failure: { code: 'FFMPEG_FAILED' } });
    await writeFile(broken, '');
    const result = await convertWith(build, [copy], () => undefined);
    expect(result).toBeInstanceOf(AttemptDeferred);
    expect(result).toMatchObject({
      failure: {
        code: 'NO_WORKER',
        message: expect.stringMatching(/does not run any more\.$/),
        fix: 'Ask the operator to install it again with its libraries.',
      },
    });
    expect(toolFault({ build })).toMatchObject({ program: 'ffmpeg', fix: 'install it again with its libraries' });
  },
);

test('messages name the program that is lost, and advise nothing while another one is checked', async () => {
  const { build, replaceBy } = await ffmpeg();
  const ofProbe = toolFault({ build, ffprobePath: `${build.path}-lost` });
  expect(ofProbe && new ToolsUnusable(ofProbe).message).toMatch(
    /^The ffprobe of the service was removed .*install it /,
  );
  expect(ofProbe && toolsUnusable(ofProbe)).toMatchObject({
    message: expect.stringMatching(/^The ffprobe of the worker was removed /),
    fix: 'Ask the operator to install it again.',
  });
  await replaceBy(program('9.9'));
  const checked = toolFault({ build });
  expect(checked && new ToolsUnusable(checked).message).toMatch(/is being checked\. Retry in 10 s\.$/);
  expect(checked && toolsUnusable(checked).message).toMatch(/is being checked\.$/);
});
