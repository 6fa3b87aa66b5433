import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ClientError, type ConversionRequest } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { recipeFromRequest, recipeName } from './recipe-from-request.ts';
import styles from './save-recipe.module.css';

interface Props {
  /** Returns the request, with its recipe instead of the options that the recipe sets: these may depend on the film. */
  readonly read: () => ConversionRequest | Promise<ConversionRequest>;
  /** Whether the request has errors, which the recipe would have too. */
  readonly isDisabled?: boolean;
}

/** Stores a request as a recipe of the client. Needs no check of the request: a plan may be late, or of an earlier request. */
export function SaveRecipe({ read, isDisabled = false }: Props) {
  const [title, setTitle] = useState('');
  const queries = useQueryClient();
  const name = recipeName(title);
  const save = useMutation({
    mutationFn: async (replaces: boolean) => {
      const version = replaces ? (await client.recipe(name)).version + 1 : 1;
      const request = await read();
      const recipe = request.preset === undefined ? undefined : await client.recipe(request.preset.name);
      return client.putRecipe(name, recipeFromRequest(request, { title, version }, recipe));
    },
    onSuccess: ({ name: saved }) =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['recipes'] }),
        queries.invalidateQueries({ queryKey: ['recipe', saved] }),
      ]),
  });
  const isTaken = save.error instanceof ClientError && save.error.code === 'RECIPE_CONFLICT';
  return (
    <form
      className={styles.save}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(false);
      }}
    >
      <Field
        label="Save as a recipe"
        value={title}
        maxLength={80}
        disabled={isDisabled}
        placeholder="Such as: For the shop"
        onChange={({ currentTarget }) => {
          setTitle(currentTarget.value);
          save.reset();
        }}
      />
      <Button type="submit" disabled={isDisabled || name === '' || save.isPending}>
        {save.isPending ? 'Saving…' : 'Save'}
      </Button>
      <div className={styles.result} role="status">
        {save.data !== undefined && (
          <p>
            Saved as <code>{save.data.name}</code>. You can now choose it as a recipe.
          </p>
        )}
      </div>
      {save.error !== null && (
        <div className={styles.result}>
          <ProblemNotice error={save.error} />
          {isTaken && <Button onClick={() => save.mutate(true)}>Replace the earlier one</Button>}
        </div>
      )}
    </form>
  );
}
