import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { conversion, planOf, scratch } from '../fixtures/conversion.ts';
import { BUBBLEWRAP, LANDLOCK, NO_SANDBOX, SANDBOXES } from '../fixtures/sandboxes.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';

const copy = (from: string, to: string): readonly string[] => [
  ...['-v', 'error', '-f', 'data', '-i', from, '-map', '0', '-c', 'copy', '-f', 'data', to],
];

describe.each([
  { kind: 'bubblewrap', sandbox: BUBBLEWRAP, test: needs('ffmpeg', 'bubblewrap') },
  { kind: 'landlock', sandbox: LANDLOCK, test: needs('ffmpeg', 'landlock') },
])('with $kind', ({ sandbox, test }) => {
  /** Runs `before` where speech is recognised, and then `pass`. */
  async function run(before: (folder: string) => readonly string[], pass: readonly string[]) {
    const folder = await testFolder('model');
    const model = join(folder, "it's a,model:1.bin");
    await writeFile(model, 'the model');
    await writeFile(join(folder, 'other.bin'), 'another file');
    const dir = await scratch();
    const plan = {
      ...planOf('out/a', [pass]),
      transcript: { clips: [0], starts: [0], isAssumed: false, argv: before(folder) },
    };
    const outcome = await runConversion(
      conversion(sandbox, dir, plan, { speechModel: { logical: 'in/speech-model.bin', hostPath: model } }),
    );
    return { outcome, written: await readFile(join(dir, 'out/a'), 'utf8').catch(() => undefined) };
  }

  test('the run that recognises speech reads the model, and the pass what it wrote', async ({ expect }) => {
    const { outcome, written } = await run(
      () => copy('in/speech-model.bin', 'pass/speech.srt'),
      copy('pass/speech.srt', 'out/a'),
    );
    expect(outcome).toMatchObject({ ok: true });
    expect(written).toBe('the model');
  });

  test('it reads no other file of the folder', async ({ expect }) => {
    const { outcome } = await run(
      (folder) => copy(join(folder, 'other.bin'), 'pass/speech.srt'),
      copy('pass/speech.srt', 'out/a'),
    );
    expect(outcome).toMatchObject({ ok: false });
  });

  test('it cannot change the model', async ({ expect }) => {
    const { outcome } = await run(() => [...copy('in/0.mp4', 'in/speech-model.bin'), '-y'], copy('in/0.mp4', 'out/a'));
    expect(outcome).toMatchObject({ ok: false });
  });
});

for (const { kind, sandbox, tags, test } of SANDBOXES)
  describe(`with ${kind}`, { tags }, () => {
    const MODEL = 'in/speech-model.bin';

    async function written(plan: Plan): Promise<string | undefined> {
      const model = join(await testFolder('model'), 'model.bin');
      await writeFile(model, 'the model');
      const dir = await scratch();
      await runConversion(conversion(sandbox, dir, plan, { speechModel: { logical: MODEL, hostPath: model } }));
      return readFile(join(dir, 'out/a'), 'utf8').catch(() => undefined);
    }

    const transcript = { clips: [0], starts: [0], isAssumed: false, argv: copy(MODEL, 'pass/speech.srt') };

    test('only the run that recognises speech has the model among its files', async ({ expect }) => {
      expect(await written({ ...planOf('out/a', [copy('pass/speech.srt', 'out/a')]), transcript })).toBe('the model');
      expect(await written({ ...planOf('out/a', [copy(MODEL, 'out/a')]), transcript })).toBeUndefined();
    });

    test('a conversion without a transcript does not have it', async ({ expect }) => {
      expect(await written(planOf('out/a', [copy(MODEL, 'out/a')]))).toBeUndefined();
    });
  });

/** Has an output and reports progress until it is stopped, and then ends as a run without speech does. */
const ENDLESS = `#!/bin/sh
trap 'exit 0' TERM
echo "[info] Output #0, null, to 'pipe:':" >&2
while :; do printf 'out_time_us=1000000\\nprogress=continue\\n'; sleep 0.05; done
`;

needs('ffmpeg')('a transcript that is cancelled is not one without speech', async ({ expect }) => {
  const ffmpegPath = join(await testFolder('endless'), 'ffmpeg');
  await writeFile(ffmpegPath, ENDLESS, { mode: 0o755 });
  const cancel = new AbortController();
  let reports = 0;
  const plan = {
    ...planOf('out/a', [copy('pass/speech.srt', 'out/a')]),
    transcript: { clips: [0], starts: [0], isAssumed: false, argv: [] },
  };
  const outcome = await runConversion(
    conversion(NO_SANDBOX, await scratch(), plan, {
      ffmpegPath,
      signal: cancel.signal,
      onProgress: () => {
        reports += 1;
        if (reports === 3) cancel.abort();
      },
    }),
  );
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'CANCELLED' } });
});
