import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ClientError } from '@telecine/client';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { client } from '../app/client.ts';
import { clockText } from '../trim/trim-time.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { nextPath } from '../uploads/upload-item.ts';
import styles from './cue-list.module.css';
import { type Cue, parseCues, shiftCues, shiftedPath, shiftOf, shiftText } from './cues.ts';
import { cuesQuery, readText } from './cues-query.ts';

/** The maximum number of listed cues. */
const MAX_ROWS = 300;
/** The largest shift in seconds. */
const MAX_SHIFT = 36_000;

interface Props {
  /** The path of a SubRip or WebVTT file in the media root. */
  readonly path: string;
  readonly mayStore: boolean;
  /** Called with a cue that the user wants to see in the film. undefined: there is no preview of it. */
  readonly onChoose: ((cue: Cue) => void) | undefined;
  /** Called with the path of a shifted copy. */
  readonly onShifted: (path: string) => void;
  /** Called with the reason why a conversion must wait: a shift is typed and not in force. undefined: there is none. Must not change. */
  readonly onWait: (reason: string | undefined) => void;
}

/** The cues of a subtitle file. The user can see each in the preview, and shift all of them, in a copy. */
export function CueList({ path, mayStore, onChoose, onShifted, onWait }: Props) {
  const id = useId();
  const hint = useId();
  const queries = useQueryClient();
  /** What is typed and not in force. */
  const [typed, setTyped] = useState<string>();
  const file = useQuery(cuesQuery(path));
  const { of, seconds: before } = shiftOf(path);
  const shift = typed ?? String(before);
  const seconds = Number(shift);
  const isShift = shift.trim() !== '' && Math.abs(seconds) <= MAX_SHIFT;
  const isNew = isShift && seconds !== before;
  const store = useMutation({
    mutationFn: async (current: string) => {
      const original = await readOriginal(() => queries.fetchQuery(cuesQuery(of)));
      if (seconds === 0 && original !== undefined) return of;
      const text = original === undefined ? shiftCues(current, seconds - before) : shiftCues(original, seconds);
      return storeCopy(text, seconds === 0 ? of : shiftedPath(of, seconds));
    },
    onSuccess: (to) => {
      setTyped(undefined);
      onShifted(to);
    },
  });
  const waiting = store.isPending
    ? 'Shifting the subtitles…'
    : isNew
      ? `The shift of the subtitles, ${shiftText(seconds) || 'none'}, is not in force yet. Leave its field, or press Enter there.`
      : undefined;
  useEffect(() => {
    onWait(waiting);
    return () => onWait(undefined);
  }, [waiting, onWait]);
  const apply = (text: string): void => {
    if (isNew && !store.isPending) store.mutate(text);
    else if (!isNew) setTyped(undefined);
  };
  if (file.error !== null) return <ProblemNotice error={file.error} />;
  if (file.data === undefined) return null;
  const cues = parseCues(file.data);
  if (cues.length === 0) return null;
  return (
    <div className={styles.cues}>
      <details>
        <summary>{cues.length === 1 ? '1 cue' : `${cues.length} cues`}</summary>
        {onChoose !== undefined && <p className={styles.time}>Choose a cue to see it in the preview.</p>}
        <Rows cues={cues.slice(0, MAX_ROWS)} by={isShift ? seconds - before : 0} onChoose={onChoose} />
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
            readOnly={store.isPending}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onBlur={() => apply(file.data)}
            onKeyDown={({ key }) => key === 'Enter' && apply(file.data)}
          />
          <span id={hint} className={styles.time}>
            {isShift && seconds !== 0
              ? `${shiftText(seconds)}: the first words at ${timeOf(cues[0], seconds - before)} instead of ${timeOf(cues[0], -before)}`
              : 'Less than 0 is earlier: −0.5 shows the words half a second earlier.'}
          </span>
        </div>
      )}
      {store.error !== null && <ProblemNotice error={store.error} />}
    </div>
  );
}

const timeOf = (cue: Cue | undefined, by: number): string => clockText(Math.max(0, (cue?.start ?? 0) + by));

/** The text of the file from which copies are shifted, so that no cue is lost by the way. undefined: it is gone. */
async function readOriginal(read: () => Promise<string>): Promise<string | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}

/** The lines of the list. If they can be chosen, one of them is in the order of the Tab key, and the arrow keys move from it to the others. */
function Rows({
  cues,
  by,
  onChoose,
}: {
  readonly cues: readonly Cue[];
  /** By how many seconds their shown times are moved. */
  readonly by: number;
  readonly onChoose: ((cue: Cue) => void) | undefined;
}) {
  const list = useRef<HTMLOListElement>(null);
  const [reached, setReached] = useState(0);
  const [chosen, setChosen] = useState<number>();
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
        <span className={styles.time}>{clockText(Math.max(0, start + by))}</span>
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
            aria-current={index === chosen ? 'true' : undefined}
            onFocus={() => setReached(index)}
            onClick={() => {
              setChosen(index);
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
