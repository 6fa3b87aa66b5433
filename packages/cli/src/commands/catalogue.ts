import { loadPreparedCatalogue, prepareCatalogue } from '@telecine/ffmpeg/catalogue/prepared-catalogue.ts';
import { configFromEnvironment } from '@telecine/service/config/environment.ts';
import { ConfigError } from '@telecine/service/config/read-settings.ts';
import { findFfmpeg } from '@telecine/service/start/find-ffmpeg.ts';
import type { Command } from 'commander';

export function declare(catalogue: Command): void {
  catalogue
    .command('prepare')
    .description('query ffmpeg, and write all that it offers to TELECINE_CATALOGUE_DIR, for quick first starts')
    .action(prepare);
}

/**
 * Queries ffmpeg and stores its catalogue. Throws `ConfigError`, `ToolchainError`, and `PreparedCatalogueUnusable` if services would reject
 * the catalogue.
 */
async function prepare(): Promise<void> {
  const config = configFromEnvironment();
  if (config.catalogueDir === undefined)
    throw new ConfigError(
      'TELECINE_CATALOGUE_DIR is not set. Set it to the folder for the catalogue, for this command and for the services.',
    );
  const build = await findFfmpeg(config);
  const { catalogue, file } = await prepareCatalogue(config.catalogueDir, build);
  await loadPreparedCatalogue(config.catalogueDir, build);
  console.log(`${file} has the ${catalogue.components.size} components of ffmpeg ${build.version}.`);
}
