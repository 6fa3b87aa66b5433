import { useSearch } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import Terminal from 'lucide-react/icons/terminal';
import { useEffect, useReducer, useRef, useState } from 'react';
import { isHiddenUrl } from '../../packages/contract/src/domain/hidden-parts.ts';
import { lazyComponent } from '../app/lazy-component.tsx';
import { loadPart } from '../app/load-part.ts';
import type { Waiting } from '../cues/cue-list.tsx';
import type { ChosenCue } from '../cues/cues.ts';
import { isStored } from '../media/media-address.ts';
import { firstSource, missingPreviewText } from '../preview/missing-preview.ts';
import { withoutRecipe } from '../preview/without-recipe.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import columns from '../ui/columns.module.css';
import { Loading } from '../ui/loading.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { Section } from '../ui/section.tsx';
import { UndoNotice } from '../ui/undo-notice.tsx';
import { useUploadItems, useUploads } from '../uploads/uploads-provider.tsx';
import { SHARED } from './change-draft.ts';
import { errorsOf, isJobGone } from './check-error.ts';
import { CheckPanel } from './check-panel.tsx';
import { combinationOf, draftOfRequest, freeOutput, requestsFromDraft } from './combination.ts';
import { type Draft, otherClientOf } from './draft.ts';
import { changeHistory, type DraftHistory } from './draft-history.ts';
import { asNewJob, hasHiddenParts, leftOutOf } from './hidden-parts.ts';
import { keepSourceInPlace } from './keep-source-in-place.ts';
import { OptionRows } from './option-rows.tsx';
import { outputWords, takesTimes } from './output-words.ts';
import { Outputs } from './outputs.tsx';
import { PreviewSection } from './preview-section.tsx';
import { type Carry, RecipeSection } from './recipe-section.tsx';
import type { SearchWords } from './search-words.ts';
import { Sources } from './sources.tsx';
import { readHistory, storeHistory } from './stored-draft.ts';
import { ChosenCodecsProvider } from './use-chosen-codecs.tsx';
import { DraftProvider } from './use-draft.tsx';
import { useDryRun } from './use-dry-run.ts';
import { MessagesProvider } from './use-messages.tsx';
import { useSourceHeight, useUnreadableCount } from './use-probe.ts';
import { useRecipe } from './use-recipe.ts';
import { useRun } from './use-run.ts';
import { useUndo } from './use-undo.ts';
import { useWishedRecipe } from './wished-recipe.ts';
import styles from './workbench-page.module.css';

const PastePanel = lazyComponent(async () => (await import('./paste-panel.tsx')).PastePanel);

// Shown only once there is a source.
const ExportSection = lazyComponent(async () => (await import('./export-section.tsx')).ExportSection);

const UseForFolder = lazyComponent(async () => (await import('../watches/use-for-folder.tsx')).UseForFolder);

// Only a link such as that of the demo has a source.
const NextStep = lazyComponent(async () => (await import('./next-step.tsx')).NextStep);

// The first page has no request of a job.
const MendNote = lazyComponent(async () => (await import('./mend-note.tsx')).MendNote);
const LeftOutNote = lazyComponent(async () => (await import('./mend-note.tsx')).LeftOutNote);

const loadCarry = async (): Promise<Carry> => {
  const [part, picture] = await Promise.all([
    loadPart(() => import('./carry-part.ts')),
    loadPart(() => import('./picture-arguments.ts')),
  ]);
  return { ...part, ...picture };
};

/** The extension of an output without recipe and format. */
const USUAL_EXTENSION = 'mp4';

const NO_WORDS: SearchWords = { text: '' };
const NO_PATHS: readonly string[] = [];

/** The page on which the user composes a conversion, sees its plan, and runs it. */
export function WorkbenchPage() {
  const clientId = useSession().data?.clientId ?? '';
  const { source, find, watch } = useSearch({ from: '/' });
  const [history, change] = useReducer(changeHistory, clientId, (id) => withSource(readHistory(id), source));
  const { draft } = history;
  const sourceHeading = useRef<HTMLHeadingElement>(null);
  const undoing = useUndo(history, change, sourceHeading);
  useEffect(() => storeHistory(clientId, history), [clientId, history]);
  useWishedRecipe(change);

  // The key of the panel with the started jobs. A new key removes them from the page.
  const [start, setStart] = useState(0);
  const [isPasting, setIsPasting] = useState(false);
  const [isUnused, setUnused] = useState(false);
  // Why the conversion must wait for what the user has typed.
  const [waiting, setWaiting] = useState<Waiting>();
  const [words, setWords] = useState<SearchWords>(NO_WORDS);
  // Changes with each command that replaces the draft.
  const [pasted, setPasted] = useState(0);
  // The cue that the user wants to see in the preview.
  const [cue, setCue] = useState<ChosenCue>();
  // Where a narrow window shows the started jobs.
  const [top, setTop] = useState<HTMLDivElement | null>(null);
  const page = top?.parentElement ?? undefined;
  useEffect(() => page && keepSourceInPlace(page), [page]);
  const recipe = useRecipe(draft.preset?.name);
  const combination = combinationOf(draft, recipe);
  const extension = extensionOf(draft, recipe?.outputs);
  const running = useRun(draft, clientId);
  const height = useSourceHeight(draft);
  const names = {
    extension,
    words: outputWords(recipe, draft.preset?.arguments, height),
    hasTimes: takesTimes(recipe),
    taken: running.taken,
  };
  const requests = requestsFromDraft(draft, combination, names);
  // Of several requests, only one is checked and previewed. The user can look at the others.
  const [chosen, setChosen] = useState(0);
  const shown = Math.max(0, Math.min(chosen, requests.length - 1));
  const request = requests[shown];
  const uploads = useUploads();
  // The paths of another client's files are not those of the user's uploads.
  const otherClient = otherClientOf(draft);
  const unfinished = useUploadItems().filter(
    ({ path, state }) =>
      otherClient === undefined && state !== 'done' && draft.inputs.some(({ input }) => input === path),
  );
  const uploading = unfinished.map(({ path }) => path);
  const isUploading = uploading.length > 0;
  // Only one request can run in place of a job. Several are new jobs.
  const retries = requests.length > 1 ? undefined : draft.retries;
  // The request as a new job of the user. With hidden parts, it would only fail.
  const whole = request === undefined || retries === undefined ? request : asNewJob(request);
  const own = whole === undefined || otherClient !== undefined || hasHiddenParts(whole) ? undefined : whole;
  const leftOut =
    draft.leftOut ?? (draft.retries === retries ? [] : leftOutOf({ ...draft.others, outputs: draft.outputs }));
  const checked = useDryRun(request, uploading, retries?.jobId);
  const isGone = draft.retries !== undefined && isJobGone(checked.error);
  useEffect(() => {
    if (isGone && otherClient === undefined) change({ do: 'forget-retry' });
  }, [isGone, otherClient]);
  // While a change is checked, keep what was last known. Otherwise, controls would lose the focus at each key.
  const [isInvalid, setInvalid] = useState(false);
  const hasErrors = errorsOf(checked.error).length > 0;
  if (!checked.isOld && hasErrors !== isInvalid) setInvalid(hasErrors);
  // Count unreadable sources here too: the check reads only the files of the first request, and no URLs.
  const unreadable = useUnreadableCount(
    otherClient === undefined
      ? draft.inputs.flatMap(({ input = '' }) =>
          (requests.length > 1 || !isStored(input)) && !isHiddenUrl(input) ? input : [],
        )
      : NO_PATHS,
    uploading,
  );
  const missingPreview = own && missingPreviewText(own, recipe);
  const plain = own?.preset === undefined ? own : withoutRecipe(own, recipe, checked.plan);
  const previewed = missingPreview === undefined ? own && firstSource(own) : undefined;
  // The preview of another source, and a preview that comes back, begin where they usually do.
  if (cue !== undefined && cue.source !== previewed) setCue(undefined);
  return (
    <DraftProvider state={{ draft, change }}>
      <MessagesProvider
        draft={draftOfRequest(draft, combination, shown)}
        checked={checked}
        hasStarted={running.started !== undefined}
        isNewJob={retries === undefined}
      >
        <ChosenCodecsProvider plan={checked.plan} rows={draft.rows}>
          <div className={styles.bar}>
            <PageHeading>Workbench</PageHeading>
            <div className={styles.actions}>
              {watch !== undefined && <UseForFolder request={own} isDisabled={isInvalid} watchId={watch} />}
              {/* A pasted command replaces the draft by one of the user. */}
              {otherClient === undefined && (
                <Button
                  aria-expanded={isPasting}
                  onClick={() => {
                    setIsPasting(!isPasting);
                    setUnused(false);
                  }}
                >
                  <Terminal /> Paste a command
                </Button>
              )}
              <Button
                onClick={() => {
                  change({ do: 'start-again' });
                  // Running uploads continue. Remove uploads that wait for the question whether to replace an existing file.
                  for (const { id, code } of unfinished) if (code === 'PRECONDITION_FAILED') uploads.remove(id);
                  setStart(start + 1);
                  running.forget();
                }}
              >
                Clear
              </Button>
            </div>
          </div>
          {source !== undefined && (
            <NextStep
              fallback={<div className={styles.steps} />}
              hasSource={draft.inputs.length > 0}
              hasRecipe={draft.preset !== undefined || draft.rows.length > 0}
              words={words}
              hasStarted={running.started !== undefined}
              hasResult={running.started === 'completed'}
            />
          )}
          <UndoNotice {...undoing.replacement} label="Go back to it" />
          <div className={styles.removed}>
            <UndoNotice {...undoing.removal} />
          </div>
          {isPasting && (
            <PastePanel
              fallback={<Loading />}
              onText={(text) => setUnused(text.trim() !== '')}
              onUsed={() => setPasted(pasted + 1)}
              onClose={() => {
                setIsPasting(false);
                setUnused(false);
              }}
            />
          )}
          {(draft.mends !== undefined || otherClient !== undefined) && (
            <MendNote
              fallback={<Loading />}
              failed={draft.mends}
              retries={draft.retries}
              isGone={isGone}
              isChanged={!history.isOpened}
            />
          )}
          {leftOut.length > 0 && (
            <LeftOutNote fallback={<Loading />} parts={leftOut} isClosable={draft.leftOut !== undefined} />
          )}
          <div ref={setTop} className={styles.started} />
          <div className={`${columns.columns} ${styles.form} ${isUnused ? styles.waiting : ''}`}>
            <div className={columns.parts}>
              <div className={columns.column}>
                <Sources
                  recipe={recipe}
                  combination={combination}
                  heading={sourceHeading}
                  plan={checked.plan}
                  isNext={draft.inputs.length === 0 && !isPasting}
                  previewed={missingPreview === undefined ? plain : undefined}
                  onCue={setCue}
                  onWait={setWaiting}
                />
                <RecipeSection
                  key={pasted}
                  recipe={recipe}
                  find={find}
                  onWords={setWords}
                  hasLinks
                  isEach={combination === 'each'}
                  loadCarry={loadCarry}
                />
              </div>
              <div className={columns.column}>
                <Section variant="quiet" title="Options">
                  <OptionRows list={SHARED} rows={draft.rows} side="output" />
                </Section>
                <Outputs
                  suggested={freeOutput(draftOfRequest(draft, combination, 0), names)}
                  isEach={combination === 'each'}
                />
              </div>
            </div>
            <div className={columns.result}>
              <CheckPanel
                key={start}
                requests={requests}
                recipe={recipe}
                // One thing that is not applied at a time.
                words={isUnused ? NO_WORDS : words}
                pasting={{ isOpen: isPasting, isUnused }}
                shown={shown}
                onShow={setChosen}
                checked={checked}
                isUploading={isUploading}
                waiting={waiting}
                unreadable={unreadable}
                running={running}
                top={top}
                onNext={() => {
                  change({ do: 'next-source' });
                  // The button is in the card of the last result, far from what the user does next.
                  sourceHeading.current?.focus();
                }}
                onUse={(path) => {
                  change({ do: 'open-request', request: { input: path } as ConversionRequest });
                  setPasted(pasted + 1);
                  sourceHeading.current?.focus();
                }}
              >
                {/* A preview and an exported request would run for the user. */}
                {own !== undefined && (
                  <PreviewSection
                    // The result takes its place.
                    key={String(running.started === 'completed')}
                    request={own}
                    plain={plain}
                    missing={missingPreview}
                    cue={cue}
                    onToggle={() => setCue(undefined)}
                    isOneOfSeveral={requests.length > 1}
                    checked={checked}
                    isInvalid={isInvalid}
                    isUploading={isUploading}
                  />
                )}
              </CheckPanel>
              {own !== undefined && (
                <ExportSection
                  fallback={<Loading />}
                  request={own}
                  requests={requests}
                  leftOut={retries === undefined || request === undefined ? [] : leftOutOf(request)}
                  isInvalid={isInvalid}
                >
                  <UseForFolder request={own} isDisabled={isInvalid} />
                </ExportSection>
              )}
            </div>
          </div>
        </ChosenCodecsProvider>
      </MessagesProvider>
    </DraftProvider>
  );
}

/** The history of a draft that gets a source, if it has none. */
const withSource = (history: DraftHistory, source: string | undefined): DraftHistory =>
  source === undefined || history.draft.inputs.length > 0
    ? history
    : changeHistory(history, { do: 'add-inputs', paths: [source] });

/** The extension of the first output: its format, otherwise the first extension of the recipe, otherwise the default. */
function extensionOf({ outputs }: Draft, ofRecipe: readonly string[] | undefined): string {
  const format: ConversionRequest['format'] = outputs[0]?.format;
  return format || ofRecipe?.[0] || USUAL_EXTENSION;
}
