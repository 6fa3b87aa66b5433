import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the built console is: in the package beside the bundled program, else where `npm run build:console` writes it. */
const PLACES = ['console', '../../../dist/console'].map((place) => join(import.meta.dirname, place));

/** The folder of the built console. undefined: the sources run, and nobody has built it. */
export const consoleFolder = (): string | undefined => PLACES.find((place) => existsSync(join(place, 'index.html')));
