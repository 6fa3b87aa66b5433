import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../../scripts/setup/command.ts';
import { testFolder } from '../support/folders.ts';

const SCRIPTS = join(import.meta.dirname, '../../scripts');

/** A machine on which only these programs are on PATH: no package manager either. */
async function run(script: string, programs: Readonly<Record<string, string>>) {
  const folder = await testFolder('setup');
  for (const [name, text] of Object.entries(programs))
    await writeFile(join(folder, name), `#!${process.execPath}\nconsole.log(${JSON.stringify(text)})\n`, {
      mode: 0o755,
    });
  const env = { PATH: folder, FFMPEG_PATH: '', FFPROBE_PATH: '', TMPDIR: folder };
  return command(process.execPath, [join(SCRIPTS, script)], env);
}

test.each(['setup.ts', 'demo.ts'])(
  '%s says what to install where there is no ffmpeg and no right to install one',
  async (script) => {
    const { ok, text } = await run(script, {});
    expect(ok).toBe(false);
    expect(text).toContain('ffmpeg is not installed, and it could not be installed here. Ask an administrator to run');
    expect(text).not.toContain('Ready');
  },
);

test('setup rejects an ffmpeg that the service would reject', async () => {
  const { ok, text } = await run('setup.ts', { ffmpeg: 'ffmpeg version 4.0.2', ffprobe: 'ffprobe version 4.0.2' });
  expect(ok).toBe(false);
  expect(text).toMatch(/ffmpeg is version 4\.0\.2; Telecine needs ffmpeg 5\.1 or newer\. Ask an administrator/);
  expect(text).not.toContain('Ready');
});
