import type { Command } from 'commander';
import { configFromEnvironment } from '../../config/environment.ts';
import { ConfigError } from '../../config/read-settings.ts';
import { loadPreparedCatalogue, prepareCatalogue } from '../../ffmpeg/catalogue/prepared-catalogue.ts';
import { findFfmpeg } from '../compose/find-ffmpeg.ts';

/** Declares `telecine catalogue` with its verb. */
export function declare(catalogue: Command): void {
  catalogue
    .command('prepare')
    .description('query ffmpeg, and write all that it offers to TELECINE_CATALOGUE_DIR, for quick first starts')
    .action(prepare);
}

/**
 * Writes the complete catalogue of the installed ffmpeg to TELECINE_CATALOGUE_DIR. Throws `ConfigError`, `ToolchainError`,
 * and `PreparedCatalogueUnusable` if services would not use what is written.
 */
async function prepare(): Promise<void> {
  const config = configFromEnvironment();
  if (config.catalogueDir === undefined)
    throw new ConfigError(
      'TELECINE_CATALOGUE_DIR: set it to the folder to write to, for this command and the services.',
    );
  const build = await findFfmpeg(config);
  const { catalogue, file } = await prepareCatalogue(config.catalogueDir, build);
  await loadPreparedCatalogue(config.catalogueDir, build);
  console.log(`${file} has the ${catalogue.components.size} components of ffmpeg ${build.version}.`);
}
