import { mkdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { openService, SUBSYSTEMS } from '../../packages/service/src/start/service.ts';
import { testFolder } from '../support/folders.ts';

type Name = keyof typeof SUBSYSTEMS;
const NAMES = Object.keys(SUBSYSTEMS) as readonly Name[];

/** The real subsystems, which note in `closed` when the closers of each have run. `failing` throws in its place. */
function subsystems(closed: Name[], failing?: Name): typeof SUBSYSTEMS {
  const noted = NAMES.map((name) => {
    const open = SUBSYSTEMS[name] as (closers: AsyncDisposableStack, ...rest: unknown[]) => unknown;
    return [
      name,
      (closers: AsyncDisposableStack, ...rest: unknown[]) => {
        if (name === failing) throw new Error(`${name} failed`);
        const own = closers.use(new AsyncDisposableStack());
        own.defer(() => void closed.push(name));
        return open(own, ...rest);
      },
    ];
  });
  return Object.fromEntries(noted) as typeof SUBSYSTEMS;
}

const log = { info() {}, warn() {}, error() {}, isLevelEnabled: () => false } as never;

async function freshConfig() {
  const folder = await testFolder('open-service');
  await mkdir(`${folder}/media`);
  return readConfig({
    TELECINE_DATA_DIR: `${folder}/data`,
    TELECINE_MEDIA_ROOT: `${folder}/media`,
    // Missing: no test here runs ffmpeg.
    FFMPEG_PATH: `${folder}/ffmpeg`,
  });
}

const open = (config: Awaited<ReturnType<typeof freshConfig>>, parts = SUBSYSTEMS) =>
  openService(config, log, { role: 'all', subsystems: parts });

test.each(NAMES)('when %s fails, what was opened before is closed in reverse', async (failing) => {
  const config = await freshConfig();
  const closed: Name[] = [];
  await expect(open(config, subsystems(closed, failing))).rejects.toThrow(`${failing} failed`);
  expect(closed).toEqual(NAMES.slice(0, NAMES.indexOf(failing)).reverse());
  // No lock is left: the same folders can be opened again.
  const service = await open(config);
  await service.started.catch(() => {});
  await service.close();
});

test('closing a service closes all subsystems in reverse', async () => {
  const closed: Name[] = [];
  const service = await open(await freshConfig(), subsystems(closed));
  await expect(service.started).rejects.toThrow('FFMPEG_PATH');
  await service.drain(0);
  expect(closed).toEqual([]);
  await service.close();
  expect(closed).toEqual([...NAMES].reverse());
});

test('a second service on the same data folder is rejected, and the first keeps its lock', async () => {
  const config = await freshConfig();
  const first = await open(config);
  await first.started.catch(() => {});
  await expect(open(config)).rejects.toThrow('Another telecine');
  await expect(open(config)).rejects.toThrow('Another telecine');
  await first.close();
});
