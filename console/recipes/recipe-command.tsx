import { SecretNote } from '../app/secret-note.tsx';
import { FoldedCommand } from '../ui/folded-command.tsx';

/** The command that sends a request with a recipe, folded below `summary`. */
export const RecipeCommand = ({ summary, command }: { readonly summary: string; readonly command: string }) => (
  <FoldedCommand summary={summary} label="Command that uses the recipe" command={command} copyLabel="Copy as curl">
    <SecretNote />
  </FoldedCommand>
);
