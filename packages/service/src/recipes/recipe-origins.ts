import { definedMembers } from '@telecine/contract/domain/defined.ts';
import type { ChosenStream, Origin, Origins } from '@telecine/contract/domain/origins.ts';
import type { RecipeValue } from '@telecine/contract/domain/recipe.ts';
import type { Scope } from './scope.ts';

/** An option of a recipe in the request that runs. */
interface SetOption {
  /** The JSON Pointer to the option in the request that runs, and in the recipe. */
  readonly at: string;
  readonly definition: string;
  readonly name: string;
  readonly value: RecipeValue | undefined;
  /** Whether the option counts as the recipe's own, although it depends on an argument of the client. */
  readonly isOnPurpose?: boolean;
  readonly streams?: readonly ChosenStream[];
}

/** Collects the origins of the parts of a request to which a recipe is applied. */
export class RecipeOrigins {
  readonly #found: Record<string, Origin> = {};
  readonly #scope: Pick<Scope, 'originOf' | 'isOfClient'>;
  readonly #isUnstored: boolean;

  /**
   * @param isUnstored True if an author tries the recipe before it is stored. Its options then count as sent by the client, with fields in the
   * definition: the command is tried, and warnings tell which options have no effect.
   */
  constructor(scope: Pick<Scope, 'originOf' | 'isOfClient'>, isUnstored: boolean) {
    this.#scope = scope;
    this.#isUnstored = isUnstored;
  }

  get found(): Origins {
    return this.#found;
  }

  /** Adds a part that the client sent in another field. */
  add(at: string, field: string, isOfRecipe = false): this {
    this.#found[at] = { field, ...(isOfRecipe && { isOfRecipe }) };
    return this;
  }

  /** Adds a setting of the recipe. `argument`: the argument whose value it is. */
  addSetting(at: string, value: string, argument: string | undefined): void {
    this.#found[at] = { ...this.#scope.originOf(value), ...definedMembers({ argument }) };
  }

  addOption({ at, definition, name, value, isOnPurpose = false, streams = [] }: SetOption): void {
    const origin = this.#scope.originOf(value);
    const isOfRecipe = isOnPurpose || !this.#scope.isOfClient(value);
    if (this.#isUnstored && origin.field === '/preset') this.#found[at] = { field: `/recipe${definition}` };
    else
      this.#found[at] = {
        ...origin,
        option: name,
        ...(isOfRecipe && !this.#isUnstored && { isOfRecipe }),
        ...(streams.length > 0 && { streams }),
      };
  }
}
