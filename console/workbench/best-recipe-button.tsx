import { Button } from '../ui/button.tsx';
import { type FoundRecipe, valuesText } from './search-words.ts';

/** Chooses the best recipe for words that are typed into the search and not applied, with the values in the words. */
export function BestRecipeButton({
  best: { title, argumentsInQuery = {} },
  onUse,
}: {
  readonly best: FoundRecipe;
  readonly onUse: () => void;
}) {
  const values = valuesText(argumentsInQuery);
  return (
    <Button
      variant="primary"
      onClick={({ currentTarget }) => {
        onUse();
        // This button disappears. The next one is "Convert".
        currentTarget.parentElement?.querySelector('button')?.focus();
      }}
    >
      Use “{title}”{values !== '' && ` (${values})`}
    </Button>
  );
}
