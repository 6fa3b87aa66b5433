import { FAMILIES } from './mutant.ts';

/** From so many mutants on, each family occurs: the rarest one is missing in one of 600,000 such runs. */
const ENOUGH_MUTANTS = 300;

/** At least so large a share of the mutants must complete, and so large a share fail. */
const SHARE = 1 / 5;

/** A run that tests one family or one outcome must not pass: the errors of its outcomes as a whole. */
export function faultsOfOutcomes(
  count: number,
  { families, states }: Readonly<Record<'families' | 'states', Readonly<Record<string, number>>>>,
): readonly string[] {
  if (count < ENOUGH_MUTANTS) return [];
  return [
    ...Object.keys(FAMILIES).flatMap((family) => (family in families ? [] : [`a family is missing: ${family}`])),
    ...['COMPLETED', 'FAILED'].flatMap((state) => {
      const number = states[state] ?? 0;
      return number > count * SHARE ? [] : [`only ${number} of ${count} jobs ended as ${state}`];
    }),
  ];
}
