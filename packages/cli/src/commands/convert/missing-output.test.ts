import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandFailed } from '../../session/command-failed.ts';
import type { OrderedArgument } from '../../session/ordered-command.ts';
import { rejectMissingOutput } from './command-mistakes.ts';
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
  ];
  const read = readFiles(words);
  if (read === undefined) throw new Error('There is no output.');
  const rest = { format: undefined, strict: false, metadata: undefined, expiresAfterSeconds: undefined };
  const order = { ...read, ...rest, parameters, replace: false, priority: undefined };
  return rejectMissingOutput(order).then(
    () => undefined,
    ({ message, fix }: CommandFailed) => ({
      message: message.replaceAll(`${cwd}/`, ''),
      fix: fix?.replaceAll(`${cwd}/`, ''),
    }),
  );
}

test('a command with inputs alone is told that the last file is the output', async () => {
  expect(await errorOf(['a.mov', 'b.mov', 'c.mov'], { parameters: { 'c:v': 'libx264' } })).toEqual({
    message: 'c.mov already exists, and the last file is the output.',
    fix: 'Name the output last, or add -y to replace the file. To convert each file on its own, name their folder with --to.',
  });
});

test.each<[string, Parameters<typeof errorOf>]>([
  ['a new output', [['a.mov', 'b.mov', 'c.mov'], { existing: ['a.mov', 'b.mov'] }]],
  ['one input', [['a.mov', 'b.mov']]],
  ['options that join the inputs', [['a.mov', 'b.mov', 'c.mov'], { parameters: { map: '0:v' } }]],
])('%s is no missing output', async (_what, args) => {
  expect(await errorOf(...args)).toBeUndefined();
});
