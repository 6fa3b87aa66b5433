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
  /** Whether the recipe sets it on purpose, even if an argument of the client has a part in it. */
  readonly isOnPurpose?: boolean;
  readonly streams?: readonly ChosenStream[];
}

/** Collects the origins of the parts of a request to which a recipe is applied. */
export class RecipeOrigins {
  readonly #found: Record<string, Origin> = {};
  readonly #scope: Pick<Scope, 'originOf' | 'isOfClient'>;
  readonly #isUnstored: boolean;

  /**
   * @param isUnstored The author of the recipe tries it. So its options count as sent, in its definition: they are tried, and what has no effect
   * is said.
   */
  constructor(scope: Pick<Scope, 'originOf' | 'isOfClient'>, isUnstored: boolean) {
    this.#scope = scope;
    this.#isUnstored = isUnstored;
  }

  get found(): Origins {
    return this.#found;
  }

  /** A part that the client sent in another field. */
  add(at: string, field: string, isOfRecipe = false): this {
    this.#found[at] = { field, ...(isOfRecipe && { isOfRecipe }) };
    return this;
  }

  /** A setting of the recipe. `argument`: the argument that it is. */
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
