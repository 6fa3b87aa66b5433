import { join } from 'node:path';
import { expect } from 'vitest';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { type ArgumentTest, DENIED_CALLS } from '../../packages/ffmpeg/src/sandbox/seccomp/denied-calls.ts';
import { SYSCALL_NUMBERS } from '../../packages/ffmpeg/src/sandbox/seccomp/syscall-numbers.ts';
import { landlockRule } from '../../packages/ffmpeg/src/sandbox/system-view.ts';
import { scratch } from '../fixtures/conversion.ts';
import { runConfined } from '../fixtures/run-confined.ts';
import { BUBBLEWRAP, LANDLOCK } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';

const SCRIPT = join(import.meta.dirname, '../fixtures/try-calls.pl');

/** Runs perl where ffmpeg would run, and returns the result of each call. */
async function tryCalls(sandbox: Sandbox, calls: readonly string[]): Promise<readonly string[]> {
  const mounts = [
    { logical: 'in/perl', hostPath: '/usr/bin/perl' },
    { logical: 'in/script', hostPath: SCRIPT },
  ];
  const argv = ['in/script', ...calls];
  const { lines } = await runConfined({ sandbox, program: 'in/perl', argv, dir: await scratch(), mounts });
  return lines;
}

/** Arguments with which the call is denied: small ones, because some calls would do their work otherwise. */
function deniedArguments([when]: readonly ArgumentTest[] = []): readonly number[] {
  if (when === undefined) return [];
  const { argument, test, value } = when;
  const wrong = test === 'has no bit of' ? 0 : test === 'differs from' ? (value === 0 ? 2 ** 22 : 0) : value;
  return [...Array.from({ length: argument }, () => 0), wrong];
}

const ANSWER = { kill: 'signal 31', EPERM: 'errno 1', EACCES: 'errno 13', ENOSYS: 'errno 38' };

needs(
  'bubblewrap',
  'x64',
  'perl',
)('the kernel answers each denied call in the sandbox as the list says', async () => {
  const calls = DENIED_CALLS.filter(({ onlyWithoutNamespaces }) => onlyWithoutNamespaces !== true).flatMap(
    ({ calls: names, answer, when }) =>
      names.map((name) => ({ name, answer, args: [SYSCALL_NUMBERS[name]?.x64 ?? -1, ...deniedArguments(when)] })),
  );
  const lines = await tryCalls(
    BUBBLEWRAP,
    calls.map(({ args }) => args.join()),
  );
  expect(calls.map(({ name, args }, i) => `${name} ${args.join()}: ${lines[i]}`)).toEqual(
    calls.map(({ name, args, answer }) => `${name} ${args.join()}: ${ANSWER[answer]}`),
  );
});

needs(
  'ffmpeg',
  'landlock',
  'x64',
  'perl',
)('with Landlock, calls that reach other processes are denied too', async () => {
  if (LANDLOCK.kind !== 'landlock') throw new Error('needs("landlock") was not checked');
  const view = [...LANDLOCK.view, ...landlockRule('execute,read-file', '/usr/bin/perl')];
  const calls = DENIED_CALLS.filter(({ onlyWithoutNamespaces }) => onlyWithoutNamespaces === true);
  // Make all calls in one process, because it may start no other.
  const code = calls.flatMap(({ calls: names, when }) =>
    names.map((name) => {
      const args = [...deniedArguments(when), 0, 0, 0, 0, 0, 0].slice(0, 6).join();
      return `$! = 0; syscall(${SYSCALL_NUMBERS[name]?.x64 ?? -1}, ${args}); print "${name} ", 0 + $!, "\\n";`;
    }),
  );
  const { lines } = await runConfined({
    sandbox: { ...LANDLOCK, view },
    program: 'in/perl',
    argv: ['-e', code.join('')],
    dir: await scratch(),
    mounts: [{ logical: 'in/perl', hostPath: '/usr/bin/perl' }],
  });
  expect(lines).toEqual(calls.flatMap(({ calls: names }) => names.map((name) => `${name} 1`)));
});

needs(
  'bubblewrap',
  'x64',
  'perl',
)('32-bit and x32 calls end the process in the sandbox', async () => {
  // getpid of x32.
  const lines = await tryCalls(BUBBLEWRAP, [`${0x4000_0000 + 39}`, '39']);
  expect(lines).toEqual(['signal 31', 'errno 0']);
});

needs(
  'bubblewrap',
  'x64',
  'perl',
)('without the filter, the same calls reach the kernel', async () => {
  if (BUBBLEWRAP.kind !== 'bubblewrap') throw new Error('needs("bubblewrap") was not checked');
  const { filter: _filter, ...bare } = BUBBLEWRAP;
  const calls = ['41,1,1', '53,1,2', '319', '425', '250', '101', '310', '312', '272', '165', '447', '323'];
  const lines = await tryCalls(bare, calls);
  expect(lines).toHaveLength(calls.length);
  // The kernel rejects them for other reasons, such as an invalid address, or not at all.
  expect(lines.filter((line) => line === 'signal 31' || line === 'errno 13')).toEqual([]);
});
