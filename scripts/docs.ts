import { writeFileSync } from 'node:fs';
import { manual } from '../src/config/manual.ts';
import { rulesManual } from '../src/ffmpeg/rules/rules-manual.ts';
import { recipesManual } from '../src/recipes/manual.ts';

writeFileSync(new URL('../docs/configuration.md', import.meta.url), manual());
writeFileSync(new URL('../docs/recipes.md', import.meta.url), recipesManual());
writeFileSync(new URL('../docs/rules.md', import.meta.url), rulesManual());
