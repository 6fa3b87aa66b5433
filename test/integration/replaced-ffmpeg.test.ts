import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runPlanner } from '../../src/cli/compose/conversions.ts';
import { AttemptDeferred } from '../../src/domain/failure.ts';
import { identifyBuild } from '../../src/ffmpeg/catalogue/build.ts';
import { openCatalogue } from '../../src/ffmpeg/catalogue/live-catalogue.ts';
import { planSteps } from '../../src/ffmpeg/plan/plan-step.ts';
import { testFolder } from '../support/folders.ts';
import { mediaRoot } from '../support/media-root.ts';
import { CATALOGUE } from '../support/planning.ts';
import { waitUntil } from '../support/wait.ts';

const program = (version: string) => `#!/bin/sh\necho 'ffmpeg version ${version} Copyright'\n`;

/** A build whose encoders were never queried, and a function that replaces its program. */
async function ffmpeg() {
  const path = join(await testFolder('replaced-ffmpeg'), 'ffmpeg');
  const replaceBy = async (text: string): Promise<void> => {
    await writeFile(`${path}.new`, text, { mode: 0o755 });
    await rename(`${path}.new`, path);
  };
  await replaceBy(program('7.1'));
  const build = await identifyBuild(path);
  const known = { ...CATALOGUE, build, components: new Map() };
  return { build, replaceBy, catalogue: await openCatalogue(build, undefined, undefined, known) };
}

test('a job that needs a fact of an ffmpeg that was replaced waits, and says that a restart is needed', async () => {
  const { catalogue, replaceBy } = await ffmpeg();
  const planner = runPlanner(Promise.resolve({ catalogue }), { ofRequest: planOnTheLoop, ofJob: planOnTheLoop });
  const request = { input: 'a.mp4', output: 'b.mkv', parameters: { 'c:v': 'libx264', crf: '20' } };
  const plan = () => planner(request, { clientId: 'amy', root: mediaRoot('/'), policy: {} }).catch((error) => error);
  await replaceBy(program('9.9'));
  const error = await waitUntil('the other version to be known', async () => {
    const found: unknown = await plan();
    expect(found).toBeInstanceOf(AttemptDeferred);
    return found instanceof AttemptDeferred && found.message.includes('9.9') ? found : undefined;
  });
  expect(error.failure).toEqual({
    code: 'NO_WORKER',
    message: expect.stringMatching(/^The ffmpeg 7\.1 of the worker was replaced by version 9\.9 .* restart /),
  });
});

const planOnTheLoop = (_clientId: string, task: Parameters<typeof planSteps>[0]) => planSteps(task);
