import { Button } from '../ui/button.tsx';
import type { FoundRecipe } from './search-words.ts';
import { useDraft } from './use-draft.tsx';

/** Chooses the best recipe for words that are typed into the search and not applied, with the values in the words. */
export function BestRecipeButton({ best: { name, title, argumentsInQuery } }: { readonly best: FoundRecipe }) {
  const { change } = useDraft();
  return (
    <Button
      variant="primary"
      onClick={({ currentTarget }) => {
        change({ do: 'choose-recipe', name, values: argumentsInQuery });
        // This button disappears. The next one is "Convert".
        currentTarget.parentElement?.querySelector('button')?.focus();
      }}
    >
      Use “{title}”
    </Button>
  );
}
