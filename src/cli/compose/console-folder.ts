import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';

/** Where the built console is: in the package beside the bundled program, else where `npm run build:console` writes it. */
const PLACES = ['console', '../../../dist/console'].map((place) => join(import.meta.dirname, place));

/** The folder of the built console. undefined: it is turned off, or the sources run and nobody has built it. */
export const consoleFolder = ({ console }: Pick<Config, 'console'>): string | undefined =>
  console ? PLACES.find((place) => existsSync(join(place, 'index.html'))) : undefined;
