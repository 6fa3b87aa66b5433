// npm run build: writes the program and the console to dist. The command `rolldown` would print each of its hundreds of files.
import { build } from 'rolldown';
import config from '../rolldown.config.ts';
import { buildConsole, CONSOLE_FOLDER } from './build-console.ts';

// The program first, because its build empties the folder that contains the console.
await build({ ...config, output: { ...config.output, dir: 'dist' } });
await buildConsole(CONSOLE_FOLDER);
