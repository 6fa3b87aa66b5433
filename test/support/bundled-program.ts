import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'rolldown';
import config from '../../rolldown.config.ts';
import { makeOnce } from './media.ts';

/**
 * Bundles a program of the tests, with all that it imports, once per run. Returns its path. For programs that tests start many times: from
 * the sources, each start loads and converts hundreds of modules. Only the user of the tests can read it.
 */
export async function bundledProgram(source: string): Promise<string> {
  const name = basename(source, '.ts');
  const { cwd, platform, resolve } = config as typeof config & { readonly cwd: string };
  const folder = await makeOnce(`program-${name}`, (dir) => {
    const options = { cwd, platform, resolve, input: { [name]: source }, output: { dir }, logLevel: 'silent' };
    return build(options as BuildOptions);
  });
  return join(folder, `${name}.js`);
}
