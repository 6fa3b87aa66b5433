import { writeFileSync } from 'node:fs';
import { manual } from '../src/config/manual.ts';

writeFileSync(new URL('../docs/configuration.md', import.meta.url), manual());
