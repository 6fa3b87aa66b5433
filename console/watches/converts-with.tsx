import type { Watch } from '@telecine/client';
import { RecipeName } from '../jobs/recipe-name.tsx';
import { settingsText } from './settings-text.ts';

/** What a watch converts with: its recipe, or the most important of its own settings. */
export function ConvertsWith({ request }: Pick<Watch, 'request'>) {
  if (request.preset !== undefined) return <RecipeName name={request.preset.name} />;
  const text = settingsText(request);
  return text === '' ? 'The defaults of the format' : `Own settings (${text})`;
}
