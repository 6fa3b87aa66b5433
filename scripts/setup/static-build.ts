import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { command, lastLines } from './command.ts';
import { askBuild, type FfmpegBuild } from './ffmpeg-build.ts';

const CACHE = resolve(import.meta.dirname, '../../.cache');
const HOME = join(CACHE, 'ffmpeg');
const PACKAGES = ['@ffmpeg-installer/ffmpeg@1.1.0', '@ffprobe-installer/ffprobe@2.1.2'];

/** The paths of the programs in a folder with the two npm packages. */
function programs(folder: string): readonly [ffmpeg: string, ffprobe: string] {
  const platform = `${process.platform}-${process.arch}`;
  const modules = join(folder, 'node_modules');
  return [
    join(modules, '@ffmpeg-installer', platform, 'ffmpeg'),
    join(modules, '@ffprobe-installer', platform, 'ffprobe'),
  ];
}

/** The static build of an earlier setup. */
export const cachedStaticBuild = (): Promise<FfmpegBuild | undefined> => askBuild(...programs(HOME));

/**
 * Fetches static builds from npm into `.cache/`. They are from 2018, so only the demo and the tests use them. Two
 * setups at the same time fetch into separate folders; the first to finish renames its folder.
 */
export async function fetchStaticBuild(): Promise<FfmpegBuild> {
  await mkdir(CACHE, { recursive: true });
  const mine = await mkdtemp(join(CACHE, 'fetching-'));
  try {
    const npm = await command('npm', [
      'install',
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--prefix',
      mine,
      ...PACKAGES,
    ]);
    if (!npm.ok) throw new Error(`npm could not fetch a static ffmpeg:\n  ${lastLines(npm.text)}`);
    for (const made of [mine, ...programs(mine)]) await chmod(made, 0o755);
    await rename(mine, HOME).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      if ((await cachedStaticBuild()) !== undefined) return;
      await rm(HOME, { recursive: true, force: true });
      await rename(mine, HOME);
    });
  } finally {
    await rm(mine, { recursive: true, force: true });
  }
  const build = await cachedStaticBuild();
  if (build === undefined) throw new Error(`The static ffmpeg in ${HOME} does not run on this machine.`);
  return build;
}
