import { useQuery } from '@tanstack/react-query';
import type { ConversionRequest, DryRun, Recipe } from '@telecine/client';
import FolderOpen from 'lucide-react/icons/folder-open';
import { type Ref, useState } from 'react';
import { lazyComponent } from '../app/lazy-component.tsx';
import { hasCues } from '../cues/cue-files.ts';
import type { Waiting } from '../cues/cue-list.tsx';
import type { ChosenCue } from '../cues/cues.ts';
import { folderOf, nameOf } from '../files/file-list.ts';
import { folderQuery } from '../files/files-query.ts';
import { isStored } from '../media/media-address.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { useMedia } from '../ui/use-media.ts';
import { WithCode } from '../ui/with-code.tsx';
import { DropZone } from '../uploads/drop-zone.tsx';
import { useUploadItems, useUploads } from '../uploads/uploads-provider.tsx';
import { missingInputs, readsSeveral, roleOf } from './combination.ts';
import { CombinationChoice } from './combination-choice.tsx';
import { type Combination, type Draft, otherClientOf } from './draft.ts';
import { OtherUploads } from './other-uploads.tsx';
import { PathField } from './path-field.tsx';
import { SourceCard } from './source-card.tsx';
import { SourceTrim } from './source-trim.tsx';
import styles from './sources.module.css';
import { trimPlace } from './trim-place.ts';
import { useDraft } from './use-draft.tsx';

const SourceCues = lazyComponent(async () => (await import('./source-cues.tsx')).SourceCues);

type RecipeInput = Recipe['inputs'][number];

/** The inputs of the request. The user uploads files or chooses stored files. */
export function Sources({
  recipe,
  combination,
  heading,
  plan,
  isNext,
  previewed,
  onCue,
  onWait,
}: {
  readonly recipe: Recipe | undefined;
  readonly combination: Combination;
  readonly heading: Ref<HTMLHeadingElement>;
  readonly plan: DryRun | undefined;
  /** Whether choosing a file is the main action of the page. */
  readonly isNext: boolean;
  /** The request of the preview, without a recipe. undefined: there is no preview, or it is not known yet. */
  readonly previewed: ConversionRequest | undefined;
  /** Called when the user wants to see a cue in the preview. */
  readonly onCue: (cue: ChosenCue) => void;
  /** Called with the reason why a conversion must wait. undefined: there is none. Must not change. */
  readonly onWait: (reason: Waiting | undefined) => void;
}) {
  const { draft, change } = useDraft();
  const uploads = useUploads();
  const items = useUploadItems();
  const missing = missingInputs(recipe, draft.inputs.length);
  const otherClient = otherClientOf(draft);
  const { data: session } = useSession();
  const mayUpload = mayDo(session, 'files:write') && otherClient === undefined;
  const [browsed, setBrowsed] = useState(0);
  const isPhone = useMedia('(width < 48rem), (pointer: coarse)');
  return (
    <Section variant="panel" title="Source" heading={heading}>
      {draft.inputs.length > 1 && !readsSeveral(recipe) && otherClient === undefined && (
        <CombinationChoice value={combination} />
      )}
      {draft.inputs.length > 0 && (
        <ul className={styles.cards}>
          {draft.inputs.map((input, index) => (
            <li key={input.id}>
              <SourceCard
                input={input}
                index={index}
                count={draft.inputs.length}
                role={roleOf(recipe, index)}
                upload={otherClient === undefined ? items.find(({ path }) => path === input.input) : undefined}
                more={(info) => (
                  <>
                    <SourceTrim
                      path={input.input ?? ''}
                      info={info}
                      recipe={recipe}
                      plan={plan}
                      ofEach={combination === 'each' ? index : undefined}
                      ofSeveral={isFirstOfAll(draft, recipe, combination, index) ? undefined : index}
                    />
                    {info !== undefined && hasCues(input.input ?? '') && isStored(input.input ?? '') && (
                      <SourceCues
                        path={input.input ?? ''}
                        mayStore={mayUpload}
                        previewed={previewed}
                        onCue={onCue}
                        onWait={onWait}
                        onShifted={(to) => change({ do: 'rename-input', from: input.input ?? '', to })}
                      />
                    )}
                  </>
                )}
              />
            </li>
          ))}
        </ul>
      )}
      {missing.length > 0 && (
        <MissingInputs
          missing={missing}
          source={otherClient === undefined ? storedPath(draft.inputs[0]?.input) : undefined}
        />
      )}
      <OtherUploads
        items={items.filter(({ state, path }) => state !== 'done' && !draft.inputs.some(({ input }) => input === path))}
      />
      <div className={styles.add} data-more={draft.inputs.length > 0}>
        {mayUpload && (
          <DropZone
            isLine={draft.inputs.length > 0}
            isNext={isNext}
            label={addText(draft.inputs.length, missing[0], isPhone)}
            onFiles={(files) => {
              // If the user chooses a file of the draft again, only continue its upload.
              const paths = uploads.add(files).filter((path) => !draft.inputs.some(({ input }) => input === path));
              change({ do: 'add-inputs', paths });
            }}
          >
            {mayDo(session, 'files:read') && (
              <Button onClick={() => setBrowsed((count) => count + 1)}>
                <FolderOpen /> Browse stored files…
              </Button>
            )}
          </DropZone>
        )}
        <PathField
          of={otherClient}
          browsed={browsed}
          onChoose={(path) => change({ do: 'add-inputs', paths: [path] })}
        />
      </div>
    </Section>
  );
}

/** Whether the strip of a source chooses a part by what the whole conversion has, such as arguments of its recipe. */
const isFirstOfAll = (draft: Draft, recipe: Recipe | undefined, combination: Combination, index: number): boolean =>
  combination === 'each' ||
  (index === 0 &&
    combination === 'together' &&
    (draft.inputs.length === 1 || trimPlace(draft, recipe) !== undefined || draft.others.cut !== undefined));

/** What to add next: the next file that the recipe reads, or any. Nothing is dropped on a phone. */
function addText(count: number, next: RecipeInput | undefined, isPhone: boolean): string {
  const what = next !== undefined ? `the ${next.role}` : count === 0 ? 'video, audio or image files' : 'more files';
  const text = isPhone ? `Choose ${what}` : `Drop ${what} here`;
  return next?.optional === true ? `${text}, if you want` : text;
}

/** The files that the recipe still reads, in the order in which it reads them. */
const MissingInputs = ({
  missing,
  source,
}: {
  readonly missing: readonly RecipeInput[];
  /** The path of the first source. undefined: there is none, or it is not stored. */
  readonly source: string | undefined;
}) => (
  <ul className={styles.missing} aria-label="Files that the recipe reads">
    {missing.map(({ role, description, optional }) => (
      <li key={role}>
        <span className={styles.role}>{role}</span> <WithCode text={description} />
        {optional === true && ' Optional.'}
        {role === 'subtitles' && source !== undefined && <UseSubtitles source={source} />}
      </li>
    ))}
  </ul>
);

const storedPath = (path = ''): string | undefined => (path !== '' && isStored(path) ? path : undefined);

/** Offers the subtitles that are stored beside a video and have its name. */
function UseSubtitles({ source }: { readonly source: string }) {
  const { change } = useDraft();
  const stem = nameOf(source).replace(/\.[^.]*$/, '');
  const { data } = useQuery(folderQuery(folderOf(source), stem));
  const found = data?.entries.find(({ path }) => hasCues(path));
  if (found === undefined) return null;
  return (
    <div className={styles.use}>
      <Button onClick={() => change({ do: 'add-inputs', paths: [found.path] })}>Use {nameOf(found.path)}</Button>
    </div>
  );
}
