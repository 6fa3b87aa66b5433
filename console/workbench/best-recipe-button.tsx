import { Button } from '../ui/button.tsx';
import type { FoundRecipe } from './search-words.ts';

/** Chooses the best recipe for words that are typed into the search and not applied. */
export function BestRecipeButton({
  best: { title },
  onUse,
}: {
  readonly best: FoundRecipe;
  readonly onUse: () => void;
}) {
  return (
    <Button
      variant="primary"
      onClick={({ currentTarget }) => {
        onUse();
        // This button disappears. The next one is "Convert".
        currentTarget.parentElement?.querySelector('button')?.focus();
      }}
    >
      Use “{title}”
    </Button>
  );
}
