import { rulesManual } from '../../packages/ffmpeg/src/rules/rules-manual.ts';
import { settingsManual } from '../../packages/service/src/config/settings-manual.ts';
import { recipesManual } from '../../packages/service/src/recipes/recipes-manual.ts';
import { errorCodesManual } from './error-codes.ts';
import { operationsManual } from './operations.ts';
import { verbsManual } from './verbs.ts';

/** The pages and the file of verbs that `npm run docs` writes, by their paths, each with the function that returns its text. */
export const GENERATED_PAGES: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': settingsManual,
  'docs/recipes.md': recipesManual,
  'docs/rules.md': rulesManual,
  'docs/api/error-codes.md': errorCodesManual,
  'docs/api/operations.md': operationsManual,
  'packages/cli/src/verbs.json': verbsManual,
};
