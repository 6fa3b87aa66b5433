import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ClientError } from '@telecine/client';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { client } from '../app/client.ts';
import { clockText } from '../trim/trim-time.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { nextPath } from '../uploads/upload-item.ts';
import styles from './cue-list.module.css';
import { type Cue, parseCues, shiftCues, shiftedPath, shiftOf, shiftText, type Unshifted, unshifted } from './cues.ts';
import { cuesQuery, readText } from './cues-query.ts';

/** The maximum number of listed cues. */
const MAX_ROWS = 300;
/** The largest shift in seconds. */
const MAX_SHIFT = 36_000;
const RANGE = `−${MAX_SHIFT} to ${MAX_SHIFT}`;

/** Why a conversion must wait. `isComing`: what is typed is in force soon, without another press. */
export interface Waiting {
  readonly text: string;
  readonly isComing: boolean;
}

interface Props {
  /** The path of a SubRip or WebVTT file in the media root. */
  readonly path: string;
  readonly mayStore: boolean;
  /** Called with a cue that the user wants to see in the film. undefined: there is no preview of it. */
  readonly onChoose: ((cue: Cue) => void) | undefined;
  /** Called with the path of a shifted copy. Resolves when the copy has replaced the file in the draft. */
  readonly onShifted: (path: string) => Promise<void>;
  /** Called with the reason why a conversion must wait: a shift is typed and not in force. undefined: there is none. Must not change. */
  readonly onWait: (reason: Waiting | undefined) => void;
}

/** The cues of a subtitle file. The user can see each in the preview, and shift all of them, in a copy. */
export function CueList({ path, mayStore, onChoose, onShifted, onWait }: Props) {
  const id = useId();
  const hint = useId();
  const queries = useQueryClient();
  /** What is typed and not in force. */
  const [typed, setTyped] = useState<string>();
  const { of } = shiftOf(path);
  const file = useQuery(cuesQuery(path));
  const original = useQuery(cuesQuery(of));
  // Without an original, a shift counts from the file itself. With another error, it is not known whether there is one.
  const unread = isMissing(original.error) ? null : original.error;
  const from = useMemo(
    (): Unshifted => unshifted(path, file.data ?? '', original.data),
    [path, file.data, original.data],
  );
  const cues = useMemo(() => parseCues(from.text), [from.text]);
  const shift = typed ?? String(from.seconds);
  const seconds = Number(shift);
  const isShift = shift.trim() !== '' && Math.abs(seconds) <= MAX_SHIFT;
  const isNew = isShift && seconds !== from.seconds;
  const store = useMutation({
    mutationFn: async () => {
      // Read both files again: another program may have changed them since the cues were listed.
      const read = (one: string) => queries.fetchQuery({ ...cuesQuery(one), staleTime: 0 });
      const now = unshifted(path, ...(await Promise.all([read(path), read(of).catch(unlessMissing)])));
      const by = seconds - from.seconds + now.seconds;
      if (by === 0) return now.path;
      const text = shiftCues(now.text, by);
      const to = await storeCopy(text, shiftedPath(now.path, by));
      queries.setQueryData(cuesQuery(to).queryKey, text);
      return to;
    },
    onSuccess: async (to) => {
      await onShifted(to);
      setTyped(undefined);
    },
  });
  const waiting = store.isPending
    ? 'Shifting the subtitles…'
    : isNew
      ? `The shift of the subtitles, ${shiftText(seconds) || 'none'}, is not in force yet. Leave its field, or press Enter there.`
      : isShift
        ? undefined
        : `The shift of the subtitles is not a number from ${RANGE}.`;
  const isComing = isShift && store.error === null;
  useEffect(() => {
    onWait(waiting === undefined ? undefined : { text: waiting, isComing });
    return () => onWait(undefined);
  }, [waiting, isComing, onWait]);
  const apply = (): void => {
    if (isNew && !store.isPending) store.mutate();
    // Show a number that equals the shift in force in its usual form: `1.5` for `1.50`.
    else if (isShift && !isNew) setTyped(undefined);
  };
  if (file.error !== null) return <ProblemNotice error={file.error} />;
  if (unread !== null) return <ProblemNotice error={unread} onRetry={() => void original.refetch()} />;
  if (file.data === undefined || original.isPending || cues.length === 0) return null;
  const by = isShift ? seconds : from.seconds;
  const first = cues.find(({ end }) => end + by > 0);
  return (
    <div className={styles.cues}>
      <details>
        <summary>{cues.length === 1 ? '1 cue' : `${cues.length} cues`}</summary>
        {onChoose !== undefined && <p className={styles.time}>Choose a cue to see it in the preview.</p>}
        <Rows
          path={path}
          cues={cues.slice(0, MAX_ROWS)}
          by={by}
          onChoose={onChoose && ((cue) => onChoose(moved(cue, from.seconds)))}
        />
        {cues.length > MAX_ROWS && <p className={styles.time}>and {cues.length - MAX_ROWS} more</p>}
      </details>
      {mayStore && (
        <div className={styles.shift}>
          <label htmlFor={id}>Shift by seconds</label>
          <input
            id={id}
            type="number"
            step={0.1}
            min={-MAX_SHIFT}
            max={MAX_SHIFT}
            value={shift}
            aria-describedby={hint}
            aria-invalid={!isShift}
            readOnly={store.isPending}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onBlur={apply}
            onKeyDown={({ key }) => key === 'Enter' && apply()}
          />
          <span id={hint} className={styles.time}>
            {!isShift
              ? `Type a number from ${RANGE}, or 0 for no shift.`
              : seconds === 0
                ? 'Less than 0 is earlier: −0.5 shows the words half a second earlier.'
                : `${shiftText(seconds)}: ${firstText(first, seconds)}`}
          </span>
        </div>
      )}
      {mayStore && of !== path && from.path === path && (
        <p className={styles.time}>
          {of} is gone, or is not what this file was shifted from: a shift counts from this file.
        </p>
      )}
      {store.error !== null && <ProblemNotice error={store.error} />}
    </div>
  );
}

/** Returns a cue with the times that it has in a copy that is shifted by `by` seconds. */
const moved = (cue: Cue, by: number): Cue => ({ ...cue, start: Math.max(0, cue.start + by), end: cue.end + by });

/** Says when the first words are shown after a shift of `by` seconds. `first`: undefined if all words would end before the film starts. */
const firstText = (first: Cue | undefined, by: number): string =>
  first === undefined
    ? 'no words are left'
    : `the first words at ${clockText(moved(first, by).start)} instead of ${clockText(first.start)}`;

/** The lines of the list. If they can be chosen, one of them is in the order of the Tab key, and the arrow keys move from it to the others. */
function Rows({
  path,
  cues,
  by,
  onChoose,
}: {
  readonly path: string;
  readonly cues: readonly Cue[];
  /** The shift of the cues in seconds. If it is not 0, the list shows the times before and after it. */
  readonly by: number;
  readonly onChoose: ((cue: Cue) => void) | undefined;
}) {
  const list = useRef<HTMLOListElement>(null);
  const [reached, setReached] = useState(0);
  /** The chosen cue. `path`: the file in which it was chosen. After a shift, the preview shows another file, in which no cue is chosen. */
  const [chosen, setChosen] = useState<{ readonly path: string; readonly index: number }>();
  const step = (event: KeyboardEvent): void => {
    const to = { ArrowDown: reached + 1, ArrowUp: reached - 1, Home: 0, End: cues.length - 1 }[event.key];
    const button = to === undefined ? undefined : list.current?.querySelectorAll('button')[to];
    if (to === undefined || button === undefined) return;
    event.preventDefault();
    setReached(to);
    button.focus();
  };
  const lines = cues.map((cue, index) => {
    const { start, end, text } = cue;
    const content = (
      <>
        <span className={styles.time}>
          {by === 0 ? clockText(start) : `${clockText(start)} → ${clockText(moved(cue, by).start)}`}
        </span>
        <span>{text}</span>
      </>
    );
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the cues of a file have an order, and can be equal.
      <li key={index} data-out={end + by <= 0}>
        {onChoose === undefined ? (
          <div className={styles.row}>{content}</div>
        ) : (
          <button
            type="button"
            className={styles.row}
            tabIndex={index === Math.min(reached, cues.length - 1) ? 0 : -1}
            aria-current={chosen?.path === path && index === chosen.index ? 'true' : undefined}
            onFocus={() => setReached(index)}
            onClick={() => {
              setChosen({ path, index });
              onChoose(cue);
            }}
          >
            {content}
          </button>
        )}
      </li>
    );
  });
  return (
    // It scrolls, so the keyboard must reach it, if not by its buttons.
    <div role="group" aria-label="Cues" tabIndex={onChoose === undefined ? 0 : undefined} className={styles.rows}>
      <ol ref={list} onKeyDown={step}>
        {lines}
      </ol>
    </div>
  );
}

const isMissing = (error: unknown): boolean => error instanceof ClientError && error.status === 404;

/** The text of a file that does not exist. Throws any other error. */
function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** The number of names to try for a copy. */
const NAMES = 20;

/** Stores a file under a free name, unless it is stored already. Returns its path. */
async function storeCopy(text: string, first: string): Promise<string> {
  let path = first;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.upload(new Blob([text], { type: 'text/plain' }), path);
      return path;
    } catch (error) {
      if (!(error instanceof ClientError) || error.status !== 412 || attempt === NAMES) throw error;
      if ((await readText(path).catch(() => undefined)) === text) return path;
      path = nextPath(path);
    }
  }
}
