import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { landlockRule } from '../../packages/ffmpeg/src/sandbox/system-view.ts';
import { ATTACKS, type Target } from '../fixtures/attacks.ts';
import { processesWith, scratch } from '../fixtures/conversion.ts';
import { type ConfinedProgram, runConfined } from '../fixtures/run-confined.ts';
import { BUBBLEWRAP, LANDLOCK, NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';

const PERL = '/usr/bin/perl';

/** Six seconds of processor time take much longer on a busy machine. */
const LONG = { timeout: 120_000 };

/** Runs Perl code where ffmpeg would run, so it stands for an exploited ffmpeg. */
async function runPerl(
  sandbox: Sandbox,
  code: string,
  dir: string,
  seconds: Pick<ConfinedProgram, 'cpuSeconds' | 'wallSeconds'> = {},
) {
  const view = sandbox.kind === 'landlock' ? [...sandbox.view, ...landlockRule('execute,read-file', PERL)] : [];
  return runConfined({
    sandbox: sandbox.kind === 'landlock' ? { ...sandbox, view } : sandbox,
    program: 'in/perl',
    argv: ['-e', code],
    dir,
    mounts: [{ logical: 'in/perl', hostPath: PERL }],
    ...seconds,
  });
}

/** Files, listeners and a process of the same user that do not belong to the job. */
async function targetBeside(dir: string): Promise<Target> {
  const folder = join(dirname(dir), 'beside');
  const secret = join(folder, 'secret');
  await mkdir(folder);
  await writeFile(secret, 'the secret');
  await symlink('secret', join(folder, 'pointer'));
  const unixPath = join(folder, 'socket');
  const abstractName = `telecine-${process.pid}-${dirname(dir).slice(-6)}`;
  const listenOn = async (where: { port: number; host: string } | { path: string }): Promise<AddressInfo> => {
    const server = createServer((socket) => socket.destroy()).listen(where);
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return server.address() as AddressInfo;
  };
  const { port: tcpPort } = await listenOn({ port: 0, host: '127.0.0.1' });
  await listenOn({ path: unixPath });
  await listenOn({ path: `\0${abstractName}` });
  const udp = createSocket('udp4').bind(0, '127.0.0.1');
  await once(udp, 'listening');
  onTestFinished(() => void udp.close());
  // Ignores the signal of the attack, which is sent for real without a sandbox.
  const victim = spawn(PERL, ['-e', '$SIG{USR1} = "IGNORE"; $| = 1; print "ready\n"; sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void victim.kill('SIGKILL'));
  await once(victim.stdout, 'data');
  if (victim.pid === undefined) throw new Error('perl did not start');
  return { folder, secret, pid: victim.pid, tcpPort, udpPort: udp.address().port, unixPath, abstractName };
}

describe.each([
  { kind: 'bubblewrap', sandbox: BUBBLEWRAP, test: needs('bubblewrap', 'x64', 'perl') },
  { kind: 'landlock', sandbox: LANDLOCK, test: needs('ffmpeg', 'landlock', 'x64', 'perl') },
] as const)('$kind alone holds an exploited ffmpeg that tries to', ({ kind, sandbox, test }) => {
  test.for(ATTACKS)('$what', async ({ code, mayFailAnyway, open }) => {
    const dir = await scratch();
    const target = await targetBeside(dir);
    const { lines: confined } = await runPerl(sandbox, code(target), dir);
    if (open?.some((layer) => layer === kind)) expect(confined).toEqual(['reached']);
    else expect(confined.join()).not.toContain('reached');
    expect(readdirSync(target.folder).sort()).toEqual(['pointer', 'secret', 'socket']);
    expect(readFileSync(target.secret, 'utf8')).toBe('the secret');
    if (mayFailAnyway !== undefined) return;
    const bare = await scratch();
    const { lines } = await runPerl(NO_SANDBOX, code(await targetBeside(bare)), bare);
    expect(lines).toEqual(['reached']);
  });

  test('leave a process behind', async () => {
    const leave = (mark: string) =>
      `my $pid = fork(); exit if $pid || !defined $pid; close STDOUT; close STDERR; $0 = "${mark}"; setpgrp(0, 0); sleep 30`;
    const mark = `mark-${process.pid}-${kind}`;
    await runPerl(sandbox, leave(mark), await scratch());
    expect(processesWith(mark)).toEqual([]);
    await runPerl(NO_SANDBOX, leave(`${mark}-bare`), await scratch());
    const survivors = processesWith(`${mark}-bare`);
    for (const pid of survivors) process.kill(pid, 'SIGKILL');
    expect(survivors).toHaveLength(1);
  });

  test('use a descriptor of the service', async () => {
    const dir = await scratch();
    const code = 'for my $fd (3 .. 255) { print "$fd\n" if open(my $f, "<&=$fd") }';
    const { lines: inherited } = await runPerl(NO_SANDBOX, code, await scratch());
    const { lines, code: exit } = await runPerl(sandbox, code, dir);
    expect(exit).toBe(0);
    // With Landlock, the file of the seccomp filter stays open, for reading. Ignore descriptors that the test process
    // itself inherited.
    const extra = lines.filter((fd) => !inherited.includes(fd));
    expect(extra).toEqual(kind === 'landlock' ? ['3'] : []);
  });

  test('see the environment of the service', async () => {
    const { lines } = await runPerl(sandbox, 'print join("\n", sort keys %ENV), "\n"', await scratch());
    const known = ['AV_LOG_FORCE_COLOR', 'HOME', 'LANG', 'MALLOC_ARENA_MAX', 'PATH', 'PWD'];
    expect(lines.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('take more memory than a job may', async () => {
    const { lines, code } = await runPerl(sandbox, 'my $x = "x" x 4_500_000_000; print "reached"', await scratch());
    expect(lines.join()).not.toContain('reached');
    expect(code).not.toBe(0);
  });

  test('write a larger file than a job may', async () => {
    const dir = await scratch();
    const code = 'open(F, ">", "out/big"); for (1 .. 20) { syswrite(F, "x" x 1e6) or exit 1 } print "reached"';
    const { lines } = await runPerl(sandbox, code, dir);
    expect(lines).toEqual([]);
    expect(existsSync(join(dir, 'out/big'))).toBe(true);
    await rm(join(dir, 'out/big'));
  });

  test('run longer than a job may', { ...LONG, tags: 'long' }, async () => {
    // timeout(1) sends SIGTERM, and SIGKILL 5 s later.
    const code = '$SIG{TERM} = "IGNORE"; my $end = time + 9; sleep 1 while time < $end; print "reached"';
    const { lines } = await runPerl(sandbox, code, await scratch(), { wallSeconds: 1 });
    expect(lines.join()).not.toContain('reached');
    const bare = await runPerl(NO_SANDBOX, code, await scratch(), { wallSeconds: 1 });
    expect(bare.lines).toEqual(['reached']);
  });

  test('use more processor time than a job may', { ...LONG, tags: 'long' }, async () => {
    // The kernel sends SIGXCPU, and SIGKILL 5 s later.
    const code = '$SIG{XCPU} = "IGNORE"; 1 while times < 9; print "reached"';
    const { lines } = await runPerl(sandbox, code, await scratch(), { cpuSeconds: 1, wallSeconds: 100 });
    expect(lines.join()).not.toContain('reached');
  });
});
