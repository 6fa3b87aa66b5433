import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { JobFailed } from '../../packages/contract/src/domain/failure.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { PROBLEMS } from '../../packages/contract/src/wire/problem.ts';
import { diskProblem } from '../../packages/service/src/media/file-problems.ts';
import { inputFailure, outputFailure } from '../../packages/service/src/media/job-failures.ts';
import { type LocalFilesUnderTest, openLocalFiles } from '../fixtures/local-files.ts';
import { openLocal, REMOTE_DISK } from '../fixtures/local-media.ts';
import { at, input, output, writeOutputs } from '../fixtures/media-plans.ts';
import { needs } from '../support/needs.ts';

const FLIPPER = join(import.meta.dirname, '../fixtures/kind-flipper.ts');

async function opened(): Promise<LocalFilesUnderTest> {
  const t = await openLocalFiles();
  onTestFinished(() => t.close());
  return t;
}

async function* bytesOf(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

/** The request must fail with a client error (400 to 499). */
function expectClientError(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
  expect(PROBLEMS[error.code].status, `${error.code}: ${error.message} ${error.cause}`).toBeLessThan(500);
}

/** Changes that another client or program makes to `a/f.txt` between the check of a request and its execution. */
const SWAPS: readonly (readonly [string, (root: string) => void])[] = [
  ['is deleted', (root) => unlinkSync(join(root, 'a/f.txt'))],
  [
    'becomes a folder',
    (root) => {
      unlinkSync(join(root, 'a/f.txt'));
      mkdirSync(join(root, 'a/f.txt/in'), { recursive: true });
    },
  ],
  [
    'becomes a symlink to itself',
    (root) => {
      unlinkSync(join(root, 'a/f.txt'));
      symlinkSync('f.txt', join(root, 'a/f.txt'));
    },
  ],
  ['loses its folder', (root) => rmSync(join(root, 'a'), { recursive: true })],
  [
    'has a file as its folder',
    (root) => {
      renameSync(join(root, 'a'), join(root, 'b'));
      writeFileSync(join(root, 'a'), '');
    },
  ],
  [
    'has a symlink as its folder',
    (root) => {
      renameSync(join(root, 'a'), join(root, 'b'));
      symlinkSync('/', join(root, 'a'));
    },
  ],
];

test.each(SWAPS)('a deletion of a file that %s meanwhile does not blame the service', async (_what, swap) => {
  const t = await opened();
  await mkdir(join(t.mediaRoot, 'a'));
  await writeFile(join(t.mediaRoot, 'a/f.txt'), 'old');
  let swaps = 0;
  const check = (): void => {
    // The service checks the file once more after it has moved it away.
    if (swaps > 0) return;
    swaps += 1;
    swap(t.mediaRoot);
  };
  await t.files.remove(t.root, at('a/f.txt'), { check }).catch(expectClientError);
  expect(swaps).toBe(1);
});

test.each(SWAPS)('an upload over a file that %s meanwhile does not blame the service', async (_what, swap) => {
  const t = await opened();
  await mkdir(join(t.mediaRoot, 'a'));
  await writeFile(join(t.mediaRoot, 'a/f.txt'), 'old');
  let checks = 0;
  const check = (): void => {
    checks += 1;
    // The first check is before the upload.
    if (checks === 2) swap(t.mediaRoot);
  };
  const upload = await t.files.beginUpload(t.root, at('a/f.txt'), { check });
  await upload.append(bytesOf('new'));
  await upload.publish().catch(expectClientError);
  await upload.discard();
  expect(checks).toBeGreaterThan(1);
});

needs('linux')(
  'no request for a path that keeps changing its kind blames the service',
  { tags: 'long', timeout: 60_000 },
  async () => {
    const t = await opened();
    const path = at('f.txt');
    const media = await openLocal();
    onTestFinished(() => media.close());
    const scratch = await media.media.openScratch('job', 1);
    await writeOutputs(media.media, scratch, { 'o.mp4': 'converted' });
    const remote = await media.restart(REMOTE_DISK);
    const remoteScratch = await remote.openScratch('job', 2);
    const flippers = [join(t.mediaRoot, 'f.txt'), join(media.mediaRoot, 'f.txt')].map((each) =>
      spawn(process.execPath, [FLIPPER, each], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    const ended = flippers.map((flipper) => once(flipper, 'exit'));
    const done = { opened: 0, published: 0, removed: 0, staged: 0, failed: 0 };
    const attempt = async (what: keyof typeof done, act: () => Promise<unknown>): Promise<void> => {
      try {
        await act();
        done[what] += 1;
      } catch (error) {
        if (error instanceof JobFailed) expect(error.failure.code, `${error.cause}`).not.toBe('STORAGE_FAULT');
        else expectClientError(error);
        done.failed += 1;
      }
    };
    try {
      await Promise.all(flippers.map(({ stdout }) => once(stdout, 'data')));
      for (const end = Date.now() + 5000; Date.now() < end || Object.values(done).includes(0); ) {
        await attempt('opened', async () => {
          const file = await t.files.open(t.root, path);
          await text(file.read(0, file.sizeBytes - 1)).catch(() => undefined);
        });
        await attempt('published', async () => {
          const upload = await t.files.beginUpload(t.root, path, { check: () => undefined });
          try {
            await upload.append(bytesOf('new'));
            await upload.publish();
          } finally {
            await upload.discard();
          }
        });
        await attempt('removed', () => t.files.remove(t.root, path));
        await attempt('removed', () => t.files.remove(t.root, path, { isFolder: true }));
        await attempt('removed', () => t.files.list(t.root, { folder: 'f.txt/', nameStart: '', limit: 10 }));
        for (const [engine, folder] of [[media.media, scratch] as const, [remote, remoteScratch] as const]) {
          await attempt('staged', () => engine.stage(media.root, folder, [input('f.txt')], [output('new.mp4')]));
          await attempt('staged', () => engine.stageFile(media.root, at('f.txt/x'), 'in/0'));
        }
      }
    } finally {
      for (const flipper of flippers) flipper.kill('SIGKILL');
      await Promise.all(ended);
    }
  },
);

const withCode = (code: string) => Object.assign(new Error(code), { code });

test.each(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ESTALE', 'ENXIO', 'ENAMETOOLONG'])(
  'a path of a client for which the disk answers %s is an error of the request',
  (code) => {
    expectClientError(diskProblem('a.txt', 'reading the file', withCode(code)));
    expect(inputFailure('a.txt', withCode(code))).toMatchObject({
      failure: { code: expect.stringMatching(/^INPUT_/) },
    });
  },
);

test.each(['ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'])(
  'an output for which the disk answers %s can be corrected',
  (code) => {
    expect(outputFailure('a.mp4', withCode(code))).toMatchObject({ failure: { code: 'UNSUPPORTED' } });
  },
);

test.each(['ENOSPC', 'EDQUOT'])('%s is a lack of space, for files, inputs and outputs', (code) => {
  expect(diskProblem('a.txt', 'writing the file', withCode(code))).toMatchObject({ code: 'NO_SPACE' });
  for (const failure of [inputFailure('a.mp4', withCode(code)), outputFailure('a.mp4', withCode(code))])
    expect(failure).toMatchObject({ failure: { code: 'NO_SPACE' } });
});
