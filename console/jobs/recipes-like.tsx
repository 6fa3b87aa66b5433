import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { searchWords } from '../../packages/contract/src/domain/job-search.ts';
import { buttonClass } from '../ui/button.tsx';
import { recipesQuery } from '../workbench/recipes-query.ts';

/** How many recipes are offered. */
const FEW = 3;

/** Offers the jobs of recipes whose titles have the words of a search, because jobs are found by the names of recipes only. */
export function RecipesLike({ q }: { readonly q: string }) {
  const { data } = useQuery(recipesQuery(''));
  const words = searchWords(q);
  const found = data?.recipes.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word))) ?? [];
  return found.slice(0, FEW).map(({ name, title }) => (
    <Link key={name} to="/jobs" search={(before) => ({ ...before, q: name })} className={buttonClass('plain')}>
      Show jobs of “{title}”
    </Link>
  ));
}
