import type { DryRun, Recipe } from '@telecine/client';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Section } from '../ui/section.tsx';
import { DropZone } from '../uploads/drop-zone.tsx';
import { useUploadItems, useUploads } from '../uploads/uploads-provider.tsx';
import { readsSeveral, roleOf } from './combination.ts';
import { CombinationChoice } from './combination-choice.tsx';
import type { Combination } from './draft.ts';
import { OtherUploads } from './other-uploads.tsx';
import { PathField } from './path-field.tsx';
import { SourceCard } from './source-card.tsx';
import { SourceTrim } from './source-trim.tsx';
import styles from './sources.module.css';
import { useDraft } from './use-draft.tsx';

/** The inputs of the request. The user uploads files or chooses stored files. */
export function Sources({
  recipe,
  combination,
  plan,
}: {
  readonly recipe: Recipe | undefined;
  readonly combination: Combination;
  readonly plan: DryRun | undefined;
}) {
  const { draft, change } = useDraft();
  const uploads = useUploads();
  const items = useUploadItems();
  const mayUpload = mayDo(useSession().data, 'files:write');
  return (
    <Section variant="panel" title="Source">
      {draft.inputs.length > 0 && (
        <ul className={styles.cards}>
          {draft.inputs.map((input, index) => (
            <li key={input.id}>
              <SourceCard
                input={input}
                index={index}
                count={draft.inputs.length}
                role={roleOf(recipe, index)}
                upload={items.find(({ path }) => path === input.input)}
                more={(info) => (
                  <>
                    {index === 0 && combination === 'together' && (
                      <SourceTrim path={input.input ?? ''} info={info} recipe={recipe} plan={plan} />
                    )}
                  </>
                )}
              />
            </li>
          ))}
        </ul>
      )}
      {draft.inputs.length > 1 && !readsSeveral(recipe) && <CombinationChoice value={combination} />}
      {mayUpload && (
        <DropZone
          isLine={draft.inputs.length > 0}
          label={draft.inputs.length === 0 ? 'Drop video, audio or image files here' : 'Drop more files here'}
          onFiles={(files) => {
            // If the user chooses a file of the draft again, only continue its upload.
            const paths = uploads.add(files).filter((path) => !draft.inputs.some(({ input }) => input === path));
            change({ do: 'add-inputs', paths });
          }}
        />
      )}
      <OtherUploads
        items={items.filter(({ state, path }) => state !== 'done' && !draft.inputs.some(({ input }) => input === path))}
      />
      <PathField onChoose={(path) => change({ do: 'add-inputs', paths: [path] })} />
    </Section>
  );
}
