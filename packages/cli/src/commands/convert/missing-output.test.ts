import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandFailed } from '../../session/command-failed.ts';
import type { OrderedArgument } from '../../session/ordered-command.ts';
import { optionWord, rejectMissingOutput } from './command-mistakes.ts';
import { readFiles } from './inputs.ts';

/** Returns the error for a command with these files. `existing`: the files that exist. */
async function errorOf(
  files: readonly string[],
  { existing = files, parameters = {} }: { existing?: readonly string[]; parameters?: Record<string, string> } = {},
): Promise<Pick<CommandFailed, 'message' | 'fix'> | undefined> {
  const cwd = mkdtempSync(join(tmpdir(), 'telecine-output-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const file of existing) writeFileSync(join(cwd, file), '');
  const words: readonly OrderedArgument[] = [
    ...files.map((file): OrderedArgument => ({ kind: 'file', text: join(cwd, file) })),
    ...Object.entries(parameters).map(([name, value]) => optionWord('-p', `${name}=${value}`)),
  ];
  const read = readFiles(words);
  if (read === undefined) throw new Error('There is no output.');
  const rest = { format: undefined, strict: false, metadata: undefined, expiresAfterSeconds: undefined };
  const order = { ...read, ...rest, parameters, replace: false, priority: undefined };
  return rejectMissingOutput(words, order).then(
    () => undefined,
    ({ message, fix }: CommandFailed) => ({
      message: message.replaceAll(`${cwd}/`, ''),
      fix: fix?.replaceAll(`${cwd}/`, ''),
    }),
  );
}

test('a command with inputs alone is told how to name its outputs, and not to replace the last input', async () => {
  expect(await errorOf(['a.mov', 'b.mov', 'c.mov'], { parameters: { 'c:v': 'libx264' } })).toEqual({
    message: 'c.mov already exists, and the last file is the output.',
    fix: 'If it is an input too, name the output after it, or convert each file on its own: telecine convert a.mov b.mov c.mov -p c:v=libx264 --to out/ -f mov',
  });
});

test('an output of another kind than the inputs may be meant to be replaced', async () => {
  expect((await errorOf(['film.mov', 'music.mp3', 'out.mp4']))?.fix).toMatch(
    /--to out\/ -f mp4\nTo replace it, add -y\.$/,
  );
});

test.each<[string, Parameters<typeof errorOf>]>([
  ['a new output', [['a.mov', 'b.mov', 'c.mov'], { existing: ['a.mov', 'b.mov'] }]],
  ['one input', [['a.mov', 'b.mov']]],
  ['options that join the inputs', [['a.mov', 'b.mov', 'c.mov'], { parameters: { map: '0:v' } }]],
])('%s is no missing output', async (_what, args) => {
  expect(await errorOf(...args)).toBeUndefined();
});
