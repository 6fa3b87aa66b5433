import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, test } from 'vitest';
import { onPath } from '../../scripts/setup/command.ts';
import { olderNode } from './older-node.ts';

/** Why this machine lacks a thing; undefined where it is there. */
const LACK = {
  ffmpeg: () => (inject('tools')?.supported ? undefined : 'ffmpeg 5.1 or newer: apt-get install ffmpeg'),
  'any ffmpeg': () => (inject('tools') ? undefined : 'ffmpeg: apt-get install ffmpeg'),
  'the ffmpeg of Debian 12': () =>
    inject('tools')?.version.includes('deb12') ? undefined : 'the ffmpeg of Debian 12, whose effects are known',
  'access times': () =>
    notesReading() ? undefined : 'a disk that notes when files are read (not mounted with noatime)',
  sandbox: () => (inject('tools')?.bubblewrap ? undefined : 'a working bubblewrap: apt-get install bubblewrap'),
  root: () => (process.getuid?.() === 0 ? undefined : 'root: run the tests as root'),
  curl: () => (onPath('curl') ? undefined : 'curl: apt-get install curl'),
  mounting: () => (canMount() ? undefined : 'root with the right to mount a small disk'),
  'another disk': () => (existsSync(OTHER_DISK) ? undefined : `another file system at ${OTHER_DISK}`),
  'protected links': () => (linksAreProtected() ? undefined : 'sysctl fs.protected_hardlinks=1'),
  'an older Node': () => (olderNode() === undefined ? 'a Node older than 24 on PATH' : undefined),
  linux: () => (process.platform === 'linux' ? undefined : 'Linux'),
  'another user': () => (canBecomeNobody() ? undefined : 'root, and a checkout that the user nobody may read'),
} as const satisfies Record<string, () => string | undefined>;

/** A disk of its own on every Linux, so that links from elsewhere fail with EXDEV. */
export const OTHER_DISK = '/dev/shm';

/** Runs what follows as an ordinary user of Debian: nobody. */
export const AS_NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'] as const;

function canBecomeNobody(): boolean {
  const [file, ...args] = AS_NOBODY;
  try {
    execFileSync(file, [...args, process.execPath, '--check', import.meta.filename], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Then the kernel refuses link(2) on another user's file with EPERM, as a disk without links does on any. */
function linksAreProtected(): boolean {
  const setting = '/proc/sys/fs/protected_hardlinks';
  return existsSync(setting) && readFileSync(setting, 'utf8').trim() === '1';
}

function notesReading(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'telecine-atime-'));
  try {
    const file = join(folder, 'read');
    writeFileSync(file, 'read');
    utimesSync(file, 0, statSync(file).mtime);
    readFileSync(file);
    return statSync(file).atimeMs !== 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

type Need = keyof typeof LACK;

/** Each lack is told once a file. */
const told = new Set<string>();

/**
 * `test` for tests that need what a machine may lack: `needs('sandbox')('…', async () => …)`. Where it lacks,
 * they count as skipped and standard error says what to install.
 */
export function needs(...all: readonly Need[]) {
  // What is to be held in a sandbox is an ffmpeg.
  const wanted = new Set<Need>(all.includes('sandbox') ? ['ffmpeg', ...all] : all);
  const lacking = [...wanted].flatMap((need) => LACK[need]() ?? []);
  for (const what of lacking) {
    if (!told.has(what)) process.stderr.write(`\n!!! SKIPPING TESTS: they need ${what}\n`);
    told.add(what);
  }
  return test.skipIf(lacking.length > 0);
}
